# SPDX-License-Identifier: MIT
"""Privacy loss, enclosed, and its profile."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._call import BadInput, Number, Texts, ffi, integer, lib, number, report
from .enclosure import Enclosure
from .spec import Spec, SpecLike, relation_of, spec_of


def _asked(texts: Texts, spec: Spec, question: int, value: str, neighbours: str | None, group: int, conversion: str | None,
           composition: str | None, width: Number | None, digits: int) -> Any:
    return ffi.new("pby_loss_request *", {
        "ask": question, "relation": relation_of(spec, neighbours), "at": {"text": texts.text(value)},
        "group": integer("group", group, 1, 1000000), "conversion": texts.text(conversion),
        "composition": texts.text(composition), "width": {"text": texts.number("width", width)},
        "digits": integer("digits", digits, 0, 1000)})


def loss(spec: SpecLike, *, epsilon: Number | None = None, delta: Number | None = None,
         order: Number | None = None, xi: Number | None = None, mu: bool = False, neighbours: str | None = None,
         group: int = 1, conversion: str | None = None, composition: str | None = None,
         width: Number | None = None, digits: int = 0) -> Enclosure:
    """The loss of a mechanism. One of five is given: at `epsilon` the least delta, at `delta` the least epsilon, at
    `order` the Renyi divergence ('inf' is an order), at `xi` the least rho of concentrated privacy, with `mu` the least
    mu of Gaussian differential privacy.

    `group` is for inputs that are so many neighbours apart; `conversion` and `composition` name a theorem that
    answers in the place of the exact law; `width` is how wide the enclosure of a composition may be, relative.
    """
    questions = {"epsilon": (lib.PBY_ASK_DELTA, epsilon, "delta"), "delta": (lib.PBY_ASK_EPSILON, delta, "epsilon"),
                 "order": (lib.PBY_ASK_RENYI, order, "renyi"), "xi": (lib.PBY_ASK_RHO, xi, "rho"),
                 "mu": (lib.PBY_ASK_MU, 0 if mu else None, "mu")}
    given = [name for name, (_, value, _) in questions.items() if value is not None]
    if len(given) != 1:
        raise BadInput(f"arguments {given}: expected one of epsilon, delta, order, xi and mu", "argument")
    question, value, answer = questions[given[0]]
    assert value is not None
    spec = spec_of(spec)
    texts = Texts()
    asked = _asked(texts, spec, question, number(given[0], value), neighbours, group, conversion, composition, width, digits)
    ends = report(lib.pby_report_loss, spec._c, asked, lib.PBY_REPORT_JSON)[answer]
    return Enclosure(ends["lo"], ends["hi"])


@dataclass(frozen=True)
class Profile:
    """delta at several epsilons."""
    spec: Spec
    epsilon: list[str]
    delta: list[Enclosure]

    def plot(self, axes: Any = None, **style: Any) -> Any:
        """Draws the upper ends on matplotlib's axes (None: new ones), which are returned. The axis of delta is
        logarithmic; a delta of 0 is left out."""
        if axes is None:
            from matplotlib import pyplot
            axes = pyplot.subplots()[1]
        style.setdefault("label", str(self.spec))
        deltas = [float(d.hi) for d in self.delta]
        axes.plot([float(e) for e in self.epsilon], deltas, **style)
        axes.set(xlabel="epsilon", ylabel="delta")
        if any(delta > 0 for delta in deltas):
            axes.set_yscale("log", nonpositive="mask")
        axes.legend()
        return axes


def profile(spec: SpecLike, lo: Number = 0, hi: Number = 2, points: int = 201, *, neighbours: str | None = None,
            group: int = 1, width: Number | None = None, digits: int = 0) -> Profile:
    """delta at `points` epsilons from lo to hi."""
    spec = spec_of(spec)
    texts = Texts()
    value = f"{number('lo', lo)}:{number('hi', hi)}:{integer('points', points, 2, 1000000)}"
    asked = _asked(texts, spec, lib.PBY_ASK_DELTA, value, neighbours, group, None, None, width, digits)
    answer = report(lib.pby_report_profile, ffi.new("const char **"), spec._c, asked, ffi.NULL, lib.PBY_REPORT_JSON)
    rows = answer["profile"]
    return Profile(spec, [row["epsilon"] for row in rows],
                   [Enclosure(row["delta"]["lo"], row["delta"]["hi"]) for row in rows])


def accuracy(spec: SpecLike, *, n: Number | None = None, support: Number | None = None, width: Number | None = None,
             beta: Number | None = None, gamma: Number | None = None, eta: Number | None = None,
             statistics: str | None = None, k: Number | None = None, q: Number | None = None,
             digits: int = 0) -> dict[str, Any]:
    """The accuracy of a release, as docs/theory/accuracy.md defines it: on `n` records in `support` bars, within an
    error `beta` or but for a chance `gamma`. Which of these a mechanism needs depends on its kind."""
    texts = Texts()
    numbers = {"n": n, "support": support, "width": width, "beta": beta, "gamma": gamma, "eta": eta, "k": k, "q": q}
    asked = ffi.new("pby_accuracy_asked *", {
        **{name: texts.number(name, x) for name, x in numbers.items()},
        "statistics": texts.text(statistics), "digits": integer("digits", digits, 0, 1000)})
    return report(lib.pby_report_accuracy, spec_of(spec)._c, asked, lib.PBY_REPORT_JSON)
