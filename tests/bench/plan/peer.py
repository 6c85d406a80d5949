# SPDX-License-Identifier: MIT
"""peer.py LIBRARY FOLDER: rows, sum and mean by shop, of each customer at most two rows in each of two shops, drawn at
random, amounts clipped to 0 and 60. There is no privacy in it: it is what bounding and adding up alone cost."""
import importlib
import sys

name, folder = sys.argv[1:]
library = importlib.import_module(name)
shops = open(f"{folder}/shops.txt").read().split()
path, out = f"{folder}/records.csv", f"{folder}/out.csv"

if name == "pandas":
    rows = library.read_csv(path)
    rows = rows[rows["shop"].isin(shops)].sample(frac=1)
    rows = rows.groupby(["customer", "shop"]).head(2)
    kept = rows[["customer", "shop"]].drop_duplicates().groupby("customer").head(2)
    rows = rows.merge(kept, on=["customer", "shop"])
    table = rows["amount"].clip(0, 60).groupby(rows["shop"]).agg(["count", "sum", "mean"])
    table.reindex(shops).to_csv(out)
elif name == "polars":
    rows = library.read_csv(path).filter(library.col("shop").is_in(shops)).sample(fraction=1, shuffle=True)
    rows = rows.group_by("customer", "shop").head(2)
    kept = rows.select("customer", "shop").unique().sample(fraction=1, shuffle=True).group_by("customer").head(2)
    rows = rows.join(kept, on=["customer", "shop"]).with_columns(library.col("amount").clip(0, 60))
    rows.group_by("shop").agg(library.len(), library.col("amount").sum().alias("sum"),
                              library.col("amount").mean().alias("mean")).write_csv(out)
else:
    library.sql(f"""copy (select shop, count(*), sum(amount), avg(amount) from
                      (select shop, least(greatest(amount, 0), 60) as amount,
                              dense_rank() over (partition by customer order by first) as place, number from
                        (select *, min(lot) over (partition by customer, shop) as first,
                                row_number() over (partition by customer, shop order by lot) as number
                         from (select *, random() as lot from '{path}')))
                      where place <= 2 and number <= 2 group by shop) to '{out}'""")
