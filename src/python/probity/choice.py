# SPDX-License-Identifier: MIT
"""The best parameters that provably suffice."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._call import Number, Texts, call, encoded, ffi, integer, json, lib, taken
from .enclosure import Enclosure
from .spec import Spec


@dataclass(frozen=True)
class Choice:
    """The chosen mechanism: all uses of it, with its loss; and the better neighbour, which has less noise and does not
    suffice. `report` is the whole answer."""
    spec: Spec
    parameter: str
    value: str
    loss: Enclosure
    better: Spec | None
    report: dict[str, Any] = field(repr=False)


def _loss(candidate: dict[str, Any]) -> Enclosure:
    ends = next(candidate[name] for name in ("rho", "mu", "delta") if name in candidate)
    return Enclosure(ends["lo"], ends["hi"])


def select(family: str, *, epsilon: Number | None = None, delta: Number | None = None, rho: Number | None = None,
           mu: Number | None = None, uses: int = 1, neighbours: str | None = None,
           resolution: Number | None = None) -> Choice:
    """The parameter of a family with the least noise whose certified loss is within (epsilon, delta), rho or mu, for
    so many uses. `family` may give the other parameters: 'gauss:sample=1/100'."""
    texts = Texts()
    relation = ffi.NULL
    if neighbours is not None:
        relation = ffi.new("pby_neighbours *")
        call(lib.pby_neighbours_parse, relation, b"neighbours", encoded("neighbours", neighbours))
    asked = ffi.new("pby_select_asked *", {
        "epsilon": texts.number("epsilon", epsilon), "delta": texts.number("delta", delta),
        "rho": texts.number("rho", rho), "mu": texts.number("mu", mu), "relation": relation, "uses": integer("uses", uses, 1, 10**9),
        "resolution": texts.number("resolution", resolution)})
    out = ffi.new("char **")
    call(lib.pby_report_choice, out, ffi.NULL, encoded("family", family), asked, lib.PBY_REPORT_JSON, long=True)
    answer = json.loads(taken(out))
    chosen, better = answer["choice"], answer.get("better")
    return Choice(Spec(chosen["spec"]), answer["parameter"], chosen["value"], _loss(chosen),
                  Spec(better["spec"]) if better else None, answer)
