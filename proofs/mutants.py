"""Faults planted one at a time in a scratch copy: each must make the proof fail.

A fault is a text that stands exactly once in a file, and what replaces it. It is caught when the function it
touches is no longer proved. A copy that Frama-C cannot read is a bad fault, not a caught one.

Time limits are of the clock, and a goal may be left unproved because the machine is busy. So there is a control:
at once, and under the same limit, the clause that was not proved with the fault must be proved without it, by the
provers and not out of a cache. If it is not, both are tried once more for longer; if it then still is not, the
fault does not count as caught.
"""
import json
import shutil
from concurrent.futures import ThreadPoolExecutor

from wp import Refused, group

TIMEOUT = 4
PATIENCE = 10


def plant(fault, root, scratch):
    for folder in ("src/kernel", "acsl", "proofs/alignment"):
        shutil.copytree(root / folder, scratch / folder)
    path = scratch / fault["file"]
    text = path.read_text()
    if text.count(fault["find"]) != 1:
        raise Refused(f"mutations.json, {fault['name']}: the text stands {text.count(fault['find'])} times "
                      f"in {fault['file']}, not once")
    path.write_text(text.replace(fault["find"], fault["replace"]))


def proves(prover, root, fault, clause, patience):
    """Whether this clause of the function is proved here and now; the whole function where it cannot be named."""
    for names in ([clause], []):
        result = prover.run(root, fault["unit"], [fault["function"]], smoke=False, stop_early=True, names=names,
                            patience=patience, cache="none")
        if result["goals"]:
            return not result["unproved"]
    return False


def is_controlled(prover, root, scratch, fault, goal, result):
    clause = group(goal, result)[1]
    if proves(prover, root, fault, clause, 1):
        return True
    return not proves(prover, scratch, fault, clause, PATIENCE) and proves(prover, root, fault, clause, PATIENCE)


def run(prover, root, only, floor, listed, jobs, judge, below_floor):
    faults = [f for f in json.loads((root / "proofs/mutations.json").read_text())
              if not only or only in f["unit"] or only == f["function"]]
    folder = prover.scratch / "mutants"
    whole, prover.timeout, prover.jobs = (prover.timeout, prover.jobs), TIMEOUT, 1

    def attempt(fault):
        scratch = folder / fault["name"]
        plant(fault, root, scratch)
        try:
            result = prover.run(scratch, fault["unit"], [fault["function"]], smoke=fault.get("smoke", False),
                                stop_early=True, cache="replay" if prover.cache else "none")
        except Refused as refusal:
            return fault | {"caught": False, "outcome": f"unreadable: {refusal}"}
        reasons = [*judge(result, set(floor), listed), *below_floor(result, floor)]
        if fault["function"] not in result["functions"] or not reasons:
            return fault | {"caught": False, "outcome": "everything was proved"}
        unproved = result["unproved"]
        if unproved and not is_controlled(prover, root, scratch, fault, unproved[0], result):
            return fault | {"caught": False, "outcome": f"{unproved[0]} is not proved without the fault either"}
        return fault | {"caught": True, "outcome": reasons[0]}

    print(f"\n{len(faults)} faults, one at a time")
    try:
        with ThreadPoolExecutor(jobs) as pool:
            done = []
            for fault in pool.map(attempt, faults):
                print(f"  {'caught' if fault['caught'] else 'MISSED'}  {fault['name']:28} {fault['outcome']}", flush=True)
                done.append(fault)
    finally:
        prover.timeout, prover.jobs = whole
    return done
