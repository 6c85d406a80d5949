# SPDX-License-Identifier: MIT
"""The code of docs/python.md, run in its order."""
import re
import runpy
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_page_runs(tmp_path, monkeypatch):
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    names = {"pandas": pandas, "frame": pandas.DataFrame({"shop": ["a", "b"], "visits": [40, 2]}), "rng": numpy.random.default_rng(1)}
    blocks = [block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
              if "probity.spark" not in block]
    assert len(blocks) >= 5
    for block in blocks:
        exec(compile(block.replace("10**6", "10**5"), str(PAGE), "exec"), names)
    assert names["verdict"].violation and float(names["verdict"].epsilon_lower) > 6
    assert list(names["noisy"].columns) == ["shop", "count"] and len(names["ledger"].entries) == 3


def test_the_example_of_records_runs(capsys, monkeypatch):
    for name in ("polars", "numpy"):
        pytest.importorskip(name)
    script = PAGE.parent / "examples" / "python" / "records.py"
    monkeypatch.setattr(sys, "argv", [str(script), "1e4"])
    runpy.run_path(str(script), run_name="__main__")
    printed = capsys.readouterr().out
    assert "refused  ledger: " in printed and "worth    all 200 counts" in printed
