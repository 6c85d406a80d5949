# SPDX-License-Identifier: MIT
"""Functions of OpenDP for tests/peers/grey.py. Its measurements are known by their own maps."""
import opendp.prelude as dp

dp.enable_features("contrib", "idealized-numerics", "honest-but-curious")
SPACE = (dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance())


def numbers(x):
    return [float(v) for v in x]


def total(x): return (SPACE >> dp.t.then_clamp((0.0, 10.0)) >> dp.t.then_sum() >> dp.m.then_laplace(10.0))(numbers(x))
def count(x): return (SPACE >> dp.t.then_count() >> dp.m.then_laplace(1.0))(numbers(x))
def normal(x): return (SPACE >> dp.t.then_count() >> dp.m.then_gaussian(1.0))(numbers(x))


def histogram(x):
    space = (dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance())
    return (space >> dp.t.then_count_by_categories([0, 1], null_category=False) >> dp.m.then_laplace(1.0))([int(v) for v in x])


def mean(x):
    space = (dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0), nan=False), size=3), dp.symmetric_distance())
    return (space >> dp.t.then_mean() >> dp.m.then_laplace(10.0 / 3 + 1e-6))(numbers(x))


def median(x):
    return (SPACE >> dp.t.then_quantile_score_candidates([0.0, 5.0, 10.0], alpha=0.5)
            >> dp.m.then_noisy_max(dp.max_divergence(), scale=2.0))(numbers(x))


def context(x):
    made = dp.Context.compositor(data=numbers(x), privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1.0),
                                 split_evenly_over=2, domain=SPACE[0])
    return [made.query().clamp((0.0, 10.0)).sum().laplace().release(), made.query().count().laplace().release()]


def _case(pipeline, how, neighbours="add-remove", delta=0, values=(0.0, 10.0), inputs=((0.0, 10.0, 10.0),)):
    return {"pipeline": pipeline, "how": how, "epsilon": "1.0001", "delta": delta, "neighbours": neighbours, "values": list(values),
            "inputs": [list(x) for x in inputs]}


CASES = {
    "sum": _case(total, "then_clamp((0, 10)) >> then_sum() >> then_laplace(10)"),
    "count": _case(count, "then_count() >> then_laplace(1)"),
    "count, normal": _case(normal, "then_count() >> then_gaussian(1)", delta="0.1413514"),
    "histogram": _case(histogram, "then_count_by_categories([0, 1]) >> then_laplace(1)", values=(0, 1), inputs=((0, 1, 1),)),
    "mean": _case(mean, "then_mean() of 3 rows >> then_laplace(10/3)", "substitute"),
    "median": _case(median, "then_quantile_score_candidates([0, 5, 10], 1/2) >> then_noisy_max(scale=2)"),
    "context": _case(context, "Context.compositor(loss_of(epsilon=1), split_evenly_over=2): a sum and a count"),
}
