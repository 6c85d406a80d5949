# SPDX-License-Identifier: MIT
"""Release plans: a unit of privacy, bounds on a user's rows, statistics and one budget (docs/plan.md)."""
from __future__ import annotations

import csv
import os
import shutil
import tempfile
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any, Union

from ._call import (BadInput, Failure, Number, Texts, call, content, digits, encoded, ffi, integer, lib, made, number,
                    read, report, text_of)
from .certificate import Certificate, CertificateLike
from .enclosure import Enclosure
from .frames import _Mapping, columns_frame, frame_of
from .ledger import Ledger
from .release import part_of
from .spec import Spec
from .streams import stream_of

Group = Union[str, "tuple[str, ...]", "list[str]"]


# ---- the text of a plan ------------------------------------------------------------------------------

def _text(name: str, x: Any) -> str:
    """A text of TOML."""
    if not isinstance(x, str):
        raise TypeError(f"argument '{name}': {type(x).__name__}; expected a text")
    encoded(name, x)
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(escapes.get(c) or (c if c >= " " and c != "\x7f" else f"\\u{ord(c):04X}") for c in x) + '"'


def _number(name: str, x: Number) -> str:
    """A number of TOML: a text, which is read exactly."""
    return digits(name, x) if isinstance(x, int) and not isinstance(x, bool) else _text(name, number(name, x))


def _whole(name: str, x: Any) -> str:
    return str(integer(name, x, 1, 2**62))


def _texts(name: str, x: Any) -> str:
    return "[" + ", ".join(_text(name, item) for item in x) + "]"


def _groups(groups: Any) -> str:
    """Texts, or lists of them for groups of several columns."""
    if isinstance(groups, (str, bytes)) or not hasattr(groups, "__iter__"):
        raise TypeError(f"argument 'groups': {type(groups).__name__}; expected several groups")
    return "[" + ", ".join(_text("groups", g) if isinstance(g, str) or not hasattr(g, "__iter__")
                           else _texts("groups", g) for g in groups) + "]"


def _section(head: str, lines: Mapping[str, str | None]) -> str:
    """A table of TOML; what is None is left out."""
    return "".join([f"\n{head}\n", *(f"{key} = {value}\n" for key, value in lines.items() if value is not None)])


def _given(write: Any, name: str, x: Any) -> str | None:
    return None if x is None else write(name, x)


# ---- answers -----------------------------------------------------------------------------------------

def _shown(x: Fraction) -> str:
    """A number rounded up to 3 digits; whole ones below a million in full."""
    if x.denominator == 1 and x < 10**6:
        return str(x.numerator)
    value = Decimal(x.numerator) / Decimal(x.denominator)
    step = Decimal(1).scaleb(value.adjusted() - 2)
    return f"{float(value.quantize(step, rounding=ROUND_CEILING)):g}"


@dataclass(frozen=True)
class PlanCheck:
    """The answer of Plan.check: what each statistic is worth, and what all releases cost together. It prints as the
    command does, and is a table in a notebook. `report` is the whole answer."""
    report: dict[str, Any] = field(repr=False)
    text: str = field(repr=False)

    @property
    def spec(self) -> Spec:
        """The mechanisms of all releases."""
        return Spec(*self.report["spec"].split(" "))

    @property
    def loss(self) -> Enclosure:
        """delta at the budget's epsilon, rho or mu, of all releases together."""
        ends = self.report[next((name for name in ("rho", "mu") if name in self.report), "delta")]
        return Enclosure(ends["lo"], ends["hi"])

    @property
    def errors(self) -> dict[str, Fraction | None]:
        """By statistic the error that no group exceeds in 95 of 100 releases; None where it is unknown."""
        return {s["name"]: Fraction(s["error"]) + Fraction(s["rounding"]) if "error" in s else None
                for s in self.report["statistics"]}

    @property
    def advice(self) -> list[tuple[str, float]]:
        """Changes that would help most, and what each multiplies the errors by, by estimates."""
        return [(a["change"], float(Fraction(a["errors"]))) for a in self.report["advice"]]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self._table() + self._changes()

    def _table(self) -> str:
        head = ("statistic", "of what", "groups", "off by at most", "relative", "budget")
        rows = []
        for s in self.report["statistics"]:
            error = self.errors[s["name"]]
            what = s["kind"] + (f" of {s['of']}" if s.get("of") else "") + (f" by {s['group']}" if s.get("group") else "")
            rows.append((s["name"], what, "hidden" if s.get("hidden") else str(s["groups"]),
                         "unknown" if error is None else _shown(error),
                         f"{float(Fraction(s['relative'])) * 100:.1f} %" if "relative" in s else "", f"{float(Fraction(s['share'])) * 100:.1f} %"))
        cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return (f"<table><caption>{escape(self.report['spec'])}<br>loss of all releases: {escape(str(self.loss))}"
                "</caption><thead><tr>" + "".join(f"<th>{name}</th>" for name in head) +
                f"</tr></thead><tbody>{cells}</tbody></table>"
                "<p>All groups of a statistic are off by no more than that at once, in 95 of 100 releases; rows that "
                "bounding drops are not in it.</p>")

    def _changes(self) -> str:
        items = "".join(f"<li>errors {100 * (1 - errors):.0f} % smaller: <code>{escape(change)}</code></li>"
                        for change, errors in self.advice)
        return f"<p>Changes that would help most:</p><ol>{items}</ol>" if items else ""


class Plan:
    """A release plan. Each method that adds to it returns another plan, and leaves this one as it is.

        plan = (probity.Plan(user="customer", rows=4, epsilon=1, delta="1e-6", times=12)
                .column("amount", 0, 60, step=1)
                .grouping("shops", by="shop", groups=["north", "south"], groups_per_user=2, rows_per_group=2)
                .count("visits", group="shops").mean("spend", of="amount", group="shops"))
        plan.check()
        plan.certify().save("visits.json")
        plan.ledger("visits.ledger")
        frames = plan.release(frame, ledger="visits.ledger")

    Everything in it must be known without the data. A mistake is refused when the plan is first checked, certified or
    released; its noise is chosen then, once.
    """

    __slots__ = ("_folder", "_lock", "_name", "_planned", "toml")

    toml: str
    """The plan as the file that the command reads."""

    def __init__(self, *, user: str | None = None, rows: int | None = None, neighbours: str = "add-remove",
                 epsilon: Number | None = None, delta: Number | None = None, rho: Number | None = None,
                 mu: Number | None = None, times: int = 1, expect: Number | None = None):
        """`user` is the column of users, a row being the unit where there is none; `rows` bounds each user's rows in
        every grouping; the budget, `epsilon` and `delta`, `rho` or `mu`, is for `times` releases; `expect` is a public
        guess of the table's rows, which scales errors alone."""
        unit = _section("[unit]", {"user": _given(_text, "user", user), "neighbours": _text("neighbours", neighbours),
                                   "rows": _given(_whole, "rows", rows), "expect": _given(_number, "expect", expect)})
        budget = _section("[budget]", {"epsilon": _given(_number, "epsilon", epsilon),
                                       "delta": _given(_number, "delta", delta), "rho": _given(_number, "rho", rho),
                                       "mu": _given(_number, "mu", mu)})
        horizon = _section("[horizon]", {"times": _whole("times", times)})
        self._set('format = "probity-plan"\nversion = 1\n' + unit + budget + horizon, "plan", None)

    def _set(self, text: str, name: str, folder: str | None) -> None:
        self.toml, self._name, self._folder = text, name, folder
        self._planned: Any = None
        self._lock = threading.RLock()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Plan:
        """Reads a file of a plan. Files of groups are looked for beside it."""
        plan = cls.__new__(cls)
        plan._set(read("path", path), os.fspath(path), str(Path(path).resolve().parent))
        return plan

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that the command reads."""
        Path(path).write_text(self.toml, encoding="utf-8")

    def _and(self, head: str, lines: Mapping[str, str | None]) -> Plan:
        plan = Plan.__new__(Plan)
        plan._set(self.toml + _section(head, lines), self._name, self._folder)
        return plan

    # ---- what it is made of ----

    def column(self, name: str, low: Number, high: Number, step: Number, *, missing: Number = "drop") -> Plan:
        """Numbers that statistics are of: taken for the nearest multiple of `step`, and moved between `low` and
        `high`. A row without one is dropped, or counts as `missing`."""
        return self._and(f"[columns.{_text('name', name)}]", {
            "low": _number("low", low), "high": _number("high", high), "step": _number("step", step),
            "missing": _number("missing", missing)})

    def grouping(self, name: str, by: str | Iterable[str], *, groups: Iterable[Group] | None = None,
                 hidden: bool = False, groups_per_user: int | None = None, rows_per_group: int | None = None,
                 expect: Number | None = None) -> Plan:
        """Groups by the values of one column or several. `groups` lists them, and is public; with `hidden` they come
        from the data, and are told where enough users are in them. A column of numbers is taken in buckets as
        'NAME:LO:HI:WIDTH'; if all are, all buckets are the groups where none are listed. `expect` is a public guess of
        a group's rows."""
        return self._and(f"[groupings.{_text('name', name)}]", {
            "by": _texts("by", [by] if isinstance(by, str) else by),
            "groups": None if groups is None else _groups(groups), "hidden": "true" if hidden else None,
            "groups_per_user": _given(_whole, "groups_per_user", groups_per_user),
            "rows_per_group": _given(_whole, "rows_per_group", rows_per_group),
            "expect": _given(_number, "expect", expect)})

    def _statistic(self, kind: str, name: str, group: str | None, weight: Number | None, within: Number | None,
                   of: str | None = None, **more: str) -> Plan:
        return self._and("[[statistics]]", {
            "name": _text("name", name), "kind": _text("kind", kind), "of": _given(_text, "of", of),
            "group": _given(_text, "group", group), "weight": _given(_number, "weight", weight),
            "within": _given(_number, "within", within), **more})

    def count(self, name: str, *, group: str | None = None, weight: Number | None = None,
              within: Number | None = None) -> Plan:
        """The rows of each group of a grouping, or of the whole table. Here and below `weight` is the statistic's
        importance, 1 if not given; or its error stays `within` a number."""
        return self._statistic("count", name, group, weight, within)

    def users(self, name: str, *, group: str | None = None, weight: Number | None = None,
              within: Number | None = None) -> Plan:
        """The users of each group."""
        return self._statistic("users", name, group, weight, within)

    def sum(self, name: str, of: str, *, group: str | None = None, weight: Number | None = None,
            within: Number | None = None) -> Plan:
        """The sum of a column."""
        return self._statistic("sum", name, group, weight, within, of)

    def mean(self, name: str, of: str, *, group: str | None = None, weight: Number | None = None) -> Plan:
        """The mean of a column."""
        return self._statistic("mean", name, group, weight, None, of)

    def variance(self, name: str, of: str, *, group: str | None = None, weight: Number | None = None) -> Plan:
        """The variance of a column."""
        return self._statistic("variance", name, group, weight, None, of)

    def quantile(self, name: str, of: str, q: Number | Iterable[Number] = "1/2", *, group: str | None = None,
                 weight: Number | None = None, within: Number | None = None) -> Plan:
        """Quantiles of a column, one or several; `within` is of their rank, in rows."""
        shares = [q] if isinstance(q, str) or not isinstance(q, Iterable) else q
        return self._statistic("quantile", name, group, weight, within, of,
                               q="[" + ", ".join(_number("q", share) for share in shares) + "]")

    def histogram(self, name: str, of: str, width: Number, *, group: str | None = None,
                  weight: Number | None = None, within: Number | None = None) -> Plan:
        """The rows in buckets of a column."""
        return self._statistic("histogram", name, group, weight, within, of, width=_number("width", width))

    def top(self, name: str, group: str, best: int, *, weight: Number | None = None,
            within: Number | None = None) -> Plan:
        """The groups with most rows, so many of them."""
        return self._statistic("top", name, group, weight, within, best=_whole("best", best))

    # ---- what it is for ----

    def _c(self) -> Any:
        """The plan with its noise, which is chosen once. The caller has the lock."""
        if self._planned is None:
            text, texts = content("plan", self.toml), Texts()
            self._planned = made(lib.pby_planned_parse, "pby_planned", lib.pby_planned_free,
                                 encoded("name", self._name), texts.text(self._folder), text, len(text), long=True)
        return self._planned

    def check(self) -> PlanCheck:
        """Tells what each statistic is worth, what all releases cost together, and which changes would help most. Raises
        Refused where the errors that are asked for do not fit the budget. No data are read."""
        with self._lock:
            c = self._c()
            return PlanCheck(report(lib.pby_planned_report, c, lib.PBY_REPORT_JSON),
                             text_of(lib.pby_planned_report, c, lib.PBY_REPORT_LINES))

    def certify(self) -> Certificate:
        """A certificate of all releases. It holds the plan, and whoever checks it derives the sensitivities again."""
        with self._lock:
            text = text_of(lib.pby_planned_certify, self._c())
        return Certificate(text)

    def ledger(self, path: str | os.PathLike[str], *, parts: str | None = None) -> Ledger:
        """A new ledger of the plan's budget, neighbours and unit.

        `parts` tells disjoint parts of the users apart, each of which has the budget (docs/ledger.md).
        """
        texts = Texts()
        with self._lock:
            call(lib.pby_planned_ledger, encoded("path", path), self._c(), texts.text(parts, "parts"))
        return Ledger(path)

    def _curves(self) -> tuple[str, dict[str, list[tuple[float, float | None]]]]:
        with self._lock:
            answer = report(lib.pby_planned_curves, self._c())
        budget = next(name for name in ("epsilon", "rho", "mu") if name in answer)
        budgets = [float(Fraction(x)) for x in answer[budget]]
        return budget, {s["name"]: [(x, None if e is None else float(Fraction(e))) for x, e in zip(budgets, s["errors"])]
                        for s in answer["statistics"]}

    def curves(self) -> dict[str, list[tuple[float, float | None]]]:
        """By statistic its error at 9 budgets, from a quarter to 4 times the plan's; None where it is unknown. The
        noise is chosen anew for each, which takes its time."""
        return self._curves()[1]

    def plot(self, axes: Any = None, **style: Any) -> Any:
        """Draws the error of each statistic against the budget on matplotlib's axes (None: new ones), which are
        returned."""
        if axes is None:
            from matplotlib import pyplot
            axes = pyplot.subplots()[1]
        budget, curves = self._curves()
        for name, points in curves.items():
            known = [(x, error) for x, error in points if error is not None]
            axes.plot([x for x, _ in known], [error for _, error in known], **{"label": name, "marker": "o", **style})
        axes.set(xlabel=budget, ylabel="error in 95 of 100 releases", xscale="log", yscale="log")
        axes.legend()
        return axes

    def release(self, data: Any, ledger: Ledger | str | os.PathLike[str], *,
                certificate: CertificateLike | None = None, after: str | None = None,
                folder: str | os.PathLike[str] | None = None, part: str | None = None) -> dict[str, Any]:
        """One release: bounds each user's rows, charges the ledger once, and returns a table of each statistic by its
        name, with the columns of its groups, `value`, `low` and `high`.

        `data` is a DataFrame of pandas, a frame of Polars, a table of Arrow, a relation of DuckDB, or the path of a
        file in CSV. Tables are of the same kind; of a relation they are Arrow's, and of a file dicts of columns. With
        a `certificate` it is released only if that holds and is of this plan; `after` is the digest that the ledger
        must have. With `part`, or a ledger `for_part`, the rows are of that part of the ledger's users alone, for which
        you answer, and no other part is charged. `folder` is a new folder that keeps what the command would write: the tables in CSV, and
        release.json.
        """
        texts = Texts()
        with self._lock, tempfile.TemporaryDirectory() as scratch:
            plan = self._c()
            resolved = report(lib.pby_planned_json, plan)
            frame, source = _source(texts, data, resolved)
            made_folder = os.fspath(folder) if folder is not None else os.path.join(scratch, "release")
            if isinstance(certificate, Certificate):
                certificate.save(os.path.join(scratch, "certificate.json"))
                certificate = os.path.join(scratch, "certificate.json")
            asked = ffi.new("pby_plan_release *", {
                **source, "folder": texts.text(made_folder, "folder"),
                "ledger": texts.text(ledger.path if isinstance(ledger, Ledger) else ledger, "ledger"),
                "certificate": texts.text(certificate, "certificate"), "after": texts.text(after, "after"),
                "part": texts.text(part_of(ledger, part), "part")})
            call(lib.pby_planned_release, plan, asked, long=True)
            return _tables(made_folder, resolved, frame, folder is not None)


# ---- tables ------------------------------------------------------------------------------------------

def _wanted(plan: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The columns that a plan reads as names, and as numbers."""
    by = [_bucketed(text) for g in plan.get("groupings", {}).values() for text in g["by"]]
    user = plan["unit"].get("user")
    return ([name for name, buckets in by if not buckets] + ([user] if user is not None else []),
            list(plan.get("columns", {})) + [name for name, buckets in by if buckets])


def _bucketed(text: str) -> tuple[str, bool]:
    """The column of a text of `by`, and True if it is in buckets, NAME:LO:HI:WIDTH. The plan has been read before."""
    name, *ends = text.rsplit(":", 3)
    try:
        return (name, True) if len(ends) == 3 and all(Fraction(x) is not None for x in ends) else (text, False)
    except (ValueError, ZeroDivisionError):
        return text, False


def _source(texts: Texts, data: Any, plan: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The class of a table, None of a file, and the members that say where its rows are."""
    if isinstance(data, (str, os.PathLike)):
        return None, {"data": texts.text(data, "data")}
    frame = frame_of(data)
    if isinstance(frame, _Mapping):
        raise BadInput("argument 'data': a mapping; expected a table of raw records", "argument")
    words, numbers = _wanted(plan)
    wanted = list(dict.fromkeys([*words, *numbers]))
    for name in wanted:
        if frame.names.count(name) != 1:
            raise BadInput(f"column {name!r}: expected {'it once' if name in frame.names else 'one'} among the columns of "
                           f"the data, {', '.join(map(str, frame.names))}", "input")
    try:
        table = frame.stream(wanted, [name for name in wanted if name not in numbers])
        stream, capsule = stream_of(texts.keep(table))
    except BadInput:
        raise
    except Exception:  # its text may hold a value
        raise BadInput("argument 'data': expected columns of texts, numbers, dates or truth values, in Unicode: "
                       f"{', '.join(wanted)}", "input") from None
    texts.keep(capsule)
    return frame, {"rows": stream}


def _column(fields: list[str], whole: bool) -> list[int | float | None]:
    """Numbers; None where a field is empty."""
    return [None if x == "" else int(x) if whole else float(Fraction(x)) for x in fields]


def _is_whole(statistic: Mapping[str, Any], plan: Mapping[str, Any]) -> bool:
    """Returns True if all values of a statistic are integers, whatever the data."""
    counted = statistic["kind"] in ("count", "users", "histogram", "top")
    return counted or Fraction(plan["columns"][statistic["of"]]["step"]).denominator == 1


def _read_table(path: str, whole: bool) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """The columns of a table that was written, and the type of each. A column of groups that has the name of another
    column gets a '_' behind its own."""
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    columns: dict[str, list[Any]] = {}
    kinds: dict[str, str] = {}
    for i, name in enumerate(head[:-3]):
        while name in columns or name in head[-3:]:
            name += "_"
        columns[name], kinds[name] = [row[i] for row in rows], "text"
    for i, name in enumerate(head[-3:], len(head) - 3):
        columns[name], kinds[name] = _column([row[i] for row in rows], whole), "whole" if whole else "number"
    return columns, kinds


def _tables(folder: str, plan: Mapping[str, Any], frame: Any, kept: bool) -> dict[str, Any]:
    """The tables of a folder, of the frame's kind. What was paid for is not lost where one cannot be made."""
    try:
        found = {s["name"]: _read_table(os.path.join(folder, s["name"] + ".csv"), _is_whole(s, plan))
                 for s in plan["statistics"]}
        return {name: columns_frame(frame, *columns) for name, columns in found.items()}
    except Exception as cause:
        where = folder if kept else shutil.copytree(folder, os.path.join(tempfile.mkdtemp(), "release"))
        raise Failure(f"the release was made, and its tables could not be: it is in the folder {where}",
                      "internal") from cause
