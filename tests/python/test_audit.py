"""Audits of functions. The seeds are fixed, so that a verdict is always the same."""
import random

import pytest

import probity
from probity import BadInput


def flip(rng, keep):
    """Randomised response: the bit with chance `keep`, the other one otherwise."""
    return lambda bit, n: [bit if rng.random() < keep else 1 - bit for _ in range(n)]


def test_a_broken_claim_is_refuted():
    verdict = probity.audit(flip(random.Random(1), 0.9), 0, 1, epsilon=1, outputs=20000)
    assert verdict.violation and 1.9 < float(verdict.epsilon_lower) < 2.1973
    assert verdict.event and verdict.report()["verdict"] == "violation" and "violation" in str(verdict)


def test_a_claim_that_holds_is_not_refuted():
    verdict = probity.audit(flip(random.Random(2), 0.7), 0, 1, epsilon=1, outputs=20000)
    assert not verdict.violation and not verdict.inconclusive and verdict.reason == ""


def test_too_few_outputs_tell_nothing():
    verdict = probity.audit(flip(random.Random(3), 0.7), 0, 1, epsilon=1, outputs=5)
    assert verdict.inconclusive and verdict.reason


def test_floating_point_noise_gives_itself_away():
    numpy = pytest.importorskip("numpy")
    rng = numpy.random.default_rng(4)
    verdict = probity.audit(lambda x, n: x + rng.laplace(0, 1, n), 0.0, 1.0, epsilon=1, outputs=50000)
    assert verdict.violation and float(verdict.epsilon_lower) > 5


def test_outputs_of_every_kind():
    numpy = pytest.importorskip("numpy")
    rng = random.Random(5)
    kinds = [lambda x, n: numpy.full(n, x, dtype=numpy.int32), lambda x, n: numpy.full((n, 2), float(x)),
             lambda x, n: [(x, None, "word")] * n, lambda x, n: [None if x else "0"] * n,
             lambda x, n: [rng.random() + x for _ in range(n)], lambda x, n: numpy.full(n, x, dtype=numpy.uint64)]
    for kind in kinds:
        assert probity.audit(kind, 0, 1, epsilon=1, outputs=2000, batch=300).violation


def test_a_mechanism_that_gives_too_few():
    with pytest.raises(BadInput, match="gave 1 outputs; expected 10"):
        probity.audit(lambda x, n: [x], 0, 1, epsilon=1, outputs=10)
    with pytest.raises(BadInput, match="without a newline"):
        probity.audit(lambda x, n: ["a\nb"] * n, 0, 1, epsilon=1, outputs=10)
