# SPDX-License-Identifier: MIT
"""One unit of proof: a C file, run through Frama-C's WP, and what came of it.

A unit is proved on its own against the contracts in the headers that it includes; whatever it calls is
proved in the unit that defines it. The result is a plain dictionary, so that it can be kept by content.
"""
import csv
import os
import re
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import cache
import text as one
import texts
from source import INCLUDES

# A text is C11 that was preprocessed, for the machine of acsl/c11.
READ = ("-no-unicode", "-c11", "-machdep", "x86_64", "-no-pp-annot")
# Two of WP's own simplifications are switched off: they take half of its time, and the provers do not miss them.
OPTIONS = ("-wp-rte", "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-wp-no-ground", "-wp-no-pruning")
# No smoke test after each call: whatever is called is proved here too, and cannot promise the impossible. The limit
# is of steps, more than nineteen proofs in twenty take, so that a busy machine is searched as thoroughly as an idle one. It
# is one of goals too: what takes more steps is left to the next phase.
SMOKE = ("-wp-smoke-tests", "-wp-smoke-timeout", "3", "-wp-steps", "60000", "-wp-no-smoke-dead-call")
# The others count steps that are much shorter (Z3 takes 84,000 for the least proof in pby_ones): a limit of time serves them.
SMOKE_OF_OTHERS = ("-wp-steps", "0", "-wp-smoke-timeout", "5")
# What -wp-prop leaves over when no goal is asked for.
SMOKE_ALONE = ",".join("-@" + kind for kind in ("requires", "ensures", "exits", "assigns", "assert", "check", "invariant",
                                                "variant", "terminates", "complete_behaviors", "disjoint_behaviors"))
# Nearly every goal falls to this prover alone, and soon; the others take the time of their limit to fail.
FIRST, FIRST_TIMEOUT, SECOND_TIMEOUT = "cvc4", 4, 4
# Frama-C keeps much and throws little away: its collector of memory need not look so often.
COLLECTOR = "o=400"
# A clause of one of these names speaks of how many words lead to a result.
PROBABILITY = re.compile(r"(?:^|_)(?:exact|law|fair)(?:_|$)")
# And of a harness align_NAME, or of private_NAME (statement.py), one of these says that the mechanism is private.
ALIGNMENT = re.compile(r"^align_\w+ ensures_(?:same|injective|cost|fails)(?:_|$)|^private_\w+ assert_(?:same|injective|cost|fails)(?:_|$)")
SAFETY = re.compile(r"assert_rte_|terminates|loop_variant|^call_")
COLUMNS = ("safety", "contract", "probability", "alignment")

GOAL = re.compile(r"^\[wp\] \[([^\]]+)\] Goal (?:typed_)?(\S+)(?: : (\w+))?(.*)$")
TIME = re.compile(r"\((?:Qed:)?([0-9.]+)(ms|s)\)")


class Refused(Exception):
    """The machine lacks a tool, or Frama-C could not read the unit."""


class Missing(Refused):
    """A tool is not installed; `package` is its name in Debian."""

    def __init__(self, tool, package):
        super().__init__(f"{tool} is not installed (Debian package {package})")
        self.package = package


PACKAGES = {"frama-c": "frama-c-base", "why3": "why3", "Z3": "z3", "CVC4": "cvc4", "coqc": "coq", "gcc": "gcc", "cc": "gcc"}


def column(clause, function):
    if SAFETY.search(clause):
        return "safety"
    if ALIGNMENT.match(f"{function} {clause}"):
        return "alignment"
    return "probability" if PROBABILITY.search(clause) else "contract"


def closure(root, unit, includes=INCLUDES):
    """The unit and every file of the project that it includes, directly or not."""
    seen, todo = [], [unit]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.append(path)
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', (root / path).read_text(), re.M):
            found = [os.path.normpath(os.path.join(d, name)) for d in (os.path.dirname(path), *includes)
                     if (root / d / name).is_file()]
            if not found:
                raise Refused(f'{path}: include "{name}" not found')
            todo.append(found[0])
    return sorted(seen)


class Prover:
    """The tools, configured under a folder of their own; the user's home is neither read nor written."""

    foreign = False # mechanisms that are not ours may have constants of their own in contracts

    def __init__(self, folder, jobs, timeout, keeps, includes=INCLUDES):
        self.includes, self.smoke = includes, SMOKE
        self.folder, self.jobs, self.timeout, self.cache = Path(folder).resolve(), jobs, timeout, keeps
        self.folder.mkdir(parents=True, exist_ok=True)
        # what belongs to this run alone, so that two may run at the same time
        self.kept = tempfile.TemporaryDirectory(prefix="run-", dir=self.folder)
        self.scratch = Path(self.kept.name)
        self.goals = (self.folder if keeps else self.scratch) / "goals"
        self.goals.mkdir(exist_ok=True)
        config = self.scratch / "why3.conf"
        self.env = dict(os.environ, WHY3CONFIG=str(config), LC_ALL="C.UTF-8", OCAMLRUNPARAM=COLLECTOR)
        self.tool("why3", "config", "detect")
        found = set(re.findall(r'^name = "(.*)"', config.read_text(), re.M))
        for name in ("Z3", "CVC4"):
            if name not in found:
                raise Missing(f"the prover {name}, which why3 looks for,", PACKAGES[name])
        self.provers = [FIRST, "z3"] + (["alt-ergo"] if "Alt-Ergo" in found else [])
        self.versions = {"frama-c": self.tool("frama-c", "-version").strip()}
        for name, version in re.findall(r'^name = "(.*)"\n(?:.*\n)??version = "(.*)"', config.read_text(), re.M):
            if name.lower() in self.provers:
                self.versions[name.lower()] = version

    def tool(self, *command, cwd=None):
        env = self.env | ({"PWD": str(cwd)} if cwd else {})
        try:
            done = subprocess.run(command, cwd=cwd, env=env, text=True, capture_output=True, check=True)
        except FileNotFoundError:
            raise Missing(command[0], PACKAGES.get(command[0], command[0])) from None
        except subprocess.CalledProcessError as error:
            raise Refused(f"{' '.join(command)}: {error.stderr.strip() or error.stdout.strip()}") from None
        return done.stdout

    def key(self, root, unit, kind="proof"):
        """What a result is of, and all that it depends on."""
        own = {Path(path).name: one.digest(Path(path).read_text()) for path in (__file__, texts.__file__)}
        return {"kind": kind, "unit": unit, "text": self.text(root, unit)[1], "driver": own,
                "options": {"read": READ, "wp": OPTIONS, "smoke": self.smoke, "includes": self.includes, "timeout": self.timeout},
                "tools": {"provers": self.provers, "versions": self.versions}}

    def text(self, root, unit):
        """The text of the unit, as a file for Frama-C, and its digest."""
        try:
            said = one.make(root, unit, self.includes, self.foreign)
        except one.Unreadable as error:
            raise Refused(f"{unit}: {error}") from None
        digest = one.digest(said)
        path = self.scratch / "texts" / digest.removeprefix("sha256:")[:16] / f"{Path(unit).stem}.i"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, fresh = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "w") as file:
                file.write(said)
            os.replace(fresh, path) # whole, whoever else makes it
        return str(path), digest

    def prove(self, root, unit):
        """The whole unit, from the cache of results when nothing that it includes has changed."""
        key = self.key(root, unit)
        if self.cache and (result := cache.stored(self.folder, key)) and result["text"] == key["text"]:
            return result
        result = self.run(root, unit, first=True)
        if result["unproved"]:
            self.again(root, result)
        if result["others"]:
            self.smoke_with_others(root, result)
        if is_complete(result) and not result["unproved"] and not result["smoke"]:
            cache.store(self.folder, key, result)
        return result

    def again(self, root, result):
        """The goals that failed once more, one prover at a time and for longer: the time limits are of the clock, and
        a busy machine is no disproof."""
        failed = set(group(g, result) for g in result["unproved"])
        second = self.run(root, result["unit"], sorted({f for f, _ in failed}), smoke=False,
                          names=sorted({name for _, name in failed}), patience=3)
        # Numbers in the names of goals may differ between the runs: a clause counts when all its goals are there
        before, after = (Counter(group(g, r) for g in r["goals"]) for r in (result, second))
        still = set(group(g, second) for g in second["unproved"])
        won = {g for g in failed if g not in still and after[g] >= before[g]}
        result["unproved"] = [g for g in result["unproved"] if group(g, result) not in won]

    def smoke_with_others(self, root, result):
        """The smoke tests by the other provers, where one of them proved a goal. A contradiction that a prover does not find
        is none that it made use of, and so the first is asked alone where it proved all."""
        phase = ["-wp-prover", ",".join(self.provers[1:]), *self.smoke, *SMOKE_OF_OTHERS, "-wp-prop=" + SMOKE_ALONE]
        second = self.run(root, result["unit"], result["others"], phases=[phase])
        if second["goals"] or second["smoked"] + len(second["smoke"]) < len(result["others"]):
            raise Refused(f"{result['unit']}: the smoke tests of {', '.join(result['others'])} were not run")
        result["smoke"] = sorted({*result["smoke"], *second["smoke"]})

    def phases(self, first, smoke, timeout):
        """Frama-C's phases: the first prover for a short while, with the smoke tests; the first without a limit of steps, since
        most that is left falls to it too; and all side by side. Or all provers, then the smoke tests. Lists grow from one phase
        to the next."""
        every = ["-wp-prover", ",".join(self.provers[1 if first else 0:]), "-wp-timeout", str(timeout)]
        if first:
            return [["-wp-prover", FIRST, "-wp-timeout", str(FIRST_TIMEOUT), *(self.smoke if smoke else ())],
                    ["-wp-no-smoke-tests", "-wp-steps", "0", "-wp-timeout", str(min(SECOND_TIMEOUT, timeout))], every]
        return [every] + ([[*self.smoke, *SMOKE_OF_OTHERS]] if smoke else [])

    def run(self, root, unit, functions=(), first=False, smoke=True, stop_early=False, names=(), patience=1, timeout=None,
            mode="update", phases=None):
        phases = phases or self.phases(first, smoke, (timeout or self.timeout) * patience)
        # a selection is forgotten from one phase to the next
        selected = ["-wp-fct", ",".join(functions)] if functions else []
        selected += ["-wp-prop", ",".join(names)] if names and "" not in names else []
        path, digest = self.text(root, unit)
        places, normal = (tempfile.mkstemp(suffix=suffix, dir=self.scratch)[1] for suffix in (".csv", ".c"))
        command = ["frama-c", *READ, path, "-print", "-ocode", normal, "-then", "-no-print",
                   "-session", str(self.scratch / "session"), *OPTIONS, "-wp-par", str(self.jobs if patience == 1 else 1),
                   "-wp-cache", mode, "-wp-cache-dir", str(self.goals),
                   *(word for phase in phases for word in ("-wp", *phase, *selected, "-then")),
                   "-report", "-report-csv", places]
        begin, reader = time.monotonic(), Reader(unit)
        # places are relative to PWD
        process = subprocess.Popen(command, cwd=root, env=self.env | {"PWD": str(root)}, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        for line in process.stdout:
            reader.line(line.rstrip("\n"))
            if stop_early and (reader.unproved or reader.smoke):
                process.terminate()
                break
        process.stdout.close()
        if process.wait() != 0 and not reader.unproved and not reader.smoke:
            raise Refused(f"{unit}: frama-c failed:\n" + "\n".join(reader.tail))
        result = reader.result() | {"places": unproved_places(places), "text": digest}
        result["seconds"] = round(time.monotonic() - begin, 1)
        if not stop_early:
            result.update(self.said(root, unit, Path(normal).read_text()))
        os.unlink(normal)
        return result

    def read(self, root, unit):
        """What the unit says, without a proof."""
        path, digest = self.text(root, unit)
        return self.said(root, unit, self.tool("frama-c", *READ, "-kernel-verbose", "0", path, "-print", cwd=root)) | {"text": digest}

    def said(self, root, unit, code):
        """What the unit says, as digests of its normal form, which Frama-C printed: who weakens something shows it."""
        try:
            said = texts.read(code)
        except ValueError as error:
            raise Refused(f"{unit}: not understood: {error}") from None
        said["logic"] = {f"{self.home(root, unit, name)}: {name}": digest for name, digest in said["logic"].items()}
        return {"unit": unit} | said

    def home(self, root, unit, name):
        """The file that defines the logic of that name for this unit."""
        found = [path for path in closure(root, unit, self.includes)
                 if re.search(rf"\b(?:predicate|logic\s[\w *]+|lemma|inductive|axiomatic)\s*\b{name}\b", (root / path).read_text())]
        return found[0] if len(found) == 1 else unit


def unproved_places(path):
    """Where the properties stand that were not proved, out of Frama-C's own list: file, line, function, kind and text."""
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if len(row) == 7][1:]
    os.unlink(path)
    return [[os.path.normpath(os.path.join(folder, name)), int(line), function, kind, text]
            for folder, name, line, function, kind, status, text in rows if status in ("Unknown", "Invalid")]


def clause_name(clause):
    """What -wp-prop selects the clause by: its name, or its kind when it has none; nothing when unsure."""
    if "assert_rte_" in clause:
        return "rte"
    if match := re.search(r"(?:loop_invariant|ensures|requires|assert)_(\w+?)(?:_preserved|_established)?(?:_part\d+)?$", clause):
        return re.sub(r"_\d+$", "", match[1])
    for kind in ("assigns", "variant", "terminates", "complete", "disjoint"):
        if kind in clause:
            return "@" + kind + ("_behaviors" if kind in ("complete", "disjoint") else "")
    return ""


def group(goal, result):
    """The function of a goal, and the name of its clause."""
    owners = [f for f in result["functions"] if goal.startswith(f + "_")]
    name = max(owners, key=len, default="")
    return name, clause_name(goal[len(name) + 1:])


def is_complete(result):
    """Whether there were goals, and each phase was read as WP counts it."""
    return any(total > 0 for _, _, total in result["sums"]) and all(read == proved for read, proved, _ in result["sums"])


class Reader:
    """Reads what Frama-C prints. A line that is not understood is not a proof: in each phase goals are counted
    twice, one by one and in WP's own sum, and the two must agree."""

    def __init__(self, unit):
        self.unit, self.functions, self.goals, self.tail = unit, [], {}, []
        self.unproved, self.smoke, self.smoked, self.warnings, self.trusted = [], [], 0, [], []
        self.by = {}
        self.valid, self.sums = 0, []
        self.subject = self.last = None

    def line(self, text):
        self.tail = (self.tail + [text])[-12:]
        if match := re.match(r"\[rte:annot\] annotating function (\w+)", text):
            self.functions.append(match[1])
        elif match := GOAL.match(text):
            by, name, status, rest = match.groups()
            seconds = sum(float(n) / (1000 if unit == "ms" else 1) for n, unit in TIME.findall(rest))
            self.goals[name] = self.goals.get(name, 0) + seconds
            self.unproved = [goal for goal in self.unproved if goal != name] + ([name] if status != "Valid" else [])
            self.valid += status == "Valid"
            self.by[name] = by
        elif "moke-test" in text:
            if text.startswith("[wp] [Passed] Smoke-test"):
                self.smoked += 1
                self.valid += 1
            elif match := re.match(r"\[wp\] \[\w+\] Smoke-test (?:typed_)?(\S+)", text):
                self.smoke.append(match[1])
        elif match := re.match(r"\[wp\] Proved goals:\s+(\d+)\s*/\s*(\d+)", text):
            self.sums.append((self.valid, int(match[1]), int(match[2])))
            self.valid = 0
        elif text == "[wp] Warning: No goal generated" and self.sums:
            pass # an earlier phase left none
        elif "Warning:" in text or "User Error:" in text:
            self.warnings.append(text)
        elif self.warnings and text.startswith("  ") and self.last is not None and self.last == self.warnings[-1]:
            self.warnings[-1] += " " + text.strip()
            text = self.warnings[-1]
        else:
            self.report(text)
        self.last = text

    def report(self, text):
        """The property report: what is taken as valid without a proof."""
        if match := re.match(r"--- (?:Properties of Function '(\w+)'|Global)", text):
            self.subject = match[1]
        elif match := re.match(r"\[ *(\w+) *\] (\S+)(?: '([^']+)')?", text):
            status, kind, name = match.groups()
            if status != "Extern":
                return
            if kind in ("Axiom", "Admit"):
                self.trusted.append(f"{kind.lower()}:{name}")
            else:
                self.trusted.append(f"extern:{self.subject or name}")

    def owner(self, goal):
        owners = [f for f in self.functions if goal.startswith(f + "_")]
        return max(owners, key=len) if owners else None

    def result(self):
        functions = {f: dict.fromkeys(COLUMNS, 0) | {"seconds": 0.0, "clauses": []} for f in self.functions}
        strays = []
        for goal, seconds in self.goals.items():
            name = self.owner(goal)
            if name is None:
                strays.append(goal)
                continue
            clause = goal[len(name) + 1:]
            functions[name][column(clause, name)] += 1
            functions[name]["seconds"] = round(functions[name]["seconds"] + seconds, 3)
            functions[name]["clauses"].append(clause)
        others = {self.owner(goal) for goal, by in self.by.items() if by.split()[0].lower() not in (FIRST, "qed", "cfg")}
        return {"unit": self.unit, "functions": functions, "others": sorted(others - {None}), "goals": list(self.goals), "strays": strays,
                "unproved": self.unproved, "smoke": sorted(set(self.smoke)), "smoked": self.smoked,
                "warnings": self.warnings, "trusted": sorted(set(self.trusted)),
                "sums": self.sums}
