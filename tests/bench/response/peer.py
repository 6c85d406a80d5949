# SPDX-License-Identifier: MIT
"""Milliseconds of processor time of ten million randomised responses by numpy, a byte each: not exact, not secure."""
import math
import statistics
import time

import numpy

USERS = 10000000
SPECS = [("rr:eps=1", math.e, 2), ("rr:odds=3", 3, 2), ("krr:eps=3/2,k=3", math.exp(1.5), 3),
         ("krr:eps=2,k=100", math.exp(2), 100)]
generator = numpy.random.default_rng(1)


def respond(x, odds, k):
    """The truth, or one of all answers: as quick as it gets without a loop."""
    if k == 2:
        return x ^ (generator.random(x.size) >= odds / (odds + 1))
    lies = generator.random(x.size) < k / (odds + k - 1)
    return numpy.where(lies, generator.integers(0, k, x.size, numpy.uint8), x)


print(f"numpy {numpy.__version__}")
for name, odds, k in SPECS:
    x, times = (numpy.arange(USERS) % k).astype(numpy.uint8), []
    for _ in range(5):
        start = time.thread_time_ns()
        respond(x, odds, k)
        times.append((time.thread_time_ns() - start) / 1e6)
    print(name, f"{statistics.median(times):.1f}")
