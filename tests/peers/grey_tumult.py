# SPDX-License-Identifier: MIT
"""Functions of Tumult Core for tests/peers/grey.py. Its sampler of Laplace noise is declared as a primitive; its
aggregations run in the processes of Spark, where nothing is recorded."""
import numpy as np
import pandas as pd
from tmlt.core.domains.numpy_domains import NumpyFloatDomain
from tmlt.core.measurements import noise_mechanisms
from tmlt.core.measurements.noise_mechanisms import AddGeometricNoise, AddLaplaceNoise
from tmlt.core.measurements.pandas_measurements.series import AddNoiseToSeries

from probity import greybox

noise_mechanisms.laplace = greybox.primitive(law="laplace", centre="u", scale="b")(noise_mechanisms.laplace)


def total(x): return AddLaplaceNoise(NumpyFloatDomain(), scale=10)(np.float64(np.clip(x, 0, 10).sum()))
def each(x): return AddNoiseToSeries(AddLaplaceNoise(NumpyFloatDomain(), scale=10))(pd.Series(np.array(x, dtype=np.float64)))
def count(x): return AddGeometricNoise(alpha=1)(np.int64(len(x)))


def _case(pipeline, how, neighbours="add-remove"):
    return {"pipeline": pipeline, "how": how, "epsilon": 1, "delta": 0, "neighbours": neighbours, "values": [0.0, 10.0],
            "inputs": [[0.0, 10.0, 10.0]]}


CASES = {
    "sum": _case(total, "AddLaplaceNoise(scale=10), of a clipped sum"),
    "series": _case(each, "AddNoiseToSeries(AddLaplaceNoise(scale=10)), of values from 0 to 10", "substitute"),
    "count": _case(count, "AddGeometricNoise(alpha=1), of the number of rows"),
}
