#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A record of each goal that was proved, and its replay, by the provers alone.

make prove writes build/proofs.record.json: of each goal its unit, the digest of the file that its prover was given, the prover with its
version, and the time. A replay has Frama-C write these files again, without a cache and without a prover, compares the digests, and
hands each file to the prover of the record itself: neither Frama-C nor Why3 stands between the file and the answer. For a tenth of
the goals, by a seed that is printed, the other prover is asked too. Goals that WP's own simplifier proved have no file: that it proves them
again is seen in what Frama-C prints.   usage: replay.py [--build DIR] [--only NAME] [--seed N] [--jobs N]"""
import argparse
import hashlib
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import judge
from table import Progress

ROOT = Path(__file__).resolve().parent.parent
FILE = "proofs.record.json"
LEAST, PATIENCE = 20, 4 # seconds, and how many times the recorded time the prover of the record may take
PROVERS = {"CVC4": lambda path, seconds: ("cvc4", "--lang=smt2", f"--tlimit={1000 * seconds}", path),
           "Z3": lambda path, seconds: ("z3", "-smt2", f"-T:{seconds}", path)}


def suffix(by):
    """Returns the ending that WP gives the name of the file for a prover."""
    return re.sub(r"\W", "_", by)


def digests(folder):
    """{goal: {prover's suffix: digest}} of the files that WP wrote below a folder."""
    found = {}
    for path in Path(folder).glob("*/*_Why3_*.why"):
        goal, _, prover = path.stem.rpartition("_Why3_")
        found.setdefault(goal, {})[prover] = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    return found


# ---- the record -----------------------------------------------------------------------------------------

def goals(result):
    """The record of a unit: each goal that counts, by its name."""
    found = {}
    for goal in judge.counted(result):
        said = result["records"][goal]
        name, _, version = said["by"].partition(" ")
        found[goal] = {"prover": name, "version": version, "seconds": said["took"],
                       "digest": result["tasks"].get(goal, {}).get(suffix(said["by"]))}
    return found


def write(path, results, tools):
    """Replaces the units of these results; of others the record stays."""
    try:
        record = json.loads(Path(path).read_text())
    except (OSError, ValueError):
        record = {"units": {}}
    record["tools"] = tools
    record["units"] |= {r["unit"]: {"text": r["text"], "goals": goals(r)} for r in results}
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


# ---- the replay -----------------------------------------------------------------------------------------

def differences(unit, said, text, records, made):
    """Yields the parts of a unit's record that Frama-C does not repeat. `records`: the goals that it prints, `made`: digests of files."""
    if said["text"] != text:
        yield f"{unit}: another text than in the record"
    yield from (f"{unit}: {goal}: in the record and not here" for goal in said["goals"] if goal not in records)
    yield from (f"{unit}: {goal}: here and not in the record" for goal in records if goal not in said["goals"])
    for goal, one in said["goals"].items():
        if goal not in records:
            continue
        by = f"{one['prover']} {one['version']}".strip()
        if one["prover"].lower() in judge.OWN:
            if records[goal]["status"] != "Valid" or records[goal]["by"] != by:
                yield f"{unit}: {goal}: proved by {by} in the record, and not here"
        elif one["digest"] is None or made.get(goal, {}).get(suffix(by)) != one["digest"]:
            yield f"{unit}: {goal}: another goal for {by} than in the record"


def answer(path, prover, seconds):
    """The prover's own word: unsat is a proof."""
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(Path(path).read_text().partition("\n")[2]) # the first line is WP's
        file.flush()
        try:
            done = subprocess.run(PROVERS[prover](file.name, seconds), text=True, capture_output=True, timeout=2 * seconds + 5)
        except subprocess.TimeoutExpired:
            return "timeout"
    return (done.stdout.split() or ["nothing"])[0]


def chosen(record, seed):
    """A tenth of the goals that a prover proved: (unit, goal)."""
    every = sorted((unit, goal) for unit, said in record["units"].items() for goal, one in said["goals"].items() if one["prover"] in PROVERS)
    return set(random.Random(seed).sample(every, math.ceil(len(every) / 10)))


def replay(prover, unit, said, tenth, jobs):
    """(differences, goals replayed, confirmed, not confirmed) of one unit."""
    with tempfile.TemporaryDirectory(dir=prover.scratch) as folder:
        every = ["-wp-prover", ",".join(prover.provers[:2]), "-wp-timeout", "1"]
        evidence = prover.ask(ROOT, unit, phases=[every], mode="offline", out=folder)
        run = judge.Run(evidence["runs"][0]["lines"])
        found = list(differences(unit, said, evidence["text"], run.goals, evidence["tasks"]))
        work = [(goal, one["prover"], one) for goal, one in said["goals"].items() if one["prover"] in PROVERS]
        work += [(goal, next(p for p in PROVERS if p != by), one) for goal, by, one in work if (unit, goal) in tenth]
        files = {(path.stem.rpartition("_Why3_")[0], path.stem.rpartition("_Why3_")[2].split("_")[0]): path for path in Path(folder).glob("*/*_Why3_*.why")}

        def ask(item):
            goal, by, one = item
            seconds = max(LEAST, math.ceil(PATIENCE * one["seconds"])) if by == one["prover"] else LEAST
            return answer(files[goal, by], by, seconds) if (goal, by) in files else "no file"
        with ThreadPoolExecutor(jobs) as pool:
            answers = list(zip(work, pool.map(ask, work)))
    own = [(goal, said_) for (goal, by, one), said_ in answers if by == one["prover"]]
    second = [(goal, by, said_) for (goal, by, one), said_ in answers if by != one["prover"]]
    found += [f"{unit}: {goal}: proved in the record, and now {said_}" for goal, said_ in own if said_ != "unsat"]
    found += [f"{unit}: {goal}: {by} refutes it" for goal, by, said_ in second if said_ == "sat"]
    open_ = [f"{unit}: {goal}: {by} says {said_}" for goal, by, said_ in second if said_ not in ("unsat", "sat")]
    return found, len(own), sum(said_ == "unsat" for _, _, said_ in second), open_


def main():
    from wp import Prover
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build", metavar="DIR")
    parser.add_argument("--only", metavar="NAME", help="a part of a file's name")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="chooses the goals for the second prover; by the clock if not given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args()
    path = Path(options.build) / FILE
    try:
        record = json.loads(path.read_text())
    except (OSError, ValueError):
        print(f"probity prove: {path}: expected a record that make prove wrote", file=sys.stderr)
        return 2
    seed = options.seed if options.seed is not None else time.time_ns() % 10**9
    prover = Prover(Path(options.build) / "proofs", options.jobs, 1, False)
    tenth = chosen(record, seed)
    units = [unit for unit in record["units"] if not options.only or options.only in unit]
    found = [f"tools: {prover.versions} here, {record['tools']} in the record"] if prover.versions != record["tools"] else []
    found += [f"{unit}: in the record, and no such file" for unit in units if not (ROOT / unit).is_file()]
    count, confirmed, open_, progress = 0, 0, [], Progress(len(units))
    for unit in (u for u in units if (ROOT / u).is_file()):
        more, own, second, unknown = replay(prover, unit, record["units"][unit], tenth, options.jobs)
        found, count, confirmed, open_ = found + more, count + own, confirmed + second, open_ + unknown
        progress(unit)
    progress.end()
    for line in open_:
        print(f"not confirmed: {line}")
    for line in found:
        print(f"probity prove: replay: {line}", file=sys.stderr)
    every = sum(len(record["units"][unit]["goals"]) for unit in units)
    print(f"replay: {every} goals in {len(units)} units, {count} by the provers, {every - count} by WP itself; seed {seed}: "
          f"{confirmed} of {confirmed + len(open_)} confirmed by a second prover; {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
