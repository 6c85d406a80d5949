# SPDX-License-Identifier: MIT
"""Pipelines for tests/python/test_greybox.py: wrong ones (w), right ones (r), and ten of our own (o)."""
import math
import random
import secrets

import numpy as np


def lap(b):
    return np.random.laplace(0, b)


def clip(x, low=0, high=10):
    return np.clip(np.array(x, dtype=float), low, high)


def w1(x): return sum(x) + lap(10)
def w2(x): return clip(x).mean() + lap(10 / len(x))
def w3(x): return clip(x).sum() + lap(max(x))


def w4(x):
    if 99 in x:
        return [len(x) + lap(1), lap(1) + clip(x, 0, 1).sum()]
    return [len(x) + lap(1), lap(1) + len(x)]


def w5(x):
    counts = {}
    for v in np.unique(np.floor(x)):
        counts[str(v)] = float(np.sum(np.floor(x) == v)) + lap(1)
    return counts


def w6(x):
    z = random.gauss(0, 4)
    return [len(x) + z, clip(x, 0, 1).sum() + z]


def w7(x): return (clip(x).sum() + lap(10)) / len(x)
def w8(x): return [len(x) + lap(1), len(x) + lap(1)]
def w9(x): return len(x) + np.random.default_rng(7).laplace(0, 1)
def w10(x): return clip(x).sum() + lap(10)


def w11(x):
    y = len(x) + lap(1)
    return round(y) if len(x) > 5 else math.floor(y)


def w13(x):
    z = lap(1)
    return [len(x) + z, math.fabs(z)]


def w14(x): return 2 ** 40 + len(x) / 8 + lap(1 / 1024)
def w15(x): return max(w10(x), -1000)


def r2(x):
    h = np.histogram(x, bins=5, range=(0, 10))[0].astype(float)
    h += np.random.default_rng().laplace(0, 1, 5)
    return h


def r3(x):
    rng = np.random.default_rng()
    n = 4 * rng.standard_normal() + len(x)
    return [n, (clip(x, 0, 1).sum() + rng.normal(0, 4)) / n]


def r4(x):
    n = len(x) + lap(2)
    b = 10 if n > 5 else 2
    return [n, clip(x, 0, b).sum() + lap(2 * b)]


def r5(x):
    counts = np.array([sum(1 for v in x if int(v) == i) for i in range(10)])
    p = np.exp(counts / 2)
    return np.random.choice(10, p=p / p.sum())


def r10(x):
    return [v > 5 if np.random.random() >= 0.25 else not v > 5 for v in x]


def r11(x):
    return int(np.argmax(np.full(10, float(len(x))) + np.random.laplace(0, 2, 10)))


def r12(x):
    total = 0.0
    for v in x:
        total += min(max(v, 0.0), 1.0)
    return total + lap(1)


def r14(x):
    x = np.array(x, dtype=float)
    return (x ** 2).mean() + lap(1 / 2) - x.mean() ** 2


def r15(x):
    while True:
        y = 2 * len(x) - 13 + lap(1)
        if y > 0:
            return y


def r16(x):
    return np.random.choice(["a", "b"], p=[1 / 4, 3 / 4]) if len(x) % 2 else np.random.choice(["b", "a"], p=[3 / 4, 1 / 4])


def r17(x):
    return len([v for v in x if np.random.random() < 0.99]) + lap(1)


def r18(x):
    y = 0 + lap(1)
    z = lap(1)
    return [y + len(x) + z, 0 + z]


RNG = np.random.default_rng()


def r19(x): return len(x) + lap(0.01) + RNG.laplace(0, 1)
def r20(x): return len(x) + np.random.default_rng(secrets.randbits(128)).laplace(0, 1)


def r22(x):
    p = 1e-4 if len(x) % 2 else 1e-2
    np.random.choice(2, p=[p, 1 - p])
    return 1


# ---- five that are wrong in other ways, and five that are private --------------------------------

def o_true_count_beside(x):
    """The true number of rows stands in a message."""
    return {"count": len(x) + lap(1), "message": f"of {len(x)} rows"}


def o_noise_cancels(x):
    """The same noise is added and subtracted again by another name."""
    z = lap(1)
    y = len(x) + z
    return [y, 3 + 2 * z]


def o_error_tells(x):
    """A row that cannot be converted ends the run."""
    return sum(float(v) for v in x) * 0 + len(x) + lap(1)


def o_offset(x):
    """The noise is centred at the answer, but the answer is subtracted at the end."""
    return (len(x) + lap(1)) - len(x) + 2 * len(x)


def o_budget_by_data(x):
    """Large inputs get half the noise."""
    return len(x) + lap(0.5 if len(x) > 5 else 1)


def o_located(x):
    """The centre is the location of the generator."""
    return np.random.normal(len(x), 4)


def o_unit(x):
    """Post-processing by public constants."""
    return 100 * (len(x) + random.gauss(0, 4)) / 7 - 3


def o_shared_scale(x):
    noise = np.random.default_rng().laplace(0, 2, 2)
    return {"n": len(x) + noise[0], "s": clip(x, 0, 1).sum() + noise[1]}


def o_randomised(x):
    """A choice by a coin of known chance that is published."""
    return random.choice(["heads", "tails"])


def o_clamped(x):
    """Post-processing that reads the sum."""
    return min(max(len(x) + lap(1), 0.0), 1000.0)


def user_of(row):
    return row[0]


def o_count(x): return len(x) + lap(1)
def o_first(x): return len(x) + lap(1) + 3 * (x[0] if x else 0)


def o_rare_truth(x):
    """Shows the count itself one time in a hundred."""
    return float(len(x)) if random.random() < 0.01 else len(x) + np.random.laplace(0, 1)


def o_rare_constant(x):
    """Shows nothing of the data one time in a hundred."""
    return -1.0 if random.random() < 0.01 else len(x) + np.random.laplace(0, 1)
