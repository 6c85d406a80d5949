# SPDX-License-Identifier: MIT
"""The audit of running times: what the time of a call betrays of its input (docs/times.md).

    from probity import timing

    answer = timing.audit(mechanism, left, right, epsilon=0)
    answer.violation, answer.epsilon_lower
"""
from __future__ import annotations

import json
import secrets
from time import perf_counter_ns
from typing import Any, Callable

from ._call import Number, call, encoded, ffi, integer, lib, made, number, text_of

__all__ = ["Answer", "audit"]


class Answer:
    """A verdict on running times. `times` has a side and nanoseconds for each run, in the order of the runs."""

    def __init__(self, c: Any, claim: list[bytes], times: list[tuple[str, int]]):
        self._c, self._claim, self.times = c, claim, times
        self._report = json.loads(self._told(lib.PBY_REPORT_JSON))

    def _told(self, form: int) -> str:
        return text_of(lib.pby_times_judge, ffi.new("pby_times_verdict *"), self._c, *self._claim, form)

    @property
    def violation(self) -> bool:
        """True if the running time refutes the claim."""
        return self._report["verdict"] == "violation"

    @property
    def inconclusive(self) -> bool:
        """True if no times of so few runs could have refuted the claim."""
        return self._report["verdict"] == "inconclusive"

    @property
    def epsilon_lower(self) -> str | None:
        """The largest epsilon that the times refute at the claimed delta; None where they refute none."""
        return self._report["epsilon_lower"]

    def report(self) -> dict[str, Any]:
        """The answer of `probity audit --time --json`."""
        return self._report

    def __str__(self) -> str:
        return self._told(lib.PBY_REPORT_LINES).rstrip("\n")

    def __repr__(self) -> str:
        return f"<probity.timing.Answer: {self._report['verdict']}, epsilon > {self.epsilon_lower}>"


def audit(mechanism: Callable[[Any], Any], left: Any, right: Any, *, epsilon: Number, delta: Number = 0, runs: int = 2000,
          error: Number = "1e-6") -> Answer:
    """Judges the claim that the time of `mechanism(dataset)` alone is (epsilon, delta)-private, on two neighbouring
    inputs. Each of `runs` calls is on the input that a fair coin chooses. Times that keep the claim are accused with a
    chance of at most `error`, whatever their law and however the machine's speed drifts."""
    integer("runs", runs, 1, 10**7)
    claim = [encoded(name, number(name, x)) for name, x in (("epsilon", epsilon), ("delta", delta), ("error", error))]
    c = made(lib.pby_times_new, "pby_times", lib.pby_times_free)
    times = []
    for _ in range(runs):
        side = secrets.randbits(1)
        dataset = (left, right)[side]
        begin = perf_counter_ns()
        mechanism(dataset)
        time = perf_counter_ns() - begin
        call(lib.pby_times_add, c, (lib.PBY_LEFT, lib.PBY_RIGHT)[side], time)
        times.append((("left", "right")[side], time))
    return Answer(c, claim, times)
