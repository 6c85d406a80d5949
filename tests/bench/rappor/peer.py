# SPDX-License-Identifier: MIT
"""Milliseconds of processor time of a million RAPPOR reports of 128 bits in numpy, drawn in floats of 32 bits: not exact,
not secure."""
import statistics
import sys
import time

import numpy

f, p, q = (float(x) for x in sys.argv[1:4])
USERS, BITS, VALUES = 1000000, 128, 100
generator, times = numpy.random.default_rng(1), []
table = numpy.zeros((VALUES, BITS), dtype=bool)
for value in range(VALUES):
    table[value, generator.integers(0, BITS, 2)] = True
users = numpy.arange(USERS) % VALUES


def coins(chance):
    return generator.random((USERS, BITS), dtype=numpy.float32) < chance


for _ in range(3):
    start = time.thread_time_ns()
    permanent = table[users] ^ coins(f / 2)
    reports = numpy.where(permanent, numpy.float32(p), numpy.float32(q))
    reports = generator.random((USERS, BITS), dtype=numpy.float32) < reports
    times.append((time.thread_time_ns() - start) / 1e6)
print(f"{statistics.median(times):.1f}")
print(f"numpy {numpy.__version__}")
