"""The code of docs/python.md, run in its order."""
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_page_runs(tmp_path, monkeypatch):
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    names = {"frame": pandas.DataFrame({"shop": ["a", "b"], "visits": [40, 2]}), "rng": numpy.random.default_rng(1)}
    blocks = [block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
              if "probity.spark" not in block]
    assert len(blocks) >= 5
    for block in blocks:
        exec(compile(block.replace("10**6", "10**5"), str(PAGE), "exec"), names)
    assert names["verdict"].violation and float(names["verdict"].epsilon_lower) > 8
    assert list(names["noisy"].columns) == ["shop", "count"] and len(names["ledger"].entries) == 3
