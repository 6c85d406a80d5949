"""Faults planted one at a time in a scratch copy: each must make the proof fail.

A fault is a text that stands exactly once in a file, and what replaces it. It is caught when the function it
touches is no longer proved. A copy that Frama-C cannot read is a bad fault, not a caught one.
"""
import json
import shutil
from concurrent.futures import ThreadPoolExecutor

from wp import Refused

TIMEOUT = 4


def plant(fault, root, scratch):
    for folder in ("src/kernel", "acsl", "proofs/alignment"):
        shutil.copytree(root / folder, scratch / folder)
    path = scratch / fault["file"]
    text = path.read_text()
    if text.count(fault["find"]) != 1:
        raise Refused(f"mutations.json, {fault['name']}: the text stands {text.count(fault['find'])} times "
                      f"in {fault['file']}, not once")
    path.write_text(text.replace(fault["find"], fault["replace"]))


def run(prover, root, floor, listed, jobs, judge, below_floor):
    faults = json.loads((root / "proofs/mutations.json").read_text())
    folder = prover.scratch / "mutants"
    whole, prover.timeout, prover.jobs = (prover.timeout, prover.jobs), TIMEOUT, 1

    def attempt(fault):
        scratch = folder / fault["name"]
        plant(fault, root, scratch)
        try:
            result = prover.run(scratch, fault["unit"], [fault["function"]], fault.get("smoke", False), True)
        except Refused as refusal:
            return fault | {"caught": False, "outcome": f"unreadable: {refusal}"}
        reasons = [*judge(result, set(floor), listed), *below_floor(result, floor)]
        if fault["function"] not in result["functions"]:
            reasons = []
        return fault | {"caught": bool(reasons), "outcome": reasons[0] if reasons else "everything was proved"}

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
