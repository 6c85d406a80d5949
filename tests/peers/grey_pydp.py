# SPDX-License-Identifier: MIT
"""Functions of PyDP for tests/peers/grey.py. Its noise is drawn in C++, where nothing is recorded: the search says so."""
from pydp.algorithms import laplacian
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism


def numbers(x):
    return [float(v) for v in x]


def laplace(x): return LaplaceMechanism(1.0, 1.0).add_noise(len(x))
def bounded(name): return getattr(laplacian, name)(epsilon=1.0, lower_bound=0.0, upper_bound=10.0, dtype="float")
def total(x): return bounded("BoundedSum").quick_result(numbers(x))


def _case(pipeline, how):
    return {"pipeline": pipeline, "how": how, "epsilon": 1, "delta": 0, "neighbours": "add-remove", "values": [0.0, 10.0],
            "inputs": [[0.0, 10.0, 10.0]]}


CASES = {
    "laplace": _case(laplace, "LaplaceMechanism(1, 1), of the number of rows"),
    "sum": _case(total, "BoundedSum(epsilon=1, lower_bound=0, upper_bound=10)"),
}
