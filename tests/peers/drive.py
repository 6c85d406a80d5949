#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one mechanism of another library, under the Python of that library's own environment.
usage: drive.py MECHANISM INPUT N    N outputs on an input, one a line
       drive.py LIBRARY --claims     what it claims of its mechanisms, as JSON: epsilon, delta, and how it says so
INPUT is a number, or numbers with commas."""
import functools
import json
import math
import sys
import types
import warnings
from decimal import Decimal

warnings.simplefilter("ignore")


def fixed(epsilon, delta, how):
    return lambda: {"epsilon": str(epsilon), "delta": str(delta), "how": how}


# ---- OpenDP ------------------------------------------------------------------------------------
def opendp():
    import opendp.prelude as dp
    dp.enable_features("contrib", "idealized-numerics", "honest-but-curious")
    return dp


def decimal(x):
    """A float, digit by digit."""
    return f"{Decimal(x):f}"


def opendp_of(measurement, distance, how, data=lambda v: v[0]):
    claim = measurement.map(distance)
    epsilon, delta = claim if isinstance(claim, tuple) else (claim, 0)
    return lambda v: measurement(data(v)), fixed(decimal(epsilon), decimal(delta), how)


def opendp_laplace():
    dp = opendp()
    m = dp.m.make_laplace(dp.atom_domain(T="i32"), dp.absolute_distance(T="i32"), scale=1.0)
    return opendp_of(m, 1, "make_laplace(i32, scale=1).map(1)")


def opendp_laplace_float():
    dp = opendp()
    m = dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1.0)
    return opendp_of(m, 1.0, "make_laplace(f64, scale=1).map(1)", lambda v: float(v[0]))


def opendp_gaussian():
    dp = opendp()
    m = dp.m.make_gaussian(dp.atom_domain(T="i32"), dp.absolute_distance(T="i32"), scale=1.0)
    delta = dp.c.make_zCDP_to_approxDP(m).map(1).delta(1.0)
    return lambda v: m(v[0]), fixed(1, decimal(delta), "make_zCDP_to_approxDP(make_gaussian(i32, scale=1)).map(1).delta(1)")


def histogram(v):
    return {"a": v[0]} if v[0] > 0 else {}


def published(release):
    """Returns the release as CSV on one line."""
    return ",".join(f"{key},{count}" for key, count in sorted(release.items()))


def opendp_laplace_threshold():
    dp = opendp()
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i32"))
    m = dp.m.make_laplace_threshold(domain, dp.l01inf_distance(dp.absolute_distance(T="i32")), scale=1.0, threshold=5)
    run, claim = opendp_of(m, (1, 1, 1), "make_laplace_threshold(i32, scale=1, threshold=5).map((1, 1, 1))", histogram)
    return lambda v: published(run(v)), claim


def opendp_gaussian_threshold():
    dp = opendp()
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i32"))
    m = dp.m.make_gaussian_threshold(domain, dp.l02inf_distance(dp.absolute_distance(T="i32")), scale=1.0, threshold=3)
    rho, delta = m.map((1, 1, 1))
    more = math.exp(-((4 - rho) ** 2) / (4 * rho))
    how = "make_gaussian_threshold(i32, scale=1, threshold=3).map((1, 1, 1)): its delta, and that of its rho at epsilon 4"
    return lambda v: published(m(histogram(v))), fixed(4, decimal(delta + more), how)


def opendp_response():
    dp = opendp()
    m = dp.m.make_randomized_response_bool(prob=0.75)
    return opendp_of(m, 1, "make_randomized_response_bool(prob=0.75).map(1)", lambda v: v[0] % 2 == 1)


def opendp_noisy_max():
    dp = opendp()
    m = dp.m.make_noisy_max(dp.vector_domain(dp.atom_domain(T="i32")), dp.linf_distance(T="i32"), dp.max_divergence(), scale=2.0)
    return opendp_of(m, 1, "make_noisy_max(i32, max_divergence, scale=2).map(1)", lambda v: v)


def opendp_canonical():
    dp = opendp()
    m = dp.m.make_canonical_noise(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), d_in=1.0,
                                  d_out=(1.0, 0.01))
    return opendp_of(m, 1.0, "make_canonical_noise(f64, d_in=1, d_out=(1, 0.01)).map(1)", lambda v: float(v[0]))


# ---- diffprivlib -------------------------------------------------------------------------------
def diffprivlib_mechanisms():
    """Without the package's models, which would load scikit-learn at every start."""
    sys.modules["diffprivlib.models"] = types.ModuleType("diffprivlib.models")
    from diffprivlib import mechanisms
    return mechanisms


def diffprivlib(name, epsilon, delta, **arguments):
    def make():
        mechanisms = diffprivlib_mechanisms()
        named = {k: v for k, v in (("epsilon", epsilon), ("delta", delta)) if v is not None}
        m = getattr(mechanisms, name)(**named, **arguments)
        text = ", ".join(f"{k}={v}" for k, v in {**named, **arguments}.items())
        kind = int if name.startswith("Geometric") or name == "GaussianDiscrete" else float
        return lambda v: m.randomise(kind(v[0])), fixed(epsilon or 0, delta or 0, f"{name}({text})")
    return make


def diffprivlib_binary():
    mechanisms = diffprivlib_mechanisms()
    m = mechanisms.Binary(epsilon=1, value0="no", value1="yes")
    return lambda v: m.randomise("yes" if v[0] % 2 == 1 else "no"), fixed(1, 0, "Binary(epsilon=1)")


def diffprivlib_choice(name):
    """Mechanisms that choose: the input is the utility of each candidate."""
    def make():
        mechanisms = diffprivlib_mechanisms()

        @functools.lru_cache
        def of(utility):
            return getattr(mechanisms, name)(epsilon=1, sensitivity=1, utility=list(utility))
        return lambda v: int(of(tuple(v)).randomise()), fixed(1, 0, f"{name}(epsilon=1, sensitivity=1)")
    return make


# ---- PyDP --------------------------------------------------------------------------------------
def pydp_laplace(kind):
    def make():
        from pydp.algorithms.numerical_mechanisms import LaplaceMechanism
        m = LaplaceMechanism(1.0, 1.0)
        return lambda v: m.add_noise(kind(v[0])), fixed(1, 0, f"LaplaceMechanism(1, 1), {kind.__name__}")
    return make


def pydp_gaussian():
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism
    m = GaussianMechanism(1.0, 1e-5, 1.0)
    return lambda v: m.add_noise(float(v[0])), fixed(1, "1e-5", "GaussianMechanism(1, 1e-5, 1)")


def pydp_count():
    from pydp.algorithms.laplacian import Count
    m = Count(epsilon=1.0, l0_sensitivity=1, linf_sensitivity=1, dtype="int")
    return lambda v: m.quick_result([1] * v[0]), fixed(1, 0, "Count(epsilon=1, l0_sensitivity=1, linf_sensitivity=1)")


def pydp_bounded(name):
    """On so many records of 1, floats from 0 to 1."""
    def make():
        from pydp.algorithms import laplacian
        m = getattr(laplacian, name)(epsilon=1.0, lower_bound=0.0, upper_bound=1.0, l0_sensitivity=1, linf_sensitivity=1,
                                     dtype="float")
        return (lambda v: m.quick_result([1.0] * v[0]),
                fixed(1, 0, f"{name}(epsilon=1, lower_bound=0, upper_bound=1, l0_sensitivity=1, linf_sensitivity=1), float"))
    return make


def pydp_partition():
    from pydp.algorithms.partition_selection import create_partition_strategy
    m = create_partition_strategy("truncated_geometric", 1.0, 1e-2, 1)
    return lambda v: "kept" if m.should_keep(v[0]) else "", fixed(1, "1e-2", "truncated_geometric(1, 1e-2, 1)")


# ---- SmartNoise --------------------------------------------------------------------------------
def smartnoise(name, delta):
    def make():
        from snsql.sql import _mechanisms
        m = getattr(_mechanisms, name)(1.0, delta=float(delta), sensitivity=1, max_contrib=1)
        return lambda v: m.release([v[0]])[0], fixed(1, delta, f"{name}(1, delta={delta}, sensitivity=1)")
    return make


# ---- Tumult Core -------------------------------------------------------------------------------
def tumult_geometric():
    import numpy
    from tmlt.core.measurements.noise_mechanisms import AddGeometricNoise
    m = AddGeometricNoise(alpha=1)
    claim = m.privacy_function(1)
    return lambda v: m(numpy.int64(v[0])), fixed(claim, 0, "AddGeometricNoise(alpha=1).privacy_function(1)")


def tumult_laplace():
    import numpy
    from tmlt.core.domains.numpy_domains import NumpyFloatDomain
    from tmlt.core.measurements.noise_mechanisms import AddLaplaceNoise
    m = AddLaplaceNoise(NumpyFloatDomain(), scale=1)
    claim = m.privacy_function(1)
    return lambda v: m(numpy.float64(v[0])), fixed(claim, 0, "AddLaplaceNoise(scale=1).privacy_function(1)")


MECHANISMS = {
    "opendp/laplace": opendp_laplace,
    "opendp/laplace-float": opendp_laplace_float,
    "opendp/gaussian": opendp_gaussian,
    "opendp/laplace-threshold": opendp_laplace_threshold,
    "opendp/gaussian-threshold": opendp_gaussian_threshold,
    "opendp/response": opendp_response,
    "opendp/noisy-max": opendp_noisy_max,
    "opendp/canonical": opendp_canonical,
    "diffprivlib/laplace": diffprivlib("Laplace", 1, None, sensitivity=1),
    "diffprivlib/laplace-bounded-noise": diffprivlib("LaplaceBoundedNoise", 1, 0.1, sensitivity=1),
    "diffprivlib/geometric": diffprivlib("Geometric", 1, None, sensitivity=1),
    "diffprivlib/gaussian": diffprivlib("Gaussian", 1, 1e-5, sensitivity=1),
    "diffprivlib/gaussian-analytic": diffprivlib("GaussianAnalytic", 1, 0.1, sensitivity=1),
    "diffprivlib/gaussian-discrete": diffprivlib("GaussianDiscrete", 1, 0.1, sensitivity=1),
    "diffprivlib/snapping": diffprivlib("Snapping", 1, None, sensitivity=1, lower=-8, upper=8),
    "diffprivlib/staircase": diffprivlib("Staircase", 1, None, sensitivity=1),
    "diffprivlib/uniform": diffprivlib("Uniform", None, 0.1, sensitivity=1),
    "diffprivlib/binary": diffprivlib_binary,
    "diffprivlib/geometric-truncated": diffprivlib("GeometricTruncated", 1, None, sensitivity=1, lower=0, upper=8),
    "diffprivlib/exponential": diffprivlib_choice("Exponential"),
    "diffprivlib/permute-and-flip": diffprivlib_choice("PermuteAndFlip"),
    "pydp/laplace": pydp_laplace(int),
    "pydp/laplace-float": pydp_laplace(float),
    "pydp/gaussian": pydp_gaussian,
    "pydp/count": pydp_count,
    "pydp/bounded-sum": pydp_bounded("BoundedSum"),
    "pydp/bounded-mean": pydp_bounded("BoundedMean"),
    "pydp/partition": pydp_partition,
    "smartnoise/laplace": smartnoise("Laplace", "0"),
    "smartnoise/gaussian": smartnoise("Gaussian", "1e-5"),
    "tumult/geometric": tumult_geometric,
    "tumult/laplace": tumult_laplace,
}


def main():
    if sys.argv[2:] == ["--claims"]:
        print(json.dumps({name: make()[1]() for name, make in MECHANISMS.items() if name.startswith(sys.argv[1] + "/")}))
        return
    if len(sys.argv) != 4 or sys.argv[1] not in MECHANISMS:
        sys.exit(__doc__ + "\nMECHANISM is one of " + ", ".join(MECHANISMS))
    run, _ = MECHANISMS[sys.argv[1]]()
    value = [int(x) for x in sys.argv[2].split(",")]
    for _ in range(int(sys.argv[3])):
        output = run(value)
        print(output if isinstance(output, (str, int)) else repr(float(output)))


main()
