# SPDX-License-Identifier: MIT
"""`pytest --probity` searches every function that `@probity.greybox(epsilon=1)` marks for a pair that refutes its claim.

A violation fails, with the smallest pair, the line and the numbers; an inconclusive search is skipped with its reason.
`--probity-sarif FILE` writes the findings. Without --probity such functions are no tests."""
from __future__ import annotations

import json
from typing import Any

import pytest

_RUNS: list[Any] = []


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("probity")
    group.addoption("--probity", action="store_true", help="search the pipelines that @probity.greybox marks")
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
    return [Pipeline.from_parent(collector, name=name, pipeline=obj)] if collector.config.getoption("--probity") else []


def pytest_sessionfinish(session: Any) -> None:
    path = session.config.getoption("--probity-sarif")
    if path:
        log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": _RUNS}
        with open(path, "w", encoding="utf-8") as out:
            json.dump(log, out, indent=1)
