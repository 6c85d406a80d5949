# SPDX-License-Identifier: MIT
"""peer.py IN.csv OUT.csv: Polars reads bars, checks that no key stands twice, adds Laplace noise and writes them."""
import sys
import time

import numpy
import polars

source, target = sys.argv[1:]
begun, used = time.monotonic(), time.process_time()
bars = polars.read_csv(source, has_header=False, new_columns=["key", "count"])
if bars["key"].n_unique() < bars.height:
    sys.exit("a key stands twice")
noise = numpy.random.default_rng().laplace(scale=2, size=bars.height)
bars.with_columns((polars.col("count") + noise).round().cast(polars.Int64)).write_csv(target)
print(f"{time.monotonic() - begun:.2f} {time.process_time() - used:.2f}")
