# SPDX-License-Identifier: MIT
"""One unit of proof: a C file, run through Frama-C's WP, and what came of it.

A unit is proved on its own against the contracts in the headers that it includes; whatever it calls is
proved in the unit that defines it. This file asks and keeps what was printed; judge.py decides what it is worth.
"""
import csv
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import cache
import judge
import replay
import text as one
import texts
from source import INCLUDES

# Smoke tests look for a contradiction where something is assumed: requires, assumes and invariants of loops. There is none behind a
# call, since whatever is called is proved here too and cannot promise the impossible, and none in a branch: all that is known there was
# assumed before, is proved, or is the branch's own condition, so a contradiction is dead code and no wrong proof. The limit is of steps,
# more than nineteen proofs in twenty take, so that a busy machine is searched as thoroughly as an idle one. It is one of goals too: what
# takes more steps is left to the next phase.
SMOKE_LIMITS = ("-wp-smoke-tests", "-wp-smoke-timeout", "3", "-wp-steps", "60000")
SMOKE = (*SMOKE_LIMITS, "-wp-no-smoke-dead-call", "-wp-no-smoke-dead-code")
# The others count steps that are much shorter (Z3 takes 84,000 for the least proof in pby_ones): a limit of time serves them.
SMOKE_OF_OTHERS = ("-wp-steps", "0", "-wp-smoke-timeout", "5")
# The selection of -wp-prop that leaves the smoke tests, and of goals those of termination alone: WP drops a smoke test of
# requires or of a loop where no goal is left that rests on it.
SMOKE_ALONE = ",".join("-@" + kind for kind in ("requires", "ensures", "exits", "assigns", "assert", "check", "invariant",
                                                "variant", "complete_behaviors", "disjoint_behaviors"))
# Nearly every goal falls to this prover alone, and soon; the others take the time of their limit to fail.
FIRST, FIRST_TIMEOUT, SECOND_TIMEOUT = "cvc4", 4, 4
# Frama-C keeps much and throws little away: its collector of memory need not look so often.
COLLECTOR = "o=400"


class Refused(Exception):
    """The machine lacks a tool, or Frama-C could not read the unit."""


class Missing(Refused):
    """A tool is not installed; `package` is its name in Debian."""

    def __init__(self, tool, package):
        super().__init__(f"{tool} is not installed (Debian package {package})")
        self.package = package


PACKAGES = {"frama-c": "frama-c-base", "why3": "why3", "Z3": "z3", "CVC4": "cvc4", "coqc": "coq", "gcc": "gcc", "cc": "gcc"}


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
    smoke = SMOKE

    def __init__(self, folder, jobs, timeout, keeps, includes=INCLUDES):
        self.includes = includes
        self.folder, self.jobs, self.timeout, self.cache = Path(folder).resolve(), jobs, timeout, keeps
        self.folder.mkdir(parents=True, exist_ok=True)
        # what belongs to this run alone, so that two may run at the same time
        self.kept = tempfile.TemporaryDirectory(prefix="run-", dir=self.folder)
        self.scratch = Path(self.kept.name)
        self.goals = (self.folder if keeps else self.scratch) / "goals"
        self.goals.mkdir(exist_ok=True)
        config = self.scratch / "why3.conf"
        self.env = one.clean() | {"HOME": str(self.scratch), "WHY3CONFIG": str(config), "LC_ALL": "C.UTF-8", "OCAMLRUNPARAM": COLLECTOR}
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
        """Returns the subject of a result, and all that it depends on."""
        own = {Path(path).name: one.digest(Path(path).read_text()) for path in (__file__, texts.__file__)}
        return {"kind": kind, "unit": unit, "text": self.text(root, unit)[1], "driver": own,
                "options": {"read": judge.READ, "wp": judge.OPTIONS, "smoke": self.smoke, "includes": self.includes, "timeout": self.timeout},
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
        """The whole unit. The evidence is kept and not the verdict: it is judged each time."""
        key = self.key(root, unit)
        evidence = cache.stored(self.folder, key) if self.cache else None
        if evidence is None:
            evidence = self.evidence(root, unit)
            result = judge.unit(evidence)
            if judge.is_complete(result) and not any(result[kind] for kind in ("unproved", "smoke", "broken")):
                cache.store(self.folder, key, evidence)
        return judged(evidence)

    def evidence(self, root, unit):
        evidence = self.ask(root, unit, first=True)
        result = judge.unit(evidence)
        if result["unproved"] and (more := self.again(root, result)):
            evidence["runs"].append(more["runs"][0])
            # a second try asks for some clauses alone, and WP's files then differ: the record has the whole unit's, which a replay makes again
            evidence["tasks"] = {goal: more["tasks"].get(goal, {}) | evidence["tasks"].get(goal, {}) for goal in {**evidence["tasks"], **more["tasks"]}}
        if result["others"]:
            evidence["runs"] += self.smoke_with_others(root, result)
        return evidence

    def again(self, root, result):
        """The goals that failed once more, one prover at a time and for longer: the time limits are of the clock, and
        a busy machine is no disproof."""
        failed = {judge.group(g, result["functions"]) for g in result["unproved"]}
        return self.ask(root, result["unit"], sorted({f for f, _ in failed}), smoke=False, kind="again",
                        names=sorted({name for _, name in failed}), patience=3)

    def smoke_with_others(self, root, result):
        """The smoke tests by the other provers, where one of them proved a goal. A contradiction that a prover does not find
        is none that it made use of, and so the first is asked alone where it proved all."""
        phase = ["-wp-prover", ",".join(self.provers[1:]), *self.smoke, *SMOKE_OF_OTHERS, "-wp-prop=" + SMOKE_ALONE]
        return [self.ask(root, result["unit"], result["others"], phases=[phase], kind="smoke")["runs"][0]]

    def phases(self, first, smoke, timeout):
        """Frama-C's phases: the first prover for a short while, with the smoke tests; the first without a limit of steps, since
        most that is left falls to it too; and all side by side. Or all provers, then the smoke tests. Lists grow from one phase
        to the next."""
        every = ["-wp-prover", ",".join(self.provers[1 if first else 0:]), "-wp-timeout", str(timeout)]
        if first:
            return [["-wp-prover", FIRST, "-wp-timeout", str(FIRST_TIMEOUT), *(self.smoke if smoke else ())],
                    ["-wp-no-smoke-tests", "-wp-steps", "0", "-wp-timeout", str(min(SECOND_TIMEOUT, timeout))], every]
        return [every] + ([[*self.smoke, *SMOKE_OF_OTHERS]] if smoke else [])

    def run(self, root, unit, functions=(), **options):
        """The result of one run."""
        return judged(self.ask(root, unit, functions, **options))

    def ask(self, root, unit, functions=(), first=False, smoke=True, stop_early=False, names=(), patience=1, timeout=None,
            mode="update", phases=None, kind="first", out=None):
        """Evidence: one run of Frama-C, as it was asked and what it printed."""
        phases = phases or self.phases(first, smoke, (timeout or self.timeout) * patience)
        # a selection is forgotten from one phase to the next
        selected = ["-wp-fct", ",".join(functions)] if functions else []
        selected += ["-wp-prop", ",".join(names)] if names and "" not in names else []
        path, digest = self.text(root, unit)
        tasks = out or tempfile.mkdtemp(prefix="tasks-", dir=self.scratch)
        places, normal = (tempfile.mkstemp(suffix=suffix, dir=self.scratch)[1] for suffix in (".csv", ".c"))
        command = ["frama-c", *judge.READ, path, "-print", "-ocode", normal, "-then", "-no-print",
                   "-session", str(self.scratch / "session"), *judge.OPTIONS, "-wp-par", str(self.jobs if patience == 1 else 1),
                   "-wp-cache", mode, "-wp-cache-dir", str(self.goals), "-wp-out", str(tasks),
                   *(word for phase in phases for word in ("-wp", *phase, *selected, "-then")),
                   "-report", "-report-csv", places]
        begin, reader, lines = time.monotonic(), judge.Run(), []
        # places are relative to PWD
        process = subprocess.Popen(command, cwd=root, env=self.env | {"PWD": str(root)}, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            reader.line(lines[-1])
            if stop_early and (reader.unproved or reader.smoke):
                process.terminate()
                break
        process.stdout.close()
        status = process.wait()
        if status != 0 and not reader.unproved and not reader.smoke:
            raise Refused(f"{unit}: frama-c failed:\n" + "\n".join(reader.tail))
        said = texts.read("") if stop_early else self.said(root, unit, Path(normal).read_text())
        os.unlink(normal)
        made = {} if stop_early else replay.digests(tasks)
        if not out:
            shutil.rmtree(tasks)
        asked = {"kind": kind, "text": digest, "command": command, "status": status, "functions": list(functions), "lines": lines}
        return {"unit": unit, "text": digest, "runs": [asked], "said": said, "tasks": made, "places": unproved_places(places),
                "seconds": round(time.monotonic() - begin, 1)}

    def read(self, root, unit):
        """Reads the contracts of the unit, without a proof."""
        path, digest = self.text(root, unit)
        return {"unit": unit} | self.said(root, unit, self.tool("frama-c", *judge.READ, "-kernel-verbose", "0", path, "-print", cwd=root)) | {"text": digest}

    def said(self, root, unit, code):
        """Returns the contracts of the unit, as digests of its normal form, which Frama-C printed: a weaker clause shows."""
        try:
            said = texts.read(code)
        except ValueError as error:
            raise Refused(f"{unit}: not understood: {error}") from None
        said["logic"] = {f"{self.home(root, unit, name)}: {name}": digest for name, digest in said["logic"].items()}
        return said

    def home(self, root, unit, name):
        """The file that defines the logic of that name for this unit."""
        found = [path for path in closure(root, unit, self.includes)
                 if re.search(rf"\b(?:predicate|logic\s[\w *]+|lemma|inductive|axiomatic)\s*\b{name}\b", (root / path).read_text())]
        return found[0] if len(found) == 1 else unit


def judged(evidence):
    return judge.unit(evidence) | {"tasks": evidence["tasks"], "places": evidence["places"], "seconds": evidence["seconds"]}


def unproved_places(path):
    """Where the properties stand that were not proved, out of Frama-C's own list: file, line, function, kind and text."""
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if len(row) == 7][1:]
    os.unlink(path)
    return [[os.path.normpath(os.path.join(folder, name)), int(line), function, kind, text]
            for folder, name, line, function, kind, status, text in rows if status in ("Unknown", "Invalid")]
