# SPDX-License-Identifier: MIT
"""Functions of SmartNoise SQL for tests/peers/grey.py: its noise is drawn by OpenDP, known by OpenDP's maps."""
import warnings

import pandas as pd
import snsql
from snsql.sql import _mechanisms

warnings.simplefilter("ignore")
TABLE = {"": {"t": {"t": {"row_privacy": True, "rows": 10, "v": {"type": "float", "lower": 0.0, "upper": 10.0}}}}}


def laplace(x): return _mechanisms.Laplace(1.0, delta=0.0, sensitivity=1, max_contrib=1).release([len(x)])[0]


def query(text, x):
    reader = snsql.from_df(pd.DataFrame({"v": [float(v) for v in x]}), privacy=snsql.Privacy(epsilon=1.0, delta=0.0), metadata=TABLE)
    return reader.execute(text)[1:]


def count(x): return query("SELECT COUNT(*) FROM t.t", x)
def total(x): return query("SELECT SUM(v) FROM t.t", x)
def mean(x): return query("SELECT AVG(v) FROM t.t", x)


def _case(pipeline, how, epsilon="1.0001"):
    return {"pipeline": pipeline, "how": how, "epsilon": epsilon, "delta": 0, "neighbours": "add-remove", "values": [0.0, 10.0],
            "inputs": [[0.0, 10.0, 10.0]]}


CASES = {
    "laplace": _case(laplace, "Laplace(1, sensitivity=1), of the number of rows"),
    "count": _case(count, "SELECT COUNT(*), epsilon 1"),
    "sum": _case(total, "SELECT SUM(v), v from 0 to 10, epsilon 1"),
    "mean": _case(mean, "SELECT AVG(v), v from 0 to 10, epsilon 1 for each of two columns", "2.0001"),
}
