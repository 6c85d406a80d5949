# SPDX-License-Identifier: MIT
"""Nanoseconds of processor time a draw of another sampler, one `name<TAB>ns` a line.

usage: peers.py numpy|opendp|diffprivlib

numpy        Generator.laplace in floating point: not exact, not secure, the usual choice
opendp       discrete Laplace and discrete Gaussian, as a vector in one call
diffprivlib  IBM's discrete Gaussian and geometric mechanisms, one value a call, as their interface has it
"""
import statistics
import sys
import time
import types


def median_ns(call, count, rounds):
    times = []
    call()
    for _ in range(rounds):
        start = time.thread_time_ns()
        call()
        times.append((time.thread_time_ns() - start) / count)
    return statistics.median(times)


def numpy():
    import numpy as np
    generator, chunk = np.random.default_rng(1), 1 << 14
    yield "numpy laplace", median_ns(lambda: generator.laplace(scale=10.0, size=chunk), chunk, 1600)


def opendp():
    import opendp.prelude as dp
    dp.enable_features("contrib")
    domain, zeros = dp.vector_domain(dp.atom_domain(T=int)), [0] * 1000
    laplace = dp.m.make_laplace(domain, dp.l1_distance(T=int), scale=10.0)
    yield "opendp discrete laplace", median_ns(lambda: laplace(zeros), 1000, 9)
    gauss = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=10.0)
    yield "opendp discrete gaussian", median_ns(lambda: gauss(zeros), 1000, 9)


def diffprivlib():
    # its machine-learning half wants a scikit-learn of its own; the mechanisms do without
    sys.modules["diffprivlib.models"] = types.ModuleType("diffprivlib.models")
    from diffprivlib.mechanisms import GaussianDiscrete, Geometric
    geometric = Geometric(epsilon=0.1, sensitivity=1)
    yield "ibm geometric", median_ns(lambda: [geometric.randomise(0) for _ in range(300)], 300, 9)
    gauss = GaussianDiscrete(epsilon=0.5, delta=1e-6, sensitivity=1)
    yield "ibm discrete gaussian", median_ns(lambda: [gauss.randomise(0) for _ in range(300)], 300, 9)


for name, ns in {"numpy": numpy, "opendp": opendp, "diffprivlib": diffprivlib}[sys.argv[1]]():
    print(f"{name}\t{ns:.2f}", flush=True)
