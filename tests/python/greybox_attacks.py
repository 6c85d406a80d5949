# SPDX-License-Identifier: MIT
"""Pipelines that try to mislead the grey-box audit: WRONG ones that must never be called consistent, and RIGHT ones that must
never be accused. Each has a pair, a claim of epsilon, and the answer: a verdict, or "no" for anything else."""
import collections
import dataclasses
import hashlib
import os
import random
import secrets

import numpy as np

L = [1, 5, 7.5, 2, 9]


def lap(b):
    return np.random.laplace(0, b)


def histogram(x):
    return np.histogram(x, bins=5, range=(0, 10))[0].astype(float)


# ---- wrong -------------------------------------------------------------------------------------

def clipped_to_the_data(x):
    """The noisy count is clipped to the largest value."""
    return min(len(x) + lap(1), max(x))


def range_of_the_data(x):
    """The sensitivity is the range that was seen."""
    return sum(x) + lap(max(x) - min(x))


def scale_of_the_data(x):
    return float(np.mean(x)) + lap(float(np.std(x)) + 1)


def no_noise_for_one_value(x):
    return float(len(x)) if 99 in x else len(x) + lap(1)


def one_noise_for_all_bars(x):
    z = np.random.laplace(0, 1, 1)
    return histogram(x) + z[0]


def seed_of_the_data(x):
    return len(x) + np.random.default_rng(len(x)).laplace(0, 1)


def seed_by_hash(x):
    return len(x) + np.random.default_rng(int(hashlib.sha256(repr(x).encode()).hexdigest(), 16)).laplace(0, 1)


def two_generators_of_one_seed(x):
    """The difference of the two answers has no noise."""
    seed = secrets.randbits(64)
    return [len(x) + np.random.default_rng(seed).laplace(0, 2), sum(x) + np.random.default_rng(seed).laplace(0, 2)]


def seeded_coin(x):
    """Randomised response by a coin that always falls alike."""
    rng = np.random.default_rng(7)
    return [bool(rng.choice([v > 5, not v > 5], p=[0.75, 0.25])) for v in x]


def seeded_comparison(x):
    random.seed(7)
    return [random.random() < (0.75 if v > 5 else 0.25) for v in x]


def seeded_bits(x):
    return len(x) + np.random.Generator(np.random.PCG64(7)).laplace(0, 1)


def keys_in_the_order_of_the_data(x):
    counts = collections.Counter(x)
    return {key: counts[key] + lap(1) for key in counts}


def stops_at_the_true_count(x):
    total, rounds = 0.0, 0
    while rounds < len(x):
        total += 1 + lap(1)
        rounds += 1
    return total


def true_threshold(x):
    y = len(x) + lap(1)
    return y if len(x) > 5 else 0.0


def low_bits(x):
    """The data stands in digits that nobody looks at."""
    return round(len(x) + lap(1)) + 1e-9 * len(x)


def seen_values(x):
    return {"n": len(x) + lap(1), "seen": {int(v) for v in x}}


def groups_of_the_data(x):
    groups = sorted({int(v) for v in x})
    return dict(zip(groups, np.array([sum(int(v) == g for v in x) for g in groups]) + np.random.laplace(0, 1, len(groups))))


def fails_on_one_side(x):
    return len(x) + lap(1) + 0 / (len(x) - 4)


def message_of_the_failure(x):
    y = len(x) + lap(1)
    if y > -50:
        raise ValueError(f"{len(x)} rows")
    return y


def noise_for_every_row(x):
    return sum(v + lap(10) for v in x)


def written_over(x):
    h = histogram(x) + np.random.laplace(0, 1, 5)
    h[4] = float(histogram(x)[4])
    return h


def written_by_another_name(x):
    h = histogram(x) + np.random.laplace(0, 1, 5)
    other = h
    h += 3 * len(x)
    return other


def noise_as_a_text(x):
    z = lap(1)
    return f"{len(x) + z} of noise {z}"


def noise_by_hash(x):
    z = lap(1)
    return [len(x) + z, hash(z)]


def an_empty_list_more(x):
    y = len(x) + lap(1)
    return [y, []] if len(x) > 4 else [y]


def type_of_a_key(x):
    return {1 if len(x) > 4 else "1": len(x) + lap(1)}


def end_of_a_long_text(x):
    return {"n": len(x) + lap(1), "log": "." * 5000 + str(len(x))}


def true_order(x):
    return [list(histogram(x) + np.random.laplace(0, 1, 5)), [int(i) for i in np.argsort(-histogram(x), kind="stable")]]


def budget_used_twice(x):
    first = histogram(x) + np.random.laplace(0, 1, 5)
    second = histogram(x) + np.random.laplace(0, 1, 5)
    return (first + second).tolist() + first.tolist()


def caught(x):
    """A failed conversion shows the true count; the probe fails although the pipeline catches its exception."""
    y = len(x) + lap(1)
    try:
        return float(len(x)) if int(y) > 10**6 else y
    except Exception:
        return y


@dataclasses.dataclass
class Answer:
    n: float
    rows: int


def member_of_an_object(x):
    return Answer(len(x) + lap(1), len(x))


WRONG = [
    (clipped_to_the_data, [-100], [-100, 1000], 1, "inconclusive"), (range_of_the_data, L, L + [99], 1, "violation"),
    (scale_of_the_data, L, L + [99], 1, "violation"), (no_noise_for_one_value, L, L + [99], 1, "violation"),
    (one_noise_for_all_bars, L, L[:4], 1, "violation"), (seed_of_the_data, L, L[:4], 1, "inconclusive"),
    (seed_by_hash, L, L[:4], 1, "inconclusive"), (two_generators_of_one_seed, L, L[:4], 1, "inconclusive"),
    (seeded_coin, [1, 8], [8, 8], 2, "inconclusive"), (seeded_comparison, [1, 8], [8, 8], 2, "inconclusive"),
    (seeded_bits, L, L[:4], 1, "inconclusive"), (keys_in_the_order_of_the_data, ["a", "b", "a"], ["b", "a"], 1, "inconclusive"),
    (stops_at_the_true_count, L, L[:4], 1, "inconclusive"), (true_threshold, L, L + [3], 1, "violation"),
    (low_bits, L, L[:4], 1, "inconclusive"), (seen_values, L, L[:4], 1, "violation"),
    (groups_of_the_data, L, L[:4], 1, "inconclusive"), (fails_on_one_side, L, L[:4], 1, "inconclusive"),
    (message_of_the_failure, L, L[:4], 1, "inconclusive"), (noise_for_every_row, L, L[:4], 1, "inconclusive"),
    (written_over, L, L[:4], 1, "inconclusive"), (written_by_another_name, L, L[:4], 1, "inconclusive"),
    (noise_as_a_text, L, L[:4], 1, "inconclusive"), (noise_by_hash, L, L[:4], 1, "inconclusive"),
    (an_empty_list_more, L, L[:4], 1, "inconclusive"), (type_of_a_key, L, L[:4], 1, "inconclusive"),
    (end_of_a_long_text, L, L[:4], 1, "violation"), (true_order, L, L[1:], 1, "violation"),
    (budget_used_twice, L, L[:4], 1, "inconclusive"), (caught, L, L + [3] * 10, 1, "inconclusive"),
    (member_of_an_object, L, L[:4], 1, "violation"),
]


# ---- right -------------------------------------------------------------------------------------

PUBLIC = {"a", "b", "c"}


def clipped_by_constants(x):
    return np.clip(histogram(x) + np.random.laplace(0, 1, 5), 0, 100)


def noisy_threshold(x):
    y = len(x) + lap(1)
    return y if y > 3 else None


def above_threshold(x):
    """The first of three counts above a noisy threshold: its noise depends on the order, its answer loses 1."""
    limit = 3 + lap(2)
    for i, value in enumerate(histogram(x)[:3]):
        if value + lap(4) > limit:
            return i
    return None


def rounded_text(x):
    return f"about {len(x) + lap(1):.0f} rows"


def sampled_by_secrets(x):
    """Rows are kept with chance 0.99, so that the loss is log(0.01 + 0.99 e) = 0.99366."""
    return len([v for v in x if secrets.randbelow(100) < 99]) + lap(1)


def sampled_by_urandom(x):
    return len([v for v in x if os.urandom(1)[0] < 254]) + lap(1)


def sampled_by_system(x):
    return len([v for v in x if random.SystemRandom().randrange(100) < 99]) + lap(1)


def sampled_by_bits(x):
    return len([v for v in x if secrets.randbits(8) % 256 < 254]) + lap(1)


def sorted_by_noise(x):
    h = histogram(x) + np.random.laplace(0, 1, 5)
    return sorted(range(5), key=lambda i: -h[i])


def stops_by_noise(x):
    for i in range(3):
        y = len(x) + lap(3)
        if y > 5:
            return [i, y]
    return None


def secret_seed(x):
    return len(x) + np.random.RandomState(secrets.randbits(32)).laplace(0, 1)


def secret_bits(x):
    return len(x) + np.random.Generator(np.random.PCG64()).laplace(0, 1)


def set_of_public_keys(x):
    return {key: x.count(key) + lap(1) for key in PUBLIC}


def fails_by_noise(x):
    y = len(x) + lap(1)
    if y > 7:
        raise ValueError(f"as many as {y}")
    return y


def draws_by_noise(x):
    n = max(0, round(len(x) + lap(1)))
    return [0 + lap(1) for _ in range(n)]


def same_sum_twice(x):
    y = len(x) + lap(1)
    return [y, 2 * y + 1]


def same_noise_same_centre(x):
    z = lap(1)
    return [len(x) + z, len(x) + z + 5]


def mean_by_parts(x):
    total = float(np.clip(np.array(x, dtype=float), 0, 10).sum()) + lap(20)
    return min(max(total / max(len(x) + lap(2), 1.0), 0.0), 10.0)


def published_coin(x):
    return [str(np.random.choice(["yes", "no"], p=[0.75, 0.25] if v > 5 else [0.25, 0.75])) for v in x]


def added_in_place(x):
    h = histogram(x)
    kept = h
    h = h + 0
    h += np.random.laplace(0, 1, 5)
    del kept
    return h


def divided_and_back(x):
    return (len(x) + lap(1)) / (len(x) + 1) * (len(x) + 1)


def object_of_noise(x):
    return Answer(len(x) + lap(1), 3)


def failure_that_all_have(x):
    try:
        return {"n": len(x) + lap(1), "k": [][0]}
    except IndexError:
        return None


def one_secret_for_one_answer(x):
    """Both generators have one seed, and both answers are the same: the loss is 1, not 2."""
    seed = secrets.randbits(64)
    return [len(x) + np.random.default_rng(seed).laplace(0, 1), len(x) + np.random.default_rng(seed).laplace(0, 1)]


RIGHT = [
    (clipped_by_constants, L, L[:4], 1, "consistent"), (noisy_threshold, L, L[:4], 1, "consistent"),
    (above_threshold, L, L[:4], 1, "no"), (rounded_text, L, L[:4], 1, "consistent"),
    (sampled_by_secrets, [], [1], "0.995", "inconclusive"), (sampled_by_urandom, [], [1], "0.995", "inconclusive"),
    (sampled_by_system, [], [1], "0.995", "inconclusive"), (sampled_by_bits, [], [1], "0.995", "inconclusive"),
    (sorted_by_noise, L, L[:4], 1, "consistent"), (stops_by_noise, L, L[:4], 1, "consistent"),
    (secret_seed, L, L[:4], 1, "consistent"), (secret_bits, L, L[:4], 1, "consistent"),
    (set_of_public_keys, ["a", "b", "a"], ["b", "a"], 1, "consistent"), (fails_by_noise, L, L[:4], 1, "consistent"),
    (draws_by_noise, L, L[:4], 1, "consistent"), (same_sum_twice, L, L[:4], 1, "consistent"),
    (same_noise_same_centre, L, L[:4], 1, "consistent"), (mean_by_parts, L, L[:4], 1, "consistent"),
    (published_coin, [1, 8], [8, 8], "1.0986123", "consistent"), (added_in_place, L, L[:4], 1, "consistent"),
    (divided_and_back, L, L[:4], 1, "consistent"), (object_of_noise, L, L[:4], 1, "consistent"),
    (failure_that_all_have, L, L[:4], 1, "consistent"), (one_secret_for_one_answer, L, L[:4], 1, "inconclusive"),
]
