# SPDX-License-Identifier: MIT
"""The grey-box audit on the pipelines of greybox_pipelines.py: the numbers are those of the C judge."""
import json
import math
import os
import sys

import pytest

np = pytest.importorskip("numpy")
sys.path.insert(0, os.path.dirname(__file__))
import greybox_attacks as attacks
import greybox_pipelines as p
from probity import BadInput, greybox

L = [1, 5, 7.5, 2, 9]
DROPPED = L[:-1]
NAN = math.nan


def judged(pipeline, left=L, right=DROPPED, epsilon=1, **more):
    return greybox.audit(pipeline, left, right, epsilon=epsilon, **{"runs": 40, **more})


# name, left, right, epsilon, finding, end, its value
WRONG = [
    (p.w1, L, L + [99], 1, "loss", "delta", 0.988321433), (p.w1, L, L + [99], 1, "loss", "epsilon", 9.9),
    (p.w2, L, DROPPED, 1, "law", "delta", 0.005924124), (p.w2, [0], [0, 0], 1, "law", "delta", 1 / (4 * math.e)),
    (p.w3, L, DROPPED, 1, "law", "delta", 0.0906703944), (p.w3, [0], [0, 1], 1, "law", "delta", 1),
    (p.w4, [0.1] * 20, [0.1] * 20 + [99], 2, "branch", "epsilon", 18),
    (p.w6, L, L + [0.25], 1, "reuse", "delta", 1), (p.w7, L, L + [9], 1, "output", "delta", 0.0017818955),
    (p.w8, L, DROPPED, 1, "loss", "epsilon", 2), (p.w9, L, DROPPED, 1, "seed", "delta", 1),
    (p.w10, [], [NAN], 1, "value", "delta", 1), (p.w14, L, DROPPED, 1, "loss", "epsilon", 128),
    (p.o_noise_cancels, L, DROPPED, 1, "reuse", "delta", 1), (p.o_offset, L, DROPPED, 1, "output", "epsilon", 2),
    (p.o_rare_truth, L, DROPPED, 1, "output", "delta", 0.01), (p.o_budget_by_data, L, L + [3], 1, "law", "delta", None), (p.o_true_count_beside, L, DROPPED, 1, "output", "delta", 1),
]


@pytest.mark.parametrize("pipeline,left,right,epsilon,finding,end,value", WRONG)
def test_what_is_wrong_is_refuted_by_a_probe(pipeline, left, right, epsilon, finding, end, value):
    answer = judged(pipeline, left, right, epsilon)
    assert answer.verdict == "violation" and answer.evidence == "exact", str(answer)
    assert finding in answer.findings
    if value is not None:
        assert answer.end(end)[0] == pytest.approx(value, rel=2e-8)


RIGHT = [
    (p.w10, L, L + [99], 1, 0, (1, 1), ""), (p.w4, L, L + [99], 2, 0, (2, 2), "branch"), (p.r2, L, DROPPED, 1, 0, (1, 1), ""),
    (p.r3, L, L + [1], 2, "1e-5", (0.926341503, 1.35646737), ""), (p.r4, L, L + [10], 1, 0, (0.5, 1), ""),
    (p.r5, L, L + [1.5], 1, 0, (0.422335, 0.422335), ""), (p.r12, [.1, .8], [1, .1, .8], 1, 0, (1, 1), "rounding"),
    (p.r14, [0, 0], [1, 0], "1/2", 0, (0.5, 0.5), "output"), (p.r16, L, DROPPED, 0, 0, (0, 0), ""),
    (p.w2, L, [1, 5, 7.5, 2, 0], 1, 0, (0.9, 0.9), ""), (p.r20, L, DROPPED, 1, 0, (1, 1), "seed"), (p.r22, L, DROPPED, 0, 0, (0, 0), ""),
    (p.o_located, L, DROPPED, 1, "1e-2", None, ""), (p.o_unit, L, DROPPED, 1, "1e-2", None, ""),
    (p.o_shared_scale, L, L + [1], 1, 0, (1, 1), ""), (p.o_randomised, L, DROPPED, 0, 0, (0, 0), ""),
    (p.o_clamped, L, DROPPED, 1, 0, None, ""), (p.o_rare_constant, L, DROPPED, 1, 0, None, ""),
]


@pytest.mark.parametrize("pipeline,left,right,epsilon,delta,ends,finding", RIGHT)
def test_what_is_private_is_consistent(pipeline, left, right, epsilon, delta, ends, finding):
    answer = judged(pipeline, left, right, epsilon, delta=delta)
    assert answer.verdict == "consistent", str(answer)
    assert not finding or finding in answer.findings
    if ends is not None:
        assert answer.end("epsilon")[0] == pytest.approx(ends[0], rel=1e-5, abs=1e-9)
        assert answer.end("epsilon", "upper")[1] == pytest.approx(ends[1], rel=1e-5, abs=1e-9)


UNDECIDED = [
    (p.w5, L, DROPPED, 1, "unaligned"), (p.w11, L, L + [3], 1, "unaligned"), (p.w13, L, DROPPED, 1, "open"),
    (p.r10, [1, 8], [8, 8], "1.0986123", "unaligned"), (p.r11, L, L + [9.5], 1, "unpublished"),
    (p.r15, L, L + [3], 1, None), (p.r17, [], [1], "0.995", None), (p.r18, L, DROPPED, 1, "unaligned"),
    (p.r19, L, DROPPED, 1, None), (p.w15, L, L + [99], "0.9", "assumed"),
]


@pytest.mark.parametrize("pipeline,left,right,epsilon,reason", UNDECIDED)
def test_what_is_not_certain_accuses_nobody(pipeline, left, right, epsilon, reason):
    """w11 rounds one way or the other, which every second run shows: 40 runs without one have a chance of 1e-12."""
    answer = judged(pipeline, left, right, epsilon, runs=40 if pipeline is p.w11 else 16)
    assert answer.verdict == "inconclusive", str(answer)
    assert reason is None or answer.reason == reason, str(answer)


@pytest.mark.parametrize("pipeline,left,right,epsilon,verdict", attacks.WRONG + attacks.RIGHT)
def test_nothing_misleads(pipeline, left, right, epsilon, verdict):
    """No wrong pipeline is called consistent, and no private one is accused ("no": it is not accused)."""
    answer = judged(pipeline, left, right, epsilon, runs=8)
    assert answer.verdict == verdict if verdict != "no" else not answer.violation, str(answer)


def test_a_failure_on_one_side_is_counted():
    answer = judged(attacks.fails_on_one_side, confirm=60, error="1/10")
    assert answer.verdict == "violation" and answer.evidence == "statistical", str(answer)


def test_a_count_decides_where_no_probe_can():
    answer = judged(p.w15, L, L + [99], "0.9", confirm=30, error="1/10")
    assert answer.report["counted"] == 30 and "statistical" == answer.evidence, str(answer)


def test_the_black_box_confirms_what_is_unaligned():
    answer = judged(p.w5, confirm=60, error="1/10")
    assert answer.verdict == "violation" and answer.evidence == "black-box", str(answer)
    assert float(answer.confirmed.delta_lower) > 0.5


def test_a_function_of_no_module_decides_nothing():
    answer = greybox.audit(lambda x: sum(x) + p.np.random.laplace(0, 10), L, L + [99], epsilon=1, runs=4)
    assert answer.verdict == "inconclusive" and answer.reason == "assumed", str(answer)


def test_a_pipeline_that_always_fails_shows_nothing():
    answer = judged(p.o_error_tells, ["a"], ["a", "b"])
    assert answer.verdict == "inconclusive" and "exception" in str(answer)


def test_the_search_finds_the_branch_and_shrinks_it():
    answer = greybox.search(p.w4, inputs=[[0.1, 0.1, 0.1]], epsilon=2, values=[0, 10], pairs=12, seconds=60, runs=4)
    assert answer.violation, str(answer)
    assert 99 in answer.right or 99 in answer.left
    log = json.loads(answer.sarif())
    assert log["version"] == "2.1.0" and any(r["level"] == "error" for r in log["runs"][0]["results"])


def test_users_move_together_and_order_is_searched():
    """Two rows of a user lose 2; the first row is told by its place."""
    answer = greybox.search(p.o_count, inputs=[[("a", 1), ("a", 2), ("b", 3)]], values=[("c", 0)], user=p.user_of, epsilon=1, pairs=3, runs=2)
    assert answer.violation and answer.end("epsilon")[0] == pytest.approx(2), str(answer)
    answer = greybox.search(p.o_first, inputs=[[1, 2, 3]], values=[0], unordered=True, epsilon=1, pairs=1, runs=2)
    assert answer.violation, str(answer)


def test_runs_of_this_process_are_recorded_and_replayed(tmp_path):
    left, right = str(tmp_path / "left.trace"), str(tmp_path / "right.trace")
    for j in range(4):
        with greybox.record(left, run=j, data=L) as first:
            first.output(p.w8(L))
        with greybox.record(right, run=j, replay=first, data=DROPPED) as second:
            second.output(p.w8(DROPPED))
    assert os.stat(left).st_mode & 0o777 == 0o600
    found = greybox.judge(left, right, epsilon=2, runs=4)
    assert found["verdict"] == "consistent" and found["ends"]["epsilon"]["upper"]["hi"] == "2", found
    assert greybox.judge(left, right, epsilon=1, runs=4)["reason"] == "assumed"
    assert isinstance(np.random.laplace(0, 1), float)


def test_bad_arguments_are_refused():
    for bad in ({"epsilon": -1}, {"epsilon": 1, "seeds": "no"}, {"epsilon": 1, "runs": 0}):
        with pytest.raises(BadInput):
            greybox.audit(p.w8, L, DROPPED, **bad)
    with pytest.raises(BadInput):
        greybox.search(p.w8, epsilon=1, neighbours="local")
    with pytest.raises(BadInput):
        greybox(delta=1)


PLUGIN = """
import numpy, probity

@probity.greybox(epsilon=1, values=[0, 10], pairs=2, runs=2)
def count(x):
    return len(x) + numpy.random.laplace(0, 1)

@probity.greybox(epsilon=1, values=[0, 10], pairs=2, runs=2)
def twice(x):
    return [len(x) + numpy.random.laplace(0, 1), len(x) + numpy.random.laplace(0, 1)]
"""


def test_pytest_searches_what_is_marked(tmp_path):
    import subprocess
    (tmp_path / "test_marked.py").write_text(PLUGIN)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "test_marked.py"]
    plugin = [] if _installed() else ["-p", "probity.pytest_plugin"]
    done = subprocess.run([*command, *plugin, "--probity", "--probity-sarif", "log.sarif"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(x for x in sys.path if x)})
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "test_marked.py:10" in done.stdout and "violation" in done.stdout
    log = json.loads((tmp_path / "log.sarif").read_text())
    assert log["version"] == "2.1.0" and len(log["runs"]) == 2


def test_the_hook_searches_marked_files_alone(tmp_path):
    import subprocess
    (tmp_path / "marked.py").write_text(PLUGIN + "\n\ndef test_other():\n    assert False\n")
    (tmp_path / "plain.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "kept.py").write_text(PLUGIN.split("@probity")[0] + "@probity" + PLUGIN.split("@probity")[1])
    status = {}
    for files in (["plain.py"], ["kept.py", "plain.py"], ["marked.py"]):
        done = subprocess.run([sys.executable, "-m", "probity.pytest_plugin", *files], cwd=tmp_path, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(x for x in sys.path if x)})
        status[files[0]] = (done.returncode, done.stdout)
    assert [status[name][0] for name in ("plain.py", "kept.py", "marked.py")] == [0, 0, 1], status
    assert "1 failed, 1 passed" in status["marked.py"][1] and "violation" in status["marked.py"][1], status


def _installed():
    from importlib.metadata import entry_points
    found = entry_points()
    group = found.select(group="pytest11") if hasattr(found, "select") else found.get("pytest11", [])
    return any(e.name == "probity" for e in group)
