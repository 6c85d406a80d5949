# SPDX-License-Identifier: MIT
"""The grey-box audit on mechanisms of other libraries, each skipped where it is not installed, and on a team's own."""
import importlib.util
import math
import os
import sys

import pytest

np = pytest.importorskip("numpy")
sys.path.insert(0, os.path.dirname(__file__))
import greybox_peers as p
from probity import greybox

L = [1, 5, 7.5, 2, 9]
DROPPED = L[:-1]


def needs(name):
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"{name} is not installed")


def judged(pipeline, left=L, right=DROPPED, epsilon=1, **more):
    return greybox.audit(pipeline, left, right, epsilon=epsilon, **{"runs": 4, **more})


def row(library, *case):
    return pytest.param(*case, marks=needs(library) if library else ())


# pipeline, left, right, epsilon, delta, verdict, lower and upper end of epsilon (None: not known), finding
CASES = [
    row("diffprivlib", p.w12, L, L + [9], 1, 0, "violation", (5, 5), "sensitivity"),
    row("diffprivlib", p.w12, L, L + [9], 5, 0, "consistent", (5, 5), "sensitivity"),
    row("diffprivlib", p.geometric, L, DROPPED, 1, 0, "consistent", (1, 1), None),
    row("diffprivlib", p.geometric, L, DROPPED, "1/2", 0, "violation", (1, 1), "loss"),
    row("diffprivlib", p.gaussian, L, DROPPED, 1, "0.0101", "consistent", None, None),
    row("diffprivlib", p.exponential, L, DROPPED, 1, 0, "consistent", (0, 1), None),
    row("diffprivlib", p.exponential_beyond, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row("diffprivlib", p.measured_by_data, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row("diffprivlib", p.scaled_by_data, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row("diffprivlib", p.without_noise, L, DROPPED, 1, 0, "violation", None, "loss"),
    row("diffprivlib", p.seeded, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row("opendp", p.r9, L, L + [99], 1, 0, "consistent", (0, 1), None),
    row("opendp", p.chained, L, L + [99], "1.00001", 0, "consistent", (0, 1), None),
    row("opendp", p.of_length, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row("opendp", p.clamped_by_data, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row("opendp", p.context, L, DROPPED, 1, 0, "consistent", (0, 1), None),
    row("opendp", p.context_of_length, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row("opendp", p.concentrated, L, DROPPED, 2, "1e-5", "consistent", None, None),
    row("scipy", p.r21, L, DROPPED, 1, 0, "consistent", (1, 1), None),
    row("scipy", p.frozen, L, DROPPED, 1, 0, "consistent", (1, 1), None),
    row("scipy", p.frozen, L, DROPPED, "1/2", 0, "violation", (1, 1), "loss"),
    row("scipy", p.located, L, DROPPED, 2, "1e-4", "consistent", None, None),
    row("scipy", p.other_law, L, DROPPED, 1, 0, "inconclusive", None, "open"),
    row(None, p.own, L, DROPPED, 1, 0, "consistent", (1, 1), None),
    row(None, p.own_beyond, L, DROPPED, 9, 0, "consistent", (9, 9), "sensitivity"),
    row(None, p.own_vector, L, DROPPED, 2, "1e-4", "consistent", None, None),
    row(None, p.own_guarantee, L, DROPPED, 1, 0, "consistent", (0.5, 1), None),
    row(None, p.own_guarantee, L, DROPPED, "1/3", 0, "violation", (0.5, 1), "loss"),
]


@pytest.mark.parametrize("pipeline,left,right,epsilon,delta,verdict,ends,finding", CASES)
def test_mechanisms_are_recorded(pipeline, left, right, epsilon, delta, verdict, ends, finding):
    answer = judged(pipeline, left, right, epsilon, delta=delta)
    assert answer.verdict == verdict, str(answer)
    assert finding is None or finding in answer.findings, str(answer)
    if ends is not None:
        assert answer.end("epsilon")[0] == pytest.approx(ends[0], rel=1e-5, abs=1e-9), str(answer)
        assert answer.end("epsilon", "upper")[1] == pytest.approx(ends[1], rel=1e-5, abs=1e-9), str(answer)


@needs("diffprivlib")
def test_r8_loses_nine_tenths_or_shows_that_it_is_truncated_by_the_number_of_rows():
    """tools.sum truncates at 10 times the number of rows: noise that lies between the two bounds, with a chance of about
    3% in a run, tells the inputs apart. Its claim is for inputs of one size."""
    answer = judged(p.r8, L, L + [9], 1)
    assert not answer.violation, str(answer)
    if answer.verdict == "consistent":
        assert answer.end("epsilon", "upper")[1] == pytest.approx(0.9, rel=1e-6)
    else:
        assert answer.reason == "unaligned" and "output" in answer.findings, str(answer)
    substituted = judged(p.r8, L, [1, 5, 7.5, 2, 0], 1)
    assert substituted.verdict == "consistent" and substituted.end("epsilon", "upper")[1] == pytest.approx(0.9, rel=1e-6)
    assert "value" in judged(p.r8, [], [math.nan], 1).findings
