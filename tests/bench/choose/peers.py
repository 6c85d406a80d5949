# SPDX-License-Identifier: MIT
"""Seconds of processor time that another exponential mechanism takes for one choice among a million candidates of distinct
scores 0 .. 999999.

usage: peers.py opendp|diffprivlib

opendp       report noisy max with Gumbel noise, which is the exponential mechanism, on a vector of floats
diffprivlib  IBM's Exponential, made and asked once, as its interface has it
"""
import statistics
import sys
import time
import types

COUNT, ROUNDS = 1_000_000, 3


def median_seconds(call):
    times = []
    for _ in range(ROUNDS):
        start = time.thread_time_ns()
        call()
        times.append((time.thread_time_ns() - start) / 1e9)
    return statistics.median(times)


def scores():
    import random
    values = list(range(COUNT))
    random.Random(1).shuffle(values)
    return values


def opendp():
    import opendp.prelude as dp
    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    noisy = dp.m.make_noisy_max(domain, dp.linf_distance(T=float), dp.zero_concentrated_divergence(), scale=20000.0)
    values = [float(v) for v in scores()]
    return median_seconds(lambda: noisy(values))


def diffprivlib():
    # its machine-learning half wants a scikit-learn of its own; the mechanisms do without
    for name in ("diffprivlib.models", "diffprivlib.tools"):
        sys.modules[name] = types.ModuleType(name)
    from diffprivlib.mechanisms import Exponential
    values = scores()
    return median_seconds(
        lambda: Exponential(epsilon=0.0001, sensitivity=1.0, utility=values).randomise())


print(f"{ {'opendp': opendp, 'diffprivlib': diffprivlib}[sys.argv[1]]():.3f}")
