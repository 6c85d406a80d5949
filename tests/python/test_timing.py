# SPDX-License-Identifier: MIT
"""Audits of running times. The clock is replaced, so that a busy machine changes nothing."""
import random

import pytest
import probity
from probity import timing


class Clock:
    """A clock that only a mechanism moves."""

    def __init__(self):
        self.now, self.noise = 0, random.Random(5)

    def __call__(self):
        return self.now

    def mechanism(self, gap):
        def run(dataset):
            self.now += 1000 + self.noise.randrange(100) + gap * (dataset == "alice")
        return run


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(timing, "perf_counter_ns", clock)
    coins = random.Random(6)
    monkeypatch.setattr(timing.secrets, "randbits", lambda bits: coins.getrandbits(bits))
    return clock


def test_a_time_that_tells_is_a_violation(clock):
    answer = timing.audit(clock.mechanism(200), "alice", "nobody", epsilon=1, runs=1000)
    assert answer.violation and not answer.inconclusive
    assert float(answer.epsilon_lower) > 1
    assert answer.report()["event"]["judging"] == 968
    assert str(answer).startswith("verdict     violation")
    assert len(answer.times) == 1000 and {side for side, _ in answer.times} == {"left", "right"}
    assert all((time >= 1200) == (side == "left") for side, time in answer.times)


def test_a_time_that_does_not_is_none(clock):
    answer = timing.audit(clock.mechanism(0), "alice", "nobody", epsilon=0, runs=1000)
    assert not answer.violation and not answer.inconclusive and answer.epsilon_lower is None
    assert timing.audit(clock.mechanism(0), "alice", "nobody", epsilon=0, runs=50).inconclusive


def test_refusals(clock):
    with pytest.raises(probity.BadInput, match="runs"):
        timing.audit(clock.mechanism(0), 0, 1, epsilon=1, runs=0)
    with pytest.raises(probity.BadInput, match="epsilon '-1': expected a rational from 0"):
        timing.audit(clock.mechanism(0), 0, 1, epsilon=-1, runs=10)
    with pytest.raises(ZeroDivisionError):
        timing.audit(lambda dataset: 1 / 0, 0, 1, epsilon=1, runs=10)
