# SPDX-License-Identifier: MIT
"""Pipelines of other libraries for tests/python/test_greybox_peers.py: w12, r8, r9 and r21, and mechanisms of a team's own."""
import sys
import types

import numpy as np

from probity import greybox

# diffprivlib 0.6.6 does not load its models beside a scikit-learn of today; they are not needed here.
sys.modules.setdefault("diffprivlib.models", types.ModuleType("diffprivlib.models"))


def clipped(x, high):
    return float(np.clip(np.array(x, dtype=float), 0, high).sum())


def w12(x):
    from diffprivlib.mechanisms import Laplace
    return Laplace(epsilon=1, sensitivity=1).randomise(clipped(x, 5))


def r8(x):
    from diffprivlib import tools
    return tools.sum(np.array(x, dtype=float), epsilon=1, bounds=(0, 10))


def geometric(x):
    from diffprivlib.mechanisms import Geometric
    return Geometric(epsilon=1, sensitivity=1).randomise(len(x)) * 2


def gaussian(x):
    from diffprivlib.mechanisms import GaussianAnalytic
    return GaussianAnalytic(epsilon=1, delta=0.01, sensitivity=1).randomise(float(len(x)))


def exponential(x):
    from diffprivlib.mechanisms import Exponential
    return Exponential(epsilon=1, sensitivity=1, utility=[float(len(x)), 2.0, 1.0]).randomise()


def exponential_beyond(x):
    """The utility moves by more than it declares."""
    from diffprivlib.mechanisms import Exponential
    return Exponential(epsilon=1, sensitivity=1, utility=[float(sum(x)), 2.0, 1.0]).randomise()


def measured_by_data(x):
    """The measure of the candidates is made of the data: the guarantee is for one measure."""
    from diffprivlib.mechanisms import Exponential
    return Exponential(epsilon=1, sensitivity=1, utility=[0.0, 1.0], measure=[1.0, float(len(x))]).randomise()


def scaled_by_data(x):
    """The sensitivity, and with it the scale, is made of the data."""
    from diffprivlib.mechanisms import LaplaceBoundedDomain
    return LaplaceBoundedDomain(epsilon=1, sensitivity=10 / len(x), lower=0, upper=10).randomise(5.0)


def without_noise(x):
    from diffprivlib.mechanisms import Laplace
    return Laplace(epsilon=1, sensitivity=0).randomise(float(len(x)))


def seeded(x):
    """A seed as an argument of the mechanism."""
    from diffprivlib.mechanisms import Laplace
    return Laplace(epsilon=1, sensitivity=1, random_state=7).randomise(float(len(x)))


def opendp():
    import opendp.prelude as dp
    dp.enable_features("contrib", "idealized-numerics", "honest-but-curious")
    return dp


def r9(x):
    dp = opendp()
    m = dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=10.)
    return m(clipped(x, 10))


def chained(x):
    """The measurement gets the rows: their distance is 1."""
    dp = opendp()
    space = (dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance())
    return (space >> dp.t.then_clamp((0., 10.)) >> dp.t.then_sum() >> dp.m.then_laplace(10.))([float(v) for v in x])


def of_length(x):
    """Two measurements of one map at distance 0: the scale tells the number of rows."""
    dp = opendp()
    return dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1.0 + len(x))(1.0)


def clamped_by_data(x):
    """Measurements of one map whose clamp is made of the data."""
    dp = opendp()
    space = (dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance())
    low = float(len(x))
    return (space >> dp.t.then_clamp((low, low + 10)) >> dp.t.then_sum() >> dp.m.then_laplace(20.))([float(v) for v in x])


def context(x):
    """Two queries of a context, each for half of its epsilon."""
    dp = opendp()
    made = dp.Context.compositor(data=[float(v) for v in x], privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1.),
                                 split_evenly_over=2, domain=dp.vector_domain(dp.atom_domain(T=float, nan=False)))
    return [made.query().clamp((0., 10.)).sum().laplace().release(), made.query().count().laplace().release()]


def context_of_length(x):
    """The clamp of a query of a context is made of the data."""
    dp = opendp()
    made = dp.Context.compositor(data=[float(v) for v in x], privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1.),
                                 split_evenly_over=1, domain=dp.vector_domain(dp.atom_domain(T=float, nan=False)))
    return made.query().clamp((0., float(len(x)))).sum().laplace(scale=10.).release()


def concentrated(x):
    dp = opendp()
    m = dp.m.make_gaussian(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=4.)
    return m(float(len(x)))


def r21(x):
    from scipy import stats
    return 2 * (len(x) + stats.dlaplace.rvs(1.0))


def frozen(x):
    from scipy import stats
    return [stats.laplace.rvs(scale=2) + len(x), stats.laplace(0, 2).rvs() + len(x)]


def located(x):
    from scipy import stats
    return stats.norm(loc=len(x), scale=4).rvs()


def other_law(x):
    from scipy import stats
    return len(x) + stats.cauchy.rvs()


@greybox.primitive(law="laplace", centre="value", scale="b", sensitivity="d")
def noisy(value, b, d=1):
    return value + np.random.laplace(0, b)


@greybox.primitive(law="gauss", centre=lambda rows, sigma: np.array([float(len(rows)), 1.0]), scale="sigma", sensitivity=1)
def vector(rows, sigma):
    return np.array([float(len(rows)), 1.0]) + np.random.normal(0, sigma, 2)


@greybox.guarantee("pure:eps={epsilon}")
def pick(rows, epsilon):
    return "a" if np.random.random() < 0.5 else "b"


def own(x): return noisy(len(x), 1)
def own_beyond(x): return noisy(float(sum(x)), 1)
def own_vector(x): return vector(x, 4) / 2
def own_guarantee(x): return [pick(x, 0.5), noisy(len(x), 2)]
