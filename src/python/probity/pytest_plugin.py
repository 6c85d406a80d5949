# SPDX-License-Identifier: MIT
"""`pytest --probity` searches every function that `@probity.greybox(epsilon=1)` marks for a pair that refutes its claim.

A violation fails, with the smallest pair, the line and the numbers; an inconclusive search is skipped with its reason.
`--probity-sarif FILE` writes the findings. Without --probity such functions are no tests.

`python -m probity.pytest_plugin FILE...` searches those of the given files alone: the hook for pre-commit."""
from __future__ import annotations

import json
import sys
from typing import Any

import pytest

_RUNS: list[Any] = []


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("probity")
    group.addoption("--probity", action="store_true", help="search the pipelines that @probity.greybox marks")
    group.addoption("--probity-only", action="store_true", help="--probity, and no other tests")
    group.addoption("--probity-sarif", metavar="FILE", help="a SARIF log of the findings of --probity")


class Refuted(Exception):
    """A claim that a pair of inputs refutes."""


class Pipeline(pytest.Item):
    """A marked pipeline."""

    def __init__(self, pipeline: Any, **named: Any):
        super().__init__(**named)
        self.pipeline = pipeline

    def runtest(self) -> None:
        from . import greybox
        answer = greybox.search(self.pipeline, **getattr(self.pipeline, "__probity_greybox__"))
        _RUNS.extend(json.loads(answer.sarif())["runs"])
        if answer.violation:
            raise Refuted(str(answer))
        if answer.verdict == "inconclusive":
            pytest.skip(f"inconclusive: {answer.reason}")

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Refuted) else super().repr_failure(excinfo)

    def reportinfo(self) -> Any:
        return self.path, self.pipeline.__code__.co_firstlineno - 1, self.name


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Any:
    if not callable(obj) or not hasattr(obj, "__probity_greybox__"):
        return None
    config = collector.config
    wanted = config.getoption("--probity") or config.getoption("--probity-only")
    return [Pipeline.from_parent(collector, name=name, pipeline=obj)] if wanted else []


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    if config.getoption("--probity-only"):
        items[:] = [item for item in items if isinstance(item, Pipeline)]


def pytest_sessionfinish(session: Any) -> None:
    path = session.config.getoption("--probity-sarif")
    if path:
        log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": _RUNS}
        with open(path, "w", encoding="utf-8") as out:
            json.dump(log, out, indent=1)


def _marks(path: str) -> bool:
    with open(path, encoding="utf-8", errors="replace") as source:
        return "greybox(" in source.read()


def main(paths: list[str]) -> int:
    """Searches the marked pipelines of files; those without a mark are not imported."""
    from importlib.metadata import entry_points
    found = [path for path in paths if _marks(path)]
    if not found:
        return 0
    known: Any = entry_points()
    group = known.select(group="pytest11") if hasattr(known, "select") else known.get("pytest11", [])
    plugin = [] if any(e.name == "probity" for e in group) else ["-p", "probity.pytest_plugin"]
    status = int(pytest.main([*plugin, "--probity-only", "-q", "-p", "no:cacheprovider", *found]))
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status


if __name__ == "__main__":
    # Under its own name pytest finds the class of its items once.
    from probity.pytest_plugin import main as run
    sys.exit(run(sys.argv[1:]))
