# SPDX-License-Identifier: MIT
"""The grey-box audit: records the draws of a pipeline, replays them on a neighbouring input, and judges the shifts.

    from probity import greybox

    answer = greybox.audit(pipeline, left, right, epsilon=1)
    answer = greybox.search(pipeline, inputs=[[], rows], epsilon=1, values=greybox.numbers(0, 10))

docs/greybox.md says what is certain. A pipeline is a function of one argument that a module has: every deciding run
imports it anew, in a process of its own. The judge is the C library; this module records, replays and searches."""
from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import itertools
import json
import os
import pickle
import sys
import tempfile
import time
import types
from typing import Any, Callable, Iterable, Iterator

from . import _record
from ._mechanisms import guarantee, primitive  # noqa: F401 (for `greybox.primitive`)
from ._call import BadInput, Number, Texts, call, encoded, ffi, integer, lib, taken, text_of
from ._fresh import Fresh, described
from .audit import audit as _black_box

PROBES = 4096


class Answer:
    """A verdict on a pair of inputs. `report` has all of it as docs/audit.schema.json says, `trace_verdict`."""

    def __init__(self, report: dict[str, Any], left: Any, right: Any, confirmed: Any = None):
        self.report, self.left, self.right, self.confirmed = report, left, right, confirmed

    @property
    def verdict(self) -> str:
        return "violation" if self.confirmed is not None and self.confirmed.violation else self.report["verdict"]

    @property
    def violation(self) -> bool:
        return self.verdict == "violation"

    @property
    def reason(self) -> str:
        return "" if self.violation else self.report["reason"]

    @property
    def evidence(self) -> str:
        return "black-box" if self.violation and self.report["verdict"] != "violation" else self.report["evidence"]

    @property
    def findings(self) -> list[str]:
        return sorted({item["finding"] for item in self.report["findings"]})

    def end(self, name: str, side: str = "lower") -> tuple[float, float] | None:
        """The enclosure of an end of "epsilon" or "delta" as floats, for people; None where it is not known."""
        ends = self.report["ends"][name][side]
        return None if ends is None else (float(ends["lo"]), float(ends["hi"]))

    def sarif(self) -> str:
        """The findings as a SARIF log."""
        return text_of(lib.pby_trace_sarif, encoded("answer", json.dumps(self.report)))

    def __str__(self) -> str:
        shown = [f"{self.verdict}{': ' + self.reason if self.reason else ''} (evidence {self.evidence})",
                 f"left   {self.left!r}", f"right  {self.right!r}"]
        for name in ("epsilon", "delta"):
            low, high = self.report["ends"][name]["lower"], self.report["ends"][name]["upper"]
            shown.append(f"{name:7}at least {low['lo']}" + ("" if high is None else f", at most {high['hi']}"))
        shown += [f"{f['site']}: {f['finding']}: {f['message']}" for f in self.report["findings"]]
        return "\n".join(shown)

    def __repr__(self) -> str:
        return f"<Answer: {self.verdict}>"


class _InProcess:
    """Runs of a function that no other interpreter can find: they decide nothing."""

    def __init__(self, pipeline: Callable[[Any], Any]):
        self.pipeline = pipeline

    def run(self, data: bytes, tape: Any = None, probe: bool = False, forced: tuple[int, ...] = ()) -> dict[str, Any] | None:
        if probe:
            return None
        recorder = _record.Recorder(tape)
        changed = _record.substitute()
        try:
            body, plain = _record.run(self.pipeline, pickle.loads(data), recorder)
        finally:
            for module, name, old in reversed(changed):
                setattr(module, name, old)
        return {"body": body, "plain": plain, "tape": recorder.made, "taken": [], "forced": []}

    def __enter__(self) -> _InProcess:
        return self

    def __exit__(self, *_: Any) -> None:
        pass


def _runner(pipeline: Callable[[Any], Any]) -> Any:
    where = described(pipeline)
    return _InProcess(getattr(pipeline, "__probity_pipeline__", pipeline)) if where is None else Fresh(where)


class _Stopped(Exception):
    """There is nothing to judge."""


class _Pair:
    """Two inputs and the lines of their traces."""

    def __init__(self, runner: Any, left: Any, right: Any):
        self.runner, self.data = runner, [pickle.dumps(left), pickle.dumps(right)]
        self.digest = [_record.sha256(x) for x in self.data]
        self.traces: list[list[str]] = [[], []]
        self.count = 0
        self.ended = False    # some run ended without an exception

    def _run(self, side: int, **how: Any) -> dict[str, Any]:
        result = self.runner.run(self.data[side], **how)
        if result is None:
            raise _Stopped("a run took more than 10 seconds of processor time, a minute or 2 GiB, or its output cannot be kept")
        self.ended = self.ended or result["body"][-1]["error"] is None
        return result

    def record(self, runs: int) -> None:
        """Records with fresh noise on each side in turn, replays on the same input, and on the other."""
        for j in range(self.count, self.count + runs):
            side = j % 2
            first = self._run(side)
            again = self._run(side, tape=first["tape"])
            other = self._run(1 - side, tape=first["tape"])
            _record.agreed(first, again, other)
            text = _record.lines(j, self.digest[side], first["body"], None)
            digest = _record.sha256(text)
            self.traces[side] += [text, _record.lines(j, self.digest[side], again["body"], digest)]
            self.traces[1 - side].append(_record.lines(j, self.digest[1 - side], other["body"], digest))
        self.count += runs

    def probe(self) -> None:
        """A run without values for every value of every choice; none where one takes too long."""
        if isinstance(self.runner, _InProcess):
            return
        for side in range(2):
            waiting: list[tuple[int, ...]] = [()]
            made = 0
            while waiting and made < PROBES:
                forced = waiting.pop()
                result = self.runner.run(self.data[side], probe=True, forced=forced)
                if result is None:
                    return
                self.traces[side].append(_record.lines(made, self.digest[side], result["body"], None, True))
                made += 1
                if any("open" in line for line in result["body"]):
                    return
                for at in range(len(forced), len(result["taken"])):
                    prefix = forced + (0,) * (at - len(forced))
                    waiting += [prefix + (value,) for value in range(1, result["taken"][at])]

    def confirm(self, runs: int) -> list[list[Any]]:
        """New runs on each side, for the count; their outputs."""
        outputs: list[list[Any]] = [[], []]
        for side in range(2):
            for j in range(runs):
                result = self._run(side)
                self.traces[side].append(_record.lines(self.count + j, self.digest[side], result["body"], None))
                outputs[side].append(result["plain"])
        return outputs

    def judge(self, runs: int, **claim: Any) -> dict[str, Any]:
        """The answer of the judge, from traces in a folder that only we may read."""
        with tempfile.TemporaryDirectory(prefix="probity-") as folder:
            paths = []
            for side, name in enumerate(("left.trace", "right.trace")):
                path = os.path.join(folder, name)
                with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
                    out.writelines(self.traces[side])
                paths.append(path)
            return judge(*paths, runs=runs, **claim)


def judge(left: str, right: str, *, epsilon: Number, delta: Number = 0, error: Number = "1e-6", slack: Number | None = None,
          runs: int = 16, assume_fixed: bool = False, allow_seeds: bool = False) -> dict[str, Any]:
    """Judges two trace files, as `probity audit --trace` does."""
    texts = Texts()
    options = ffi.new("pby_trace_options *")
    options.epsilon, options.delta = texts.number("epsilon", epsilon), texts.number("delta", delta)
    options.error, options.slack = texts.number("error", error), texts.number("slack", slack)
    options.runs = integer("runs", runs, 1, 10000)
    options.assume_fixed, options.allow_seeds, options.form = assume_fixed, allow_seeds, lib.PBY_REPORT_JSON
    out, verdict = ffi.new("char **"), ffi.new("pby_trace_verdict *")
    call(lib.pby_trace_judge, out, verdict, encoded("left", left), encoded("right", right), options, long=True)
    return json.loads(taken(out))


_EMPTY = {"verdict": "inconclusive", "reason": "unrecorded", "evidence": "none", "findings": [], "sites": [], "runs": 0,
          "counted": 0, "probed": False, "ends": {"epsilon": {"lower": {"lo": "0", "hi": "0"}, "upper": None},
                                                  "delta": {"lower": {"lo": "0", "hi": "0"}, "upper": None}}}


def _stopped(claim: dict[str, Any], why: str) -> dict[str, Any]:
    """The answer where there is nothing to judge."""
    report = copy.deepcopy(_EMPTY)
    report["claim"] = {name: str(claim[name]) for name in ("epsilon", "delta")}
    report["findings"] = [{"finding": "unrecorded", "site": "", "level": "warning", "message": why}]
    return report


def audit(pipeline: Callable[[Any], Any], left: Any, right: Any, *, epsilon: Number, delta: Number = 0, runs: int = 16,
          confirm: int = 0, error: Number = "1e-6", assume_fixed: bool = False, seeds: str = "judge") -> Answer:
    """Judges the claim that a pipeline is (epsilon, delta)-private, on two neighbouring inputs.

    `confirm` new runs a side, 20000 say, let a count and the black-box audit judge a pair that is inconclusive; a
    private pipeline is then accused with a chance of at most `error`. `seeds="allow"` makes seeds a note."""
    if seeds not in ("judge", "allow"):
        raise BadInput(f"argument 'seeds': {seeds!r}; expected 'judge' or 'allow'", "argument")
    integer("confirm", confirm, 0, 10**7)
    integer("runs", runs, 1, 10000)
    claim = dict(epsilon=epsilon, delta=delta, error=error, assume_fixed=assume_fixed, allow_seeds=seeds == "allow")
    with _runner(pipeline) as runner:
        return _audited(runner, left, right, runs, confirm, claim)


def _audited(runner: Any, left: Any, right: Any, runs: int, confirm: int, claim: dict[str, Any]) -> Answer:
    pair = _Pair(runner, left, right)
    try:
        pair.record(runs)
        if not pair.ended:
            raise _Stopped("every run ended by an exception")
        pair.probe()
        report = pair.judge(runs, **claim)
        if report["verdict"] != "inconclusive" or confirm == 0 or report["reason"] == "seed" or isinstance(runner, _InProcess):
            return Answer(report, left, right)
        outputs = pair.confirm(confirm)
        counted = pair.judge(runs, **claim)
    except _Stopped as why:
        return Answer(_stopped(claim, str(why)), left, right)
    if counted["verdict"] != "inconclusive" or counted["reason"] == "unrecorded":
        return Answer(counted, left, right)
    return Answer(counted, left, right, _confirmed(outputs, claim))


def _confirmed(outputs: list[list[Any]], claim: dict[str, Any]) -> Any:
    """The black-box audit of the outputs; half of the error is the count's."""
    from fractions import Fraction
    from ._call import number
    taken_from = [iter(side) for side in outputs]

    def shown(x: str) -> Any:
        try:
            return float.fromhex(x) if x.lstrip("-").startswith("0x") else float(x) if x in ("inf", "-inf") else x
        except ValueError:
            return x

    def mechanism(side: int, n: int) -> list[Any]:
        rows = [[shown(x) for x in row or ["none"]] for row in itertools.islice(taken_from[side], n)]
        return [",".join(str(x).replace(",", ";").replace("\n", " ") for x in row) for row in rows]

    half = Fraction(number("error", claim["error"])) / 2
    return _black_box(mechanism, 0, 1, epsilon=claim["epsilon"], delta=claim["delta"], outputs=len(outputs[0]), error=half,
                      features="-bits")


# ---- a run in this process ---------------------------------------------------------------------

class Recording:
    """One run that `record` has written; another one replays it."""

    def __init__(self) -> None:
        self.recorder: Any = None
        self.result: Any = None
        self.error: str | None = None
        self.digest: str | None = None

    def output(self, value: Any) -> Any:
        """Says what the run publishes; returns it."""
        self.result = value
        return value


@contextlib.contextmanager
def record(path: str, run: int = 0, replay: Recording | None = None, data: Any = None) -> Iterator[Recording]:
    """Appends a run of the block to a trace: `with greybox.record("left.trace") as left: left.output(pipeline(x))`.

    `replay` gives it the noise of another recording. `data` is digested as the input. Such runs have no probe, and share
    what their modules keep: judge() calls them `assumed` until a count of new processes confirms them."""
    integer("run", run, 0, 10**7 - 1)
    made = Recording()
    made.recorder = _record.Recorder(None if replay is None else replay.recorder.made)
    changed = _record.substitute()
    _record.CURRENT = made.recorder
    try:
        yield made
        output = _record.outputs(made.recorder, made.result)
    finally:
        _record.CURRENT = None
        for module, name, old in reversed(changed):
            setattr(module, name, old)
    body = [*made.recorder.events, {"output": output, "error": None}]
    text = _record.lines(run, _record.sha256(repr(data)), body, None if replay is None else replay.digest)
    made.digest = _record.sha256(text)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", encoding="utf-8") as out:
        out.write(text)


# ---- search ------------------------------------------------------------------------------------

def numbers(low: float, high: float, finite: bool = False) -> list[float]:
    """Values of a number in a range: its ends and beyond, 0, extremes, and NaN and infinities unless `finite`."""
    some: list[float] = [low, high, (low + high) / 2, 2 * high + 1, low - 1, 0.0, 5e-324, 1e308]
    return some + ([] if finite else [float("nan"), float("inf"), float("-inf")])


def _constants(pipeline: Callable[..., Any]) -> list[Any]:
    """Numbers and texts in the source of a pipeline: a branch on one value needs that value."""
    try:
        tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(pipeline)))
    except (OSError, TypeError, SyntaxError, IndentationError):
        return []
    found = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, (int, float, str))
             and not isinstance(n.value, bool)]
    return list(dict.fromkeys(found))


def _neighbours(rows: list[Any], values: list[Any], relation: str, user: Callable[[Any], Any] | None = None
                ) -> Iterable[tuple[list[Any], list[Any]]]:
    if user is not None:
        for moved in dict.fromkeys(user(row) for row in rows):
            yield rows, [row for row in rows if user(row) != moved]
    elif relation == "add-remove":
        for value in values:
            yield rows, rows + [value]
        for i in range(len(rows)):
            yield rows, rows[:i] + rows[i + 1:]
    else:
        for i, value in itertools.product(range(len(rows)), values):
            yield rows, rows[:i] + [value] + rows[i + 1:]


def _starts(inputs: Iterable[list[Any]], values: list[Any]) -> list[list[Any]]:
    starts = [list(x) for x in inputs] + [[]] + [[values[0]] * n for n in (1, 2, 20)]
    unique: list[list[Any]] = []
    for start in starts:
        if not any(repr(start) == repr(x) for x in unique):
            unique.append(start)
    return unique


def _smaller(left: list[Any], right: list[Any]) -> Iterable[tuple[list[Any], list[Any]]]:
    """Pairs that are simpler and still neighbours: a common row dropped, or a common number replaced."""
    common = min(len(left), len(right))
    for i in range(common):
        if repr(left[i]) == repr(right[i]):
            yield left[:i] + left[i + 1:], right[:i] + right[i + 1:]
    for i in range(common):
        if repr(left[i]) == repr(right[i]) and isinstance(left[i], (int, float)):
            for value in (0, 1, 10, 100):
                if repr(left[i]) != repr(value) and abs(value) < abs(left[i]):
                    yield left[:i] + [value] + left[i + 1:], right[:i] + [value] + right[i + 1:]


def search(pipeline: Callable[[Any], Any], *, epsilon: Number, inputs: Iterable[list[Any]] = (), delta: Number = 0,
           values: Iterable[Any] | None = None, neighbours: str = "add-remove", unordered: bool = False,
           user: Callable[[Any], Any] | None = None, pairs: int = 200, seconds: float = 60,
           runs: int = 16, confirm: int = 0, error: Number = "1e-6", seeds: str = "judge") -> Answer:
    """Looks for neighbouring lists of rows that refute a claim, and shrinks the pair that does.

    `user` gives the user of a row: then all rows of a user come or go together. With `unordered=True` an input and its rows
    in reverse count as neighbours too: a claim on sets of rows has them the same.
    Each pair gets 2 runs and a probe; the one that is answered gets `runs` new ones. Without a violation the answer is
    that of the pair with the greatest lower end. `pairs` and `seconds` bound the search."""
    if neighbours not in ("add-remove", "substitute"):
        raise BadInput(f"argument 'neighbours': {neighbours!r}; expected 'add-remove' or 'substitute'", "argument")
    integer("pairs", pairs, 1, 10**6)
    integer("runs", runs, 1, 10000)
    claim = dict(epsilon=epsilon, delta=delta, error=error, allow_seeds=seeds == "allow")
    given = list(numbers(0, 1) if values is None else values)
    constants = [x for x in _constants(getattr(pipeline, "__probity_pipeline__", pipeline))
                 if not given or isinstance(x, str) == isinstance(given[0], str)]
    starts = _starts(inputs, given)
    tried = [(list(x), list(reversed(x))) for x in starts if unordered and len(x) > 1]
    turns = itertools.zip_longest(*(_neighbours(start, given + constants, neighbours, user) for start in starts))
    # the first neighbours of each start come first
    tried += [pair for turn in turns for pair in turn if pair is not None and repr(pair[0]) != repr(pair[1])]
    tried = tried or [([], [])]
    end = time.monotonic() + seconds
    with _runner(pipeline) as runner:
        best: Answer | None = None
        for left, right in tried[:pairs]:
            answer = _audited(runner, left, right, 2, 0, claim)
            if best is None or answer.violation or _rank(answer) > _rank(best):
                best = answer
            if answer.violation or time.monotonic() > end:
                break
        assert best is not None
        best = _shrunk(runner, best, claim, end)
        return _audited(runner, best.left, best.right, runs, confirm, claim)


def _rank(answer: Answer) -> tuple[int, float, int, float]:
    """The pair that tells most: unaligned or assumed, then by its lower end, its warnings and the loss of its sums."""
    low, high = answer.end("delta"), answer.end("epsilon", "upper")
    warnings = {f["finding"] for f in answer.report["findings"] if f["level"] != "note"}
    return (1 if answer.report["reason"] in ("unaligned", "assumed", "open") else 0, low[0] if low else 0.0, len(warnings),
            high[1] if high else float("inf") if answer.verdict == "inconclusive" else 0.0)


def _shrunk(runner: Any, best: Answer, claim: dict[str, Any], end: float) -> Answer:
    """Simpler pairs with the same verdict and findings, as long as there are any."""
    simpler = best.violation
    while simpler and time.monotonic() < end:
        simpler = False
        for left, right in _smaller(best.left, best.right):
            answer = _audited(runner, left, right, 2, 0, claim)
            if answer.violation and answer.findings == best.findings:
                best, simpler = answer, True
                break
            if time.monotonic() > end:
                break
    return best


# ---- the mark of a test ------------------------------------------------------------------------

class _Module(types.ModuleType):
    """`@probity.greybox(epsilon=1)` marks a pipeline that `pytest --probity` searches."""

    def __call__(self, **claim: Any) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
        unknown = set(claim) - set(inspect.signature(search).parameters) | ({"pipeline"} & set(claim))
        if unknown or "epsilon" not in claim:
            raise BadInput(f"greybox: {sorted(unknown) or 'no epsilon'}; expected epsilon and other arguments of greybox.search",
                           "argument")

        def mark(pipeline: Callable[[Any], Any]) -> Callable[[Any], Any]:
            setattr(pipeline, "__probity_greybox__", claim)
            return pipeline
        return mark


sys.modules[__name__].__class__ = _Module
