# SPDX-License-Identifier: MIT
"""From raw records to certified counts, means and quantiles.   usage: records.py [ROWS]

A table of purchases is made up: a shop, a customer and an amount in each row, ten million rows unless said otherwise. A
customer is the unit of privacy, and at most three purchases of each are counted.
"""
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy
import polars

import probity

rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
shops = [f"shop {i:03d}" for i in range(200)]
rng = numpy.random.default_rng(1)
purchases = polars.DataFrame({
    "shop": polars.Series(rng.zipf(1.5, rows) % len(shops)).cast(polars.String).str.zfill(3),
    "customer": rng.integers(0, max(1, rows // 5), rows),
    "amount": rng.gamma(2, 10, rows).astype(numpy.int64)}).with_columns(shop="shop " + polars.col("shop"))

# 1. The least noise for epsilon 1/2 where a customer moves counts by at most 3.
counts = probity.select("geometric:sensitivity=3", epsilon="1/2").spec
print(f"counts   {counts}")

# 2. A certificate that says the unit, and a ledger that has it too.
folder = Path(tempfile.mkdtemp())
certificate = probity.certify(counts, "1/2", user="customer", n=rows, support=len(shops), gamma="1/20")
ledger = probity.Ledger.create(folder / "purchases.ledger", epsilon=3, user="customer")
error = probity.accuracy(counts, support=len(shops), gamma="1/20")["release"]["beta"]
print(f"worth    all {len(shops)} counts are within {error} of what was counted, but for a chance of 1/20")

# 3. Counts: checked, charged, then released.
made = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
noisy = probity.release(purchases, certificate=certificate, ledger=ledger, by="shop", user="customer", contributions=3,
                        filter=shops)
print(noisy.head(5))

# 4. Means, by a count and a sum of amounts from the middle of 0 to 100: 3 purchases move that by at most 150.
means = probity.release(purchases, "geometric:eps=1/2,sensitivity=3 geometric:eps=1,sensitivity=150", ledger=ledger, by="shop",
                        user="customer", contributions=3, filter=shops, mean="amount:0:100:1")
print(means.head(5))

# 5. The median amount and the ninth decile, by how many purchases lie below and above: 3 move a score by at most 3/2 and
#    27/10. One use of exponential covers all shops.
median, decile = "exponential:eps=1/2,sensitivity=3/2", "exponential:eps=1/2,sensitivity=27/10"
for spec in (median, decile):
    off = probity.accuracy(spec, support=101, gamma="1/20")["release"]["beta"]
    print(f"worth    {spec} chooses a score at most {off} below the best, but for a chance of 1/20")
quantiles = probity.release(purchases, f"{median} {decile}", ledger=ledger, by="shop", user="customer", contributions=3,
                            filter=shops, quantile="amount:0:100:1", q=["1/2", "9/10"])
true = purchases.group_by("shop").agg(polars.col("amount").median().alias("median"),
                                      polars.col("amount").quantile(0.9).alias("decile"))
print(quantiles.join(true, on="shop", how="left").head(5))
print(f"time     {time.perf_counter() - start:.1f} s for three releases of {rows} rows")
print(f"memory   {made // 1024} MB with the table, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")

# 6. What was spent, and that no more can be.
print(f"spent    epsilon {ledger.spent()[0]} of {ledger.budget[0]}")
try:
    probity.release(purchases, certificate=certificate, ledger=ledger, by="shop", user="customer", contributions=3,
                    filter=shops)
except probity.Refused as refused:
    print(f"refused  {refused}")
