# SPDX-License-Identifier: MIT
"""peer.py LIBRARY FOLDER: counts by shop of at most three rows of each customer, with Laplace noise in floating point."""
import importlib
import sys

import numpy

name, folder = sys.argv[1:]
library = importlib.import_module(name)
shops = open(f"{folder}/shops.txt").read().split()
path, out = f"{folder}/records.csv", f"{folder}/out.csv"
noise = numpy.random.default_rng().laplace(scale=3, size=len(shops))

if name == "pandas":
    rows = library.read_csv(path, usecols=["shop", "customer"])
    rows = rows[rows["shop"].isin(shops)].sample(frac=1).groupby("customer").head(3)
    (rows["shop"].value_counts().reindex(shops, fill_value=0) + noise).to_csv(out)
elif name == "polars":
    rows = library.read_csv(path, columns=["shop", "customer"]).filter(library.col("shop").is_in(shops))
    rows = rows.sample(fraction=1, shuffle=True).group_by("customer").head(3)
    counts = library.DataFrame({"shop": shops}).join(rows["shop"].value_counts(), on="shop", how="left",
                                                     maintain_order="left").fill_null(0)
    counts.with_columns(library.col("count") + noise).write_csv(out)
else:
    rows = library.sql(f"""select shop, count(*) as count from (select shop, row_number() over
                           (partition by customer order by lot) as place from (select *, random() as lot from '{path}'))
                           where place <= 3 group by shop""").fetchall()
    counts = dict(rows)
    with open(out, "w") as file:
        for shop, x in zip(shops, noise):
            file.write(f"{shop},{counts.get(shop, 0) + x}\n")
