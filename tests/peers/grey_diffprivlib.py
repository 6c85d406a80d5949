# SPDX-License-Identifier: MIT
"""Functions of diffprivlib for tests/peers/grey.py. Bounds are always given. Its documentation names no neighbours,
so each function is searched under both relations."""
import warnings

import numpy as np
from diffprivlib import mechanisms, models, tools

warnings.simplefilter("ignore")
LINE = [[0.0, 10.0, 10.0], [5.0, 5.0]]
POINTS = [[(1.0, 1.0), (1.0, 1.0)], [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]]


def column(x):
    return np.array(x, dtype=float)


def table(x):
    return np.array(x, dtype=float).reshape(-1, 2)


def laplace(x): return mechanisms.Laplace(epsilon=1, sensitivity=1).randomise(float(len(x)))
def geometric(x): return mechanisms.Geometric(epsilon=1, sensitivity=1).randomise(len(x))
def gaussian(x): return mechanisms.Gaussian(epsilon=1, delta=0.01, sensitivity=1).randomise(float(len(x)))
def exponential(x): return mechanisms.Exponential(epsilon=1, sensitivity=1, utility=[float(len(x)), 2.0, 1.0]).randomise()
def total(x): return tools.sum(column(x), epsilon=1, bounds=(0, 10))
def mean(x): return tools.mean(column(x), epsilon=1, bounds=(0, 10))
def var(x): return tools.var(column(x), epsilon=1, bounds=(0, 10))
def std(x): return tools.std(column(x), epsilon=1, bounds=(0, 10))
def count(x): return tools.count_nonzero(column(x) > 5, epsilon=1)
def histogram(x): return tools.histogram(column(x), epsilon=1, bins=2, range=(0, 10))[0]
def median(x): return tools.median(column(x), epsilon=1, bounds=(0, 10))
def quantiles(x): return tools.quantile(column(x), [0.25, 0.75], epsilon=1, bounds=(0, 10))


def regression(x):
    rows = table(x)
    return models.LinearRegression(epsilon=1, bounds_X=(0, 1), bounds_y=(0, 1), fit_intercept=False).fit(rows[:, :1], rows[:, 1]).coef_


def logistic(x):
    rows = table(x)
    return models.LogisticRegression(epsilon=1, data_norm=1).fit(rows[:, :1], rows[:, 1] > 0).coef_


def components(x):
    model = models.PCA(1, epsilon=1, data_norm=1.5, centered=True).fit(table(x))
    return [model.components_, model.explained_variance_]


def clusters(x): return models.KMeans(1, epsilon=1, bounds=(0, 10)).fit(column(x).reshape(-1, 1)).cluster_centers_


def bayes(x):
    rows = table(x)
    model = models.GaussianNB(epsilon=1, bounds=(0, 1)).fit(rows[:, :1], rows[:, 1] > 0)
    return [model.class_count_, model.theta_]


def scaler(x):
    model = models.StandardScaler(epsilon=1, bounds=(0, 10)).fit(column(x).reshape(-1, 1))
    return [model.mean_, model.var_]


def _line(pipeline, how, relations=("add-remove", "substitute"), delta=0):
    return {f"{pipeline.__name__}, {relation}": {"pipeline": pipeline, "how": how, "epsilon": 1, "delta": delta, "neighbours": relation,
                                                 "values": [0.0, 10.0], "inputs": LINE} for relation in relations}


def _nan(pipeline, how):
    """A row of NaN in the place of another; these functions do not say that they refuse one."""
    made = _line(pipeline, how, ("substitute",))
    return {f"{name}, NaN": {**case, "values": [float("nan")]} for name, case in made.items()}


def _points(pipeline, how):
    made = _line(pipeline, how, ("substitute",))
    return {name: {**case, "values": [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)], "inputs": POINTS} for name, case in made.items()}


CASES = {
    **_line(laplace, "mechanisms.Laplace(epsilon=1, sensitivity=1), of the number of rows", ("add-remove",)),
    **_line(geometric, "mechanisms.Geometric(epsilon=1, sensitivity=1), of the number of rows", ("add-remove",)),
    **_line(gaussian, "mechanisms.Gaussian(epsilon=1, delta=0.01, sensitivity=1), of the number of rows", ("add-remove",), "0.01"),
    **_line(exponential, "mechanisms.Exponential(epsilon=1, sensitivity=1), of the number of rows and two constants", ("add-remove",)),
    **_line(total, "tools.sum(epsilon=1, bounds=(0, 10))"),
    **_line(mean, "tools.mean(epsilon=1, bounds=(0, 10))"),
    **_line(var, "tools.var(epsilon=1, bounds=(0, 10))"),
    **_line(std, "tools.std(epsilon=1, bounds=(0, 10))"),
    **_line(count, "tools.count_nonzero(x > 5, epsilon=1)"),
    **_line(histogram, "tools.histogram(epsilon=1, bins=2, range=(0, 10))"),
    **_line(median, "tools.median(epsilon=1, bounds=(0, 10))"),
    **_line(quantiles, "tools.quantile([0.25, 0.75], epsilon=1, bounds=(0, 10))"),
    **_nan(total, "tools.sum(epsilon=1, bounds=(0, 10)), NaN for a value"),
    **_points(regression, "models.LinearRegression(epsilon=1, bounds_X=(0, 1), bounds_y=(0, 1), fit_intercept=False).coef_"),
    **_points(logistic, "models.LogisticRegression(epsilon=1, data_norm=1).coef_"),
    **_points(components, "models.PCA(1, epsilon=1, data_norm=1.5, centered=True)"),
    **_points(bayes, "models.GaussianNB(epsilon=1, bounds=(0, 1)), counts and means"),
    **_line(clusters, "models.KMeans(1, epsilon=1, bounds=(0, 10)).cluster_centers_", ("substitute",)),
    **_line(scaler, "models.StandardScaler(epsilon=1, bounds=(0, 10)), mean and variance", ("substitute",)),
}
