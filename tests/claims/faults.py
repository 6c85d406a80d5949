#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in ledgers, and shows that the checks of tests/claims find each: they must not be able to pass everything."""
import copy
import sys

import evidence
import inventory
import ledger
import mutate

ROW = {"at": "Theorem 1", "says": "something", "status": "tested", "evidence": ["test a/b"], "rests": ["Lemma 1"]}
FALSE = {"at": "Lemma 1", "says": "something", "status": "refuted", "reading": "as printed",
         "counterexample": [{"story": "one", "claim": "found <= promised", "found": "1/2", "promised": "1/4", "shown": "test a/c"}],
         "corrected": {"says": "other", "status": "tested", "evidence": ["test a/b"]}}


class Small:
    """A paper of two statements."""
    key, title, complete, unknown, path = "Small", "Small", True, [], "Small.toml"
    inventory = [("Theorem", "1", "1", 1), ("Lemma", "1", "2", 2)]
    places = {"Theorem 1": ("1", 1), "Lemma 1": ("2", 2)}

    def __init__(self):
        self.rows = [copy.deepcopy(ROW), copy.deepcopy(FALSE)]

    covered, place = lambda self, section: True, ledger.Paper.place


def without(index, *path):
    def edit(rows):
        at = rows[index]
        for key in path[:-1]:
            at = at[key]
        del at[path[-1]]
    return edit


def put(index, value, *path):
    def edit(rows):
        at = rows[index]
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    return edit


# Changes to the data, and a word of the complaint.
DATA = [(lambda rows: rows.pop(0), "without a row"), (lambda rows: rows.append(copy.deepcopy(ROW)), "2 rows"),
        (put(0, "believed", "status"), "expected one of"), (without(0, "evidence"), "asks for evidence"),
        (put(0, "proved", "status"), "asks for evidence"), (put(0, ["test ab"], "rests"), "no statement"),
        (put(0, "out of reach", "status"), "must say why"), (put(0, "refuted", "status"), "counterexamples"),
        (without(1, "counterexample"), "counterexamples"), (without(1, "reading"), "without reading"),
        (without(1, "corrected"), "without corrected"), (without(1, "counterexample", 0, "promised"), "no promised"),
        (without(1, "counterexample", 0, "shown"), "shown by a test"), (put(0, 1, "colour"), "unknown key"),
        (put(1, ["Theorem 1"], "rests"), "rests on itself"),
        (put(0, "Section 9, a claim", "at"), "without section and line"),
        (put(0, [{"run": "loss x"}], "evidence"), "run, get and within"), (put(0, ["proof a"], "evidence"), "expected 'test")]


def run(rows, passed=("test a/b", "test a/c"), told=("1/2", "1/4"), tags=("Small/Theorem 1", "Small/Lemma 1")):
    """The complaints about rows whose evidence came out like this."""
    checks = evidence.Evidence.__new__(evidence.Evidence)
    checks.tests = {"a/b": list(tags), "a/c": ["Small/Lemma 1"]}
    checks.goals, checks.theorems, checks.passed, checks.answers = {}, {}, set(passed), {}
    checks.told = {"Small/Lemma 1": told} if told else {}
    for row in rows:
        name = f"Small/{row['at']}"
        yield from filter(None, (checks.failure(item, name) for item in ledger.pieces(row)))
        yield from filter(None, (checks.case_failure(case, name) for case in row.get("counterexample", ())))


RUNS = [(dict(passed=("test a/c",)), "failed"), (dict(tags=("Small/Lemma 1",)), "does not name the row"),
        (dict(told=None), "does not tell"), (dict(told=("1/8", "1/4")), "the row says"), (dict(told=("1/2", "1/3")), "the row says")]


def mutated():
    """Yields what the mutation of a row must find: a decision that nobody declared, and numbers that may be moved without a
    failure."""
    checks = evidence.Evidence.__new__(evidence.Evidence)
    checks.told, checks.found = {"Small/Lemma 1": ("1/2", "1/4")}, {("loss x", "delta"): ledger.Value("[0.1, 0.2]")}
    item = {"run": "loss x", "get": "delta", "within": ["0.1", "0.2"]}
    yield mutate.undeclared(ROW, "Small/Theorem 1", {}) == ["a/b"], "a test without a decision counts as one with it"
    yield not mutate.undeclared(ROW, "Small/Theorem 1", {("a/b", "Small/Theorem 1"): None}), "a declared decision is not seen"
    yield not list(mutate.unmoved(FALSE | {"evidence": [item]}, "Small/Lemma 1", checks)), "intact numbers count as movable"
    checks.answer_failure = lambda item: None
    yield len(list(mutate.unmoved(ROW | {"evidence": [item]}, "Small/Theorem 1", checks))) == 1, "a command that always holds is not found"
    yield evidence.Decision("<=", "1", "2").far() and not evidence.Decision("<=", "3", "4").far(), "1 and 2 are not far apart"


def problems(edit):
    paper = Small()
    edit(paper.rows)
    return list(ledger.problems([paper]))


def main():
    missed = [f"an intact ledger: {line}" for line in [*problems(lambda rows: None), *run(Small().rows)]]
    missed += [f"'{word}' was not said" for edit, word in DATA if not any(word in line for line in problems(edit))]
    missed += [f"'{word}' was not said" for given, word in RUNS if not any(word in line for line in run(Small().rows, **given))]
    gone = Small().rows
    gone[0]["evidence"] = ["test a/nothing"]
    missed += [] if "does not exist" in list(run(gone)) else ["a test that does not exist was not missed"]
    still = Small().rows
    still[1]["counterexample"][0] |= {"found": "1/8"}
    missed += [] if any("does not refute" in line for line in run(still, told=("1/8", "1/4"))) else ["1/8 against 1/4 refutes"]
    missed += [] if list(inventory.gaps([("Lemma", "1", "1", 1), ("Lemma", "3", "1", 2), ("Figure", "1", "1", 3)])) == ["Lemma 2"] else ["no gap"]
    missed += [why for holds, why in mutated() if not holds]
    for line in missed:
        print(f"faults: {line}", file=sys.stderr)
    print(f"faults: {len(DATA) + len(RUNS) + 8} planted, {len(missed)} not caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
