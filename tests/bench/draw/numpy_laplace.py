"""Nanoseconds a draw of NumPy's floating-point Laplace: not exact, not secure, the usual choice."""
import sys
import time

import numpy

count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000
chunk = 1 << 16
generator = numpy.random.default_rng(1)
generator.laplace(scale=10.0, size=chunk)
start = time.perf_counter()
for _ in range(count // chunk):
    generator.laplace(scale=10.0, size=chunk)
print(f"{(time.perf_counter() - start) / (count // chunk * chunk) * 1e9:.3f}")
