# SPDX-License-Identifier: MIT
"""Audits of functions. The seeds are fixed, so that a verdict is always the same."""
import json
import os
import random
import subprocess
import sys

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
    assert verdict.report()["error"] == "1e-06"  # the default of the command


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


def test_outputs_of_arrow():
    arrow = pytest.importorskip("pyarrow")
    for value in (0.5, [0.5, 1.5], "word"):
        verdict = probity.audit(lambda x, n, v=value: arrow.array([v if x else None] * n), 0, 1, epsilon=1, outputs=500)
        assert verdict.violation


def test_a_mechanism_that_gives_too_few():
    with pytest.raises(BadInput, match="gave 1 outputs; expected 10"):
        probity.audit(lambda x, n: [x], 0, 1, epsilon=1, outputs=10)
    with pytest.raises(BadInput, match="without a newline"):
        probity.audit(lambda x, n: ["a\nb"] * n, 0, 1, epsilon=1, outputs=10)


def test_the_command_reads_files_of_arrow(tmp_path):
    """It gives what the same numbers in a NumPy file give."""
    numpy, arrow = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet
    if not os.access("probity", os.X_OK):
        pytest.skip("no command beside the wheel")
    rng = numpy.random.default_rng(6)
    for side in (0, 1):
        values = side + rng.laplace(0, 1, 2000)
        table = arrow.table({"value": values})
        numpy.save(tmp_path / f"{side}.npy", values)
        feather.write_feather(table, str(tmp_path / f"{side}.feather"))
        parquet.write_table(table, tmp_path / f"{side}.parquet")
        with arrow.OSFile(str(tmp_path / f"{side}.arrow"), "wb") as out, arrow.ipc.new_stream(out, table.schema) as stream:
            stream.write_table(table)
    answers = []
    for end in ("npy", "feather", "parquet", "arrow"):
        command = ["./probity", "audit", str(tmp_path / f"0.{end}"), str(tmp_path / f"1.{end}"), "--epsilon", "1", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHON": sys.executable})
        assert done.returncode == 1, done.stderr
        answers.append(json.loads(done.stdout)["epsilon_lower"])
    assert len(set(answers)) == 1


def test_a_small_file_that_grows_is_refused(tmp_path):
    """One long text in a dictionary, copied into every row: 400 bytes become 9 GB."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet
    if not os.access("probity", os.X_OK):
        pytest.skip("no command beside the wheel")
    rows = arrow.array([0] * 65536, arrow.int32())
    table = arrow.table({"a": arrow.DictionaryArray.from_arrays(rows, arrow.array(["x" * 140000]))})
    parquet.write_table(table, tmp_path / "bomb.parquet", compression="zstd", store_schema=False)
    parquet.write_table(arrow.table({"a": [1, 2]}), tmp_path / "small.parquet")
    assert os.path.getsize(tmp_path / "bomb.parquet") < 2000
    command = ["./probity", "audit", str(tmp_path / "bomb.parquet"), str(tmp_path / "small.parquet"), "--epsilon", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHON": sys.executable})
    assert done.returncode == 3, done.stderr
    assert "more than 1 GiB" in done.stderr and done.stdout == ""
