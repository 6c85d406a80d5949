# SPDX-License-Identifier: MIT
"""The ledger of claims as data: what docs/claims/*.toml may say, and what it must.

A value is a rational ("1/2", "0.05") or an enclosure ("[0.1, 0.2]"), read exactly.
"""
import re
import tomllib
from fractions import Fraction

import inventory
from inventory import ROOT

FOLDER = ROOT / "docs/claims"
STATUSES = ("proved", "enclosed", "tested", "refuted", "definition", "unreadable", "out of reach")
# A status needs evidence of one of these kinds at least.
NEEDS = {"proved": {"goal", "coq"}, "enclosed": {"run", "test"}, "tested": {"test"}}
ROW_KEYS = {"at", "section", "line", "says", "status", "slip", "rests", "evidence", "reading", "counterexample", "corrected", "why",
            "note"}
CASE_KEYS = {"part", "story", "claim", "found", "promised", "shown"}
CLAIM = re.compile(r"found (<=|<|==|>=|>) promised")


class Value:
    """The enclosure lo <= value <= hi."""

    def __init__(self, text):
        ends = re.fullmatch(r"\[\s*(\S+)\s*,\s*(\S+)\s*\]", text)
        self.text = text
        self.lo, self.hi = (Fraction(ends[1]), Fraction(ends[2])) if ends else (Fraction(text), Fraction(text))
        if self.lo > self.hi:
            raise ValueError(f"'{text}': the ends are the wrong way round")

    def within(self, other):
        return other.lo <= self.lo and self.hi <= other.hi


def refuted(claim, found, promised):
    """Returns True if `found claim promised` is false whatever the two values are within their enclosures."""
    sign = CLAIM.fullmatch(claim)[1]
    return {"<=": found.lo > promised.hi, "<": found.lo >= promised.hi, "==": found.lo > promised.hi or found.hi < promised.lo,
            ">=": found.hi < promised.lo, ">": found.hi <= promised.lo}[sign]


def kind_of(item):
    return "run" if isinstance(item, dict) else item.split(" ", 1)[0]


def pieces(row):
    """Every piece of evidence of a row: its own, its counterexamples', its correction's."""
    yield from row.get("evidence", ())
    for case in row.get("counterexample", ()):
        if "shown" in case:
            yield case["shown"]
        yield from (case[side] for side in ("found", "promised") if isinstance(case.get(side), dict))
    yield from row.get("corrected", {}).get("evidence", ())


class Paper:
    def __init__(self, path):
        data = tomllib.loads(path.read_text())
        self.key, self.path = path.stem, path.relative_to(ROOT)
        self.title, self.complete = data.pop("title"), data.pop("complete")
        self.rows = data.pop("row", [])
        self.unknown = list(data)
        _, self.inventory = inventory.read(self.key)
        self.places = {f"{kind} {number}": (section, line) for kind, number, section, line in self.inventory}

    def covered(self, section):
        """Returns True if every number of this section must have a row."""
        if isinstance(self.complete, bool):
            return self.complete
        return any(section == part or section.startswith(part + ".") for part in self.complete)

    def place(self, row):
        return self.places.get(row["at"]) or (row.get("section", "-"), row.get("line", 0))


def papers():
    return [Paper(FOLDER / f"{key}.toml") for key in inventory.FORMS]


def missing(paper):
    have = {row["at"] for row in paper.rows}
    for kind, number, section, line in paper.inventory:
        if paper.covered(section) and f"{kind} {number}" not in have:
            yield f"{paper.key}/{kind} {number}: in the inventory (section {section}, line {line}), and without a row"


def evidence_problems(name, status, evidence):
    for item in evidence:
        if kind_of(item) == "run":
            if set(item) != {"run", "get", "within"}:
                yield f"{name}: a command is given by run, get and within, not {', '.join(item)}"
        elif kind_of(item) not in ("test", "goal", "coq") or len(item.split()) != 2:
            yield f"{name}: evidence '{item}': expected 'test SUITE/NAME', 'goal FUNCTION', 'coq THEOREM' or a command"
    if status in NEEDS and not NEEDS[status] & {kind_of(item) for item in evidence}:
        yield f"{name}: {status} asks for evidence of the kinds {', '.join(sorted(NEEDS[status]))}"


def case_problems(name, case):
    yield from (f"{name}: a counterexample has no {key}" for key in ("story", "claim", "found", "promised") if key not in case)
    yield from (f"{name}: unknown key {key} of a counterexample" for key in set(case) - CASE_KEYS)
    if not CLAIM.fullmatch(case.get("claim", "")):
        yield f"{name}: claim '{case.get('claim')}': expected 'found SIGN promised'"
    if "shown" not in case and not isinstance(case.get("found"), dict):
        yield f"{name}: a counterexample is shown by a test, or found by a command"


def row_problems(paper, row):
    name = f"{paper.key}/{row.get('at', '?')}"
    yield from (f"{name}: no {key}" for key in ("at", "says", "status") if not row.get(key))
    yield from (f"{name}: unknown key {key}" for key in set(row) - ROW_KEYS)
    if row.get("status") not in STATUSES:
        yield f"{name}: status '{row.get('status')}': expected one of {', '.join(STATUSES)}"
    if row["at"] not in paper.places and not ("section" in row and "line" in row):
        yield f"{name}: not in the inventory, and without section and line"
    yield from evidence_problems(name, row["status"], row.get("evidence", []))
    if row["status"] in ("unreadable", "out of reach") and not row.get("why"):
        yield f"{name}: {row['status']} must say why"
    if (row["status"] == "refuted") != bool(row.get("counterexample")):
        yield f"{name}: refuted rows, and no others, have counterexamples"
    if row["status"] == "refuted":
        yield from (f"{name}: refuted, and without {key}" for key in ("reading", "corrected") if not row.get(key))
        for case in row.get("counterexample", ()):
            yield from case_problems(name, case)
        fixed = row.get("corrected", {})
        if fixed.get("status") not in (*STATUSES, "none known"):
            yield f"{name}: the corrected statement has status '{fixed.get('status')}'"
        yield from evidence_problems(f"{name}, corrected", fixed.get("status"), fixed.get("evidence", []))


def circles(paper):
    """Rows that rest on themselves, by way of others."""
    rests = {row["at"]: [other for other in row.get("rests", ())] for row in paper.rows}
    for at in rests:
        seen, ahead = set(), list(rests[at])
        while ahead:
            other = ahead.pop()
            if other not in seen:
                seen.add(other)
                ahead += rests.get(other, [])
        if at in seen:
            yield f"{paper.key}/{at}: rests on itself"


def problems(all_papers):
    """Yields the faults of the data alone, before anything is run."""
    names = {f"{paper.key}/{at}" for paper in all_papers for at in [*paper.places, *(row["at"] for row in paper.rows)]}
    for paper in all_papers:
        yield from (f"{paper.path}: unknown key {key}" for key in paper.unknown)
        yield from (f"{paper.key}: the inventory lacks {gap}" for gap in inventory.gaps(paper.inventory))
        yield from missing(paper)
        yield from circles(paper)
        seen = [row["at"] for row in paper.rows]
        yield from (f"{paper.key}/{at}: {seen.count(at)} rows" for at in dict.fromkeys(seen) if seen.count(at) > 1)
        for row in paper.rows:
            yield from row_problems(paper, row)
            for other in row.get("rests", ()):
                if (other if "/" in other else f"{paper.key}/{other}") not in names:
                    yield f"{paper.key}/{row['at']}: rests on '{other}', which is no statement"
