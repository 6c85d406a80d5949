# SPDX-License-Identifier: MIT
"""Moves the number or the inequality that decides a row across the truth: a row that holds both ways has decided nothing.

A test declares its decision by tests/claims/decide.h, a counterexample by `found` and `promised`, a command by `within`. Proofs
declare none: `make prove MUTATE=1` plants faults in the code that WP proves, and a theorem of Coq is not mutated.
"""
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

from inventory import ROOT
from ledger import CLAIM, Value, kind_of, pieces

# Pairs of a row and a test whose decision is not declared yet, a line each. A pair that is not listed declares it.
LIST = ROOT / "tests/claims/undecided.txt"


def undeclared(row, name, decided):
    """The tests of a row that do not declare what decides it. A counterexample declares it by what its test tells."""
    items = [*row.get("evidence", ()), *row.get("corrected", {}).get("evidence", ())]
    tests = {item.split(" ", 1)[1] for item in items if kind_of(item) == "test"}
    return sorted(test for test in tests if (test, name) not in decided)


def listed():
    return {tuple(line.split("\t")) for line in LIST.read_text().splitlines() if line and not line.startswith("#")}


def by_proofs(row):
    items = list(pieces(row))
    return bool(items) and all(kind_of(item) in ("coq", "goal") for item in items)


def declarations(all_papers, decided):
    """Prints how many rows declare their decision; the reasons why the list of those that do not is wrong."""
    missing, rows, whole, proofs = set(), 0, 0, 0
    for paper in all_papers:
        for row in paper.rows:
            name = f"{paper.key}/{row['at']}"
            proofs += by_proofs(row)
            if by_proofs(row) or not list(pieces(row)):
                continue
            rows += 1
            lacking = undeclared(row, name, decided)
            whole += not lacking
            missing |= {(name, test) for test in lacking}
    print(f"decisions: {whole} of {rows} rows with tests or commands declare what decides them; {proofs} rest on proofs alone")
    yield from (f"{row}: {test} does not declare what decides the row (tests/claims/decide.h)" for row, test in sorted(missing - listed()))
    yield from (f"{LIST.relative_to(ROOT)}: {row}, {test}: declared by now, or gone" for row, test in sorted(listed() - missing))


def away(ends):
    """An interval of the same width beside this one."""
    lo, hi = (Fraction(end) for end in ends)
    step = 2 * (hi - lo) + (abs(hi) or 1) / 2**20
    return [str(lo + step), str(hi + step)]


def moved_case(case):
    """The counterexample with `found` moved to where the claim is true."""
    if isinstance(case["found"], dict):
        return case | {"found": case["found"] | {"within": away(case["found"]["within"])}}
    ends = case["promised"]["within"] if isinstance(case["promised"], dict) else None
    promised = Value(f"[{', '.join(ends)}]" if ends else case["promised"])
    sign = CLAIM.fullmatch(case["claim"])[1]
    return case | {"found": str({"<": promised.lo - 1, ">": promised.hi + 1, "<=": promised.lo, ">=": promised.hi}.get(sign, promised.lo))}


def unmoved(row, name, evidence):
    """The commands and counterexamples of a row that hold as well when their number is moved."""
    for item in pieces(row):
        if kind_of(item) == "run" and not evidence.answer_failure(item | {"within": away(item["within"])}):
            yield f"{name}: {item['run']}: holds with another number as well"
    for case in row.get("counterexample", ()):
        if not isinstance(case["found"], dict) and not evidence.case_failure(moved_case(case), name):
            yield f"{name}: the counterexample refutes with another number as well"


def run_moved(build, suite, tests, row):
    """The tests of a suite that pass although the decision of this row is moved, or do not end by an assertion. Criterion's TAP is
    read, as its JSON does not escape the messages of failures."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.tap"
        environment = {key: value for key, value in os.environ.items() if key != "CLAIMS_REPORT"}
        environment |= {"PROBITY": str(build / "probity"), "CLAIMS_MUTATE": row}
        subprocess.run([build / "suite", "--filter", f"{suite}/@({'|'.join(tests)})", f"--tap={result}", "-j1", "--quiet", "--timeout",
                        "240"], cwd=ROOT, env=environment, check=False, capture_output=True)
        said = result.read_text(errors="replace") if result.is_file() else ""
    ended = {test: re.search(rf"^(not ok|ok) - {suite}::{test}\b.*$", said, re.M) for test in tests}
    return [f"{row}: test {suite}/{test}: {found[0] if found else 'not run'}: it must fail by an assertion with the decision moved"
            for test, found in ended.items() if not found or found[1] == "ok" or re.search("unexpected signal|timed", found[0])]


def mutations(all_papers, evidence, build):
    """Moves every declared decision; the reasons of those that did not fail."""
    found, number, groups = [], 0, {}
    for paper in all_papers:
        for row in paper.rows:
            name = f"{paper.key}/{row['at']}"
            number += sum(kind_of(item) == "run" for item in pieces(row)) + len(row.get("counterexample", ()))
            found += unmoved(row, name, evidence)
    for test, row in sorted(evidence.decided):
        groups.setdefault((test.split("/")[0], row), []).append(test.split("/")[1])
        number += 1
    with ThreadPoolExecutor(2) as pool:
        for lines in pool.map(lambda group: run_moved(build, group[0][0], group[1], group[0][1]), groups.items()):
            found += lines
    print(f"decisions: {number} moved across the truth, {len(found)} of them without a failure")
    proved = [f"{paper.key}/{row['at']}" for paper in all_papers for row in paper.rows if by_proofs(row)]
    print(f"decisions: not moved, as they rest on proofs alone: {'; '.join(proved)}")
    far = sorted(f"{row} ({test}: {sign})" for (test, row), sign in evidence.decided.items() if sign.far())
    for line in far:
        print(f"decisions: no comparison within a factor of 2: {line}")
    return found
