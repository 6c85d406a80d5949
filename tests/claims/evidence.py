# SPDX-License-Identifier: MIT
"""Runs the evidence of the ledger: tests of the suite, goals of WP, theorems of Coq, commands. Each must exist and name its rows.

A test, a harness or a theorem names the rows that it stands for in a comment at it that ends with `claims: Key/Statement; ...`.
"""
import json
import os
import re
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kept
from inventory import ROOT
from ledger import Value, kind_of, refuted

COMMENT = r"/\*(?:(?!\*/).)*?\*/\s*"
TAG = re.compile(r"claims:(.*)", re.S)
SECONDS = 240


def tagged(comment):
    """The rows that a comment names."""
    found = TAG.search(re.sub(r"^\s*\*", "", re.sub(r"\*[/)]\s*$", "", comment), flags=re.M))
    return [" ".join(part.split()) for part in found[1].split(";")] if found else []


def tags_of_tests():
    """suite/name: the rows that the comment above it names, for every test of the suite."""
    tags = {}
    for path in sorted((ROOT / "tests").rglob("*.c")):
        for comment, suite, name in re.findall(rf"({COMMENT})?^Test\((\w+),\s*(\w+)", path.read_text(), re.S | re.M):
            tags[f"{suite}/{name}"] = tagged(comment)
    return tags


def tags_of_goals():
    """function: (unit, rows) for every function that a unit of the proofs defines."""
    tags = {}
    for folder in ("src/kernel", "acsl", "proofs/alignment"):
        for path in sorted((ROOT / folder).glob("*.c")):
            text = path.read_text()
            for found in re.finditer(rf"((?:{COMMENT})*)^[\w *]*\b(\w+)\([^;{{]*\)\s*\{{", text, re.S | re.M):
                rows = [row for comment in re.findall(COMMENT, found[1], re.S) for row in tagged(comment)]
                tags.setdefault(found[2], (str(path.relative_to(ROOT)), rows))
    return tags


def tags_of_theorems():
    tags = {}
    for path in sorted((ROOT / "proofs/coq").glob("*.v")):
        for comment, name in re.findall(r"(\(\*(?:(?!\*\)).)*?\*\)\s*)?^\s*Theorem\s+(\w+)", path.read_text(), re.S | re.M):
            tags[name] = (str(path.relative_to(ROOT)), tagged(comment))
    return tags


# The source and the row of a pby_statement that is refuted.
REFUTING = re.compile(r'\.source = "([^"\n]*)",\s*\.row = "([^"\n]*)",\s*\.refuted = true')


def named_in_code(status):
    """Yields the faults of the rows that the code's texts name (claimed lines, probity explain): a refuted one is told as such, by
    its text or by the pby_statement that it stands in. status is that of each row."""
    keys = "|".join({name.split("/")[0] for name in status})
    for path in sorted((ROOT / "src").rglob("*.c")):
        refuting = {text for pair in REFUTING.findall(path.read_text()) for text in pair}
        for said in re.findall(rf'"([^"\n]*\b(?:{keys})/[A-Z][^"\n]*)"', path.read_text()):
            row = max((name for name in status if re.search(re.escape(name) + r"(?!\w)", said)), key=len, default=None)
            if row is None:
                yield f"{path.relative_to(ROOT)}: '{said}' names no row"
            elif (status[row] == "refuted") != (said in refuting or ": refuted" in said):
                yield f"{path.relative_to(ROOT)}: '{said}', and the row {row} is {status[row]}"


class Decision:
    """The closest comparison that a test declared for a row."""

    def __init__(self, sign, found, bound):
        self.sign, self.found, self.bound = sign, found, bound

    def __str__(self):
        return self.found if self.sign == "is" else f"{self.found} {self.sign} {self.bound}"

    def far(self):
        """An inequality between positive numbers that are a factor of 2 or more apart, however close the instances come."""
        if self.sign not in ("<=", "<"):
            return False
        found, bound = Value(self.found), Value(self.bound)
        return found.hi <= 0 < bound.lo or 0 < 2 * found.hi <= bound.lo


class Evidence:
    """The evidence that was asked for, by kind; run() does all of it, and failure() tells of each."""

    def __init__(self, build):
        self.build = Path(build)
        self.tests, self.goals, self.theorems = tags_of_tests(), tags_of_goals(), tags_of_theorems()
        self.asked, self.passed, self.told, self.answers, self.found, self.decided = {}, set(), {}, {}, {}, {}

    def ask(self, item, row):
        key = json.dumps(item, sort_keys=True)
        self.asked.setdefault(key, (item, []))[1].append(row)

    def wanted(self, kind):
        return [item.split(" ", 1)[1] for item, _ in self.asked.values() if kind_of(item) == kind]

    def run(self):
        if found := kept.read(self.build):
            self.take(*found)
            print(f"tests: {len(self.passed)} have passed in make check, and nothing has changed since")
        with ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(self.run_suite, suite, names) for suite, names in self.suites().items()]
            jobs += [pool.submit(self.prove, unit) for unit in sorted(self.units())]
            jobs += [pool.submit(self.command, item) for item, _ in self.asked.values() if kind_of(item) == "run"]
            for job in jobs:
                job.result()

    # ---- tests ----
    def suites(self):
        """The tests that exist and have not passed, by suite: the runner cannot read a pattern of a hundred names."""
        suites = {}
        for name in sorted(set(self.wanted("test")) & set(self.tests)):
            if f"test {name}" not in self.passed:
                suites.setdefault(name.split("/")[0], []).append(name.split("/")[1])
        return suites

    def take(self, ran, told):
        """Takes in the results of a run of the suite."""
        self.passed |= {f"test {group['name']}/{test['name']}" for group in ran for test in group["tests"]
                        if test["status"] == "PASSED"}
        for line in told.splitlines():
            parts = line.split("\t")
            if len(parts) == 3:
                self.told[parts[0]] = tuple(parts[1:])
                continue
            for row in self.tests.get(parts[0], ()) if parts[1] == "*" else parts[1].split("; "):
                self.decided[parts[0], row] = Decision(*parts[2:])

    def run_suite(self, suite, names):
        with tempfile.TemporaryDirectory() as folder:
            result, told = Path(folder) / "result.json", Path(folder) / "told"
            told.touch()
            environment = os.environ | {"PROBITY": str(self.build / "probity"), "CLAIMS_REPORT": str(told)}
            subprocess.run([self.build / "suite", "--filter", f"{suite}/@({'|'.join(names)})", f"--json={result}", "-j1", "--quiet",
                            "--timeout", str(SECONDS)], cwd=ROOT, env=environment, check=False)
            ran = json.loads(result.read_text())["test_suites"] if result.is_file() else []
            self.take(ran, told.read_text())

    # ---- proofs ----
    def units(self):
        """The files to prove, for the goals and theorems that exist."""
        return {self.goals[name][0] for name in self.wanted("goal") if name in self.goals} | \
               {self.theorems[name][0] for name in self.wanted("coq") if name in self.theorems}

    def prove(self, unit):
        """Proves one file with the driver of `make prove`. CI is emptied so that the answers which make prove kept a moment ago are
        taken: they are kept by the digest of the file, its includes and the provers."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "proofs.json"
            done = subprocess.run(["python3", "proofs/prove.py", "--build", str(self.build), "--only", unit, "--jobs", "1",
                                   "--json", str(report)], cwd=ROOT, env=os.environ | {"CI": ""}, capture_output=True, text=True,
                                  check=False)
            if done.returncode != 0:
                said = [line for line in done.stderr.splitlines() if line.startswith("probity prove:")]
                self.answers[unit] = said[0] if said else "no answer"
                return
            for function in json.loads(report.read_text())["functions"]:
                if function["goals"] > 0:
                    self.passed |= {f"goal {function['function']}", f"coq {function['function']}"}

    # ---- commands ----
    def command(self, item):
        done = subprocess.run([self.build / "probity", *shlex.split(item["run"]), "--json"], cwd=ROOT, capture_output=True,
                              text=True, check=False)
        key = json.dumps(item, sort_keys=True)
        if done.returncode not in (0, 1) or not done.stdout:
            self.answers[key] = done.stderr.strip() or f"exit status {done.returncode}"
            return
        answer = json.loads(done.stdout)
        for part in item["get"].split("."):
            answer = answer.get(part, {}) if isinstance(answer, dict) else {}
        if not isinstance(answer, dict) or "lo" not in answer:
            self.answers[key] = f"the answer has no enclosure {item['get']}"
            return
        self.found[item["run"], item["get"]] = Value(f"[{answer['lo']}, {answer['hi']}]")

    def answer_failure(self, item):
        """Why the answer of a command is not within the interval of this item, or None."""
        value, expected = self.found[item["run"], item["get"]], Value(f"[{', '.join(item['within'])}]")
        return None if value.within(expected) else f"{item['get']} is {value.text}, not within {expected.text}"

    # ---- what came of it ----
    def failure(self, item, row):
        """Why a piece of evidence does not hold for this row, or None."""
        if kind_of(item) == "run":
            return self.answers.get(json.dumps(item, sort_keys=True)) or self.answer_failure(item)
        kind, name = item.split(" ", 1)
        known = {"test": self.tests, "goal": self.goals, "coq": self.theorems}[kind]
        if name not in known:
            return "does not exist"
        rows = known[name] if kind == "test" else known[name][1]
        if row not in rows:
            return "does not name the row"
        if item not in self.passed:
            return self.answers.get(known[name][0], "failed") if kind != "test" else "failed"
        return None

    def case_failure(self, case, row):
        """Why a counterexample does not refute, or None."""
        name = f"{row} ({case['part']})" if "part" in case else row
        sides = {}
        for place, side in enumerate(("found", "promised")):
            given = case[side]
            if isinstance(given, dict):
                sides[side] = Value(f"[{', '.join(given['within'])}]")
                continue
            sides[side] = Value(given)
            if "shown" in case:
                if name not in self.told:
                    return f"{case['shown']} does not tell what it found for '{name}'"
                told = Value(self.told[name][place])
                if not told.within(sides[side]):
                    return f"{side} is {told.text} in {case['shown']}, and the row says {given}"
        if not refuted(case["claim"], sides["found"], sides["promised"]):
            return f"{sides['found'].text} against {sides['promised'].text} does not refute '{case['claim']}'"
        return None

    def strays(self, names, cited):
        """Tags and decisions that name no row, or a row that does not cite them."""
        for test, row in self.decided:
            if (f"test {test}", row) not in cited:
                yield f"test {test}: decides '{row}', which does not cite it"
        for kind, known in (("test", self.tests), ("goal", self.goals), ("coq", self.theorems)):
            for name, value in known.items():
                for row in (value if kind == "test" else value[1]):
                    if row not in names:
                        yield f"{kind} {name}: names '{row}', which is no row"
                    elif (f"{kind} {name}", row) not in cited:
                        yield f"{kind} {name}: names '{row}', which does not cite it"
