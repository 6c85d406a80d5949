# SPDX-License-Identifier: MIT
"""loss, profile, select, accuracy, families: the numbers of the C library, as objects that compare soundly."""
import math
from decimal import Decimal
from fractions import Fraction

import pytest

import probity
from probity import BadInput, Enclosure, Undecided


def geometric_delta(eps, epsilon):
    """delta of the geometric mechanism in floating point, from its own two laws."""
    q = math.exp(-eps)
    mass = lambda k: (1 - q) / (1 + q) * q ** abs(k)
    return sum(max(0.0, mass(k) - math.exp(epsilon) * mass(k - 1)) for k in range(-200, 201))


@pytest.mark.parametrize("eps, epsilon", [(1, 0), (1, Fraction(1, 2)), (Fraction(1, 3), Fraction(1, 4))])
def test_delta_is_that_of_the_law(eps, epsilon):
    delta = probity.loss(f"geometric:eps={eps}", epsilon=epsilon)
    assert float(delta.lo) == pytest.approx(geometric_delta(float(eps), float(epsilon)), rel=1e-8)
    assert delta.lo <= delta.hi and delta.width <= delta.hi * Decimal("1e-8")


def test_the_four_questions():
    spec = "geometric:eps=1"
    assert probity.loss(spec, delta=0) == 1
    assert probity.loss(spec, order="inf") == 1
    assert probity.loss(spec, order=2) < 1
    assert probity.loss(spec, xi=0) < "1/2"
    assert probity.loss(spec, epsilon=2, group=2) == 0


@pytest.mark.parametrize("asked", [{}, {"epsilon": 1, "delta": 0}])
def test_one_question_is_asked(asked):
    with pytest.raises(BadInput, match="expected one of epsilon, delta, order, xi and mu"):
        probity.loss("geometric:eps=1", **asked)


@pytest.mark.parametrize("x", ["1/10", 0.1, Decimal("0.1"), Fraction(1, 10), "0.1", "1e-1"])
def test_a_tenth_is_a_tenth(x):
    assert probity.loss("geometric:eps=1/10", epsilon=x) == 0


@pytest.mark.parametrize("x", [float("nan"), float("inf"), Decimal("NaN"), True, None, "one", [1]])
def test_what_is_no_number_is_refused(x):
    with pytest.raises(BadInput):
        probity.loss("geometric:eps=1", epsilon=x)


def test_an_enclosure_compares_soundly():
    x = Enclosure("0.25", "0.5")
    assert x < 1 and x <= "1/2" and x > 0 and x >= Fraction(1, 4) and not x < "1/4" and not x > 0.5
    assert 1 > x and Decimal("0.3") in x and "0.6" not in x
    for undecided in (lambda: x < "1/2", lambda: x >= "1/3", lambda: x == "1/3", lambda: x != 0.4,
                      lambda: x <= Enclosure("0.4", "1")):
        with pytest.raises(Undecided):
            undecided()
    assert x != 1 and Enclosure("2", "2") == 2 and Enclosure("1", "inf") > 0 and Enclosure("1", "inf") <= math.inf
    assert str(Enclosure("1e-5", "2e-5")) == "[1e-5, 2e-5]" and "1e-5" in Enclosure("1e-5", "2e-5")._repr_html_()
    with pytest.raises(ValueError):
        Enclosure("2", "1")
    with pytest.raises(TypeError):
        x < object()


def test_a_profile_falls():
    profile = probity.profile("stlap:eps=1/2,q=40", 0, 1, 5)
    assert profile.epsilon == ["0", "0.25", "0.5", "0.75", "1"]
    assert all(a >= b for a, b in zip(profile.delta, profile.delta[1:]))


def test_a_profile_is_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = probity.profile("geometric:eps=1", 0, 1, 3).plot()
    assert axes.get_xlabel() == "epsilon" and len(axes.lines) == 1 and axes.get_yscale() == "log"


def test_select_gives_the_least_that_suffices():
    choice = probity.select("stlap", epsilon="1/2", delta="1e-6")
    assert str(choice.spec) == "stlap:eps=1/2,q=51" and choice.parameter == "q" and choice.value == "51"
    assert choice.loss <= "1e-6" and probity.loss(choice.better, epsilon="1/2") > "1e-6"
    with pytest.raises(BadInput):
        probity.select("stlap", epsilon=1, delta=2)


def test_accuracy_and_families():
    answer = probity.accuracy("geometric:eps=1", support=3, beta=2)
    assert answer["release"]["gamma"] == "0.202872193"
    assert "geometric" in {family["name"] for family in probity.families()}


def test_a_spec_is_canonical():
    spec = probity.Spec("geometric:eps=0.5")
    assert str(spec) == "geometric:eps=1/2" and spec == probity.Spec("geometric:eps=1/2") and spec.uses == 1
    assert spec.neighbours == "add-remove" and probity.Spec("rr:eps=1").neighbours == "local"
    assert "geometric" in spec.explain()
    with pytest.raises(BadInput, match="geometri"):
        probity.Spec("geometri:eps=1")
