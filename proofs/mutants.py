# SPDX-License-Identifier: MIT
"""Faults planted one at a time in a scratch copy: each must be caught.

A fault is a text that stands exactly once in a file, and what replaces it. There are two kinds.

A fault of the proof (`function`) is caught when the function it touches is no longer proved. A copy that Frama-C cannot
read is a bad fault, not a caught one. Time limits are of the clock, and a goal may be left unproved because the machine is
busy. So there is a control: at once, and under the same limit, the clause that was not proved with the fault must be proved
without it, by the provers and not out of a cache. If it is not, both are tried once more for longer; if it then still is
not, the fault does not count as caught. A fault may say which `clause` it breaks; then that one is tried, and no other.

A fault of the gate (`says`) goes round the proof: everything would be proved, or something else than what is compiled. The
driver of the copy runs as it stands there, on `unit`, without a prover unless `proves` says so, and the fault is caught
when it exits with 1 and objects in these words. No fault is planted in a tree to which it objects as it stands. A fault that is
`harmless` reaches no compiler: the driver, which compares the objects of the copy with those of the text, finds nothing. `env` is
the environment that both run in, and `cc` the compiler that make hands on.
"""
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import gate
import judge
from wp import Refused

TIMEOUT = 4
PATIENCE = 10
FOLDERS = ("src/kernel", "acsl", "proofs")
FILES = ("docs/trust.md", "README.md", "Makefile")


def read(root):
    return json.loads((root / "proofs/mutations.json").read_text())


def find(root, name):
    for fault in read(root):
        if fault["name"] == name:
            return fault
    raise Refused(f"--fault '{name}': no fault of this name in mutations.json")


def edits_of(fault):
    return fault["edits"] if "edits" in fault else [{key: fault[key] for key in ("file", "find", "replace")}]


def copy(root, scratch):
    for folder in FOLDERS:
        shutil.copytree(root / folder, scratch / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in FILES:
        (scratch / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / file, scratch / file)


def plant(fault, root, scratch):
    copy(root, scratch)
    for edit in edits_of(fault):
        path = scratch / edit["file"]
        if "find" not in edit: # a file of its own
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(edit["text"])
            path.chmod(0o755 if edit["text"].startswith("#!") else 0o644)
            continue
        text = path.read_text()
        if text.count(edit["find"]) != 1:
            raise Refused(f"mutations.json, {fault['name']}: the text stands {text.count(edit['find'])} times "
                          f"in {edit['file']}, not once")
        path.write_text(text.replace(edit["find"], edit["replace"]))


def proves(prover, root, fault, clause, patience):
    """Returns True if this clause of the function is proved here and now; the whole function where it cannot be named."""
    for names in ([clause], []):
        result = prover.run(root, fault["unit"], [fault["function"]], smoke=False, stop_early=True, names=names,
                            patience=patience, mode="none")
        if result["goals"]:
            return not result["unproved"]
    return False


def is_controlled(prover, root, scratch, fault, goal, result):
    clause = judge.group(goal, result["functions"])[1]
    if proves(prover, root, fault, clause, 1):
        return True
    return not proves(prover, scratch, fault, clause, PATIENCE) and proves(prover, root, fault, clause, PATIENCE)


def by_clause(prover, root, scratch, fault):
    """A fault that says which clause it breaks: that one is proved without it and not with it."""
    clause = fault["clause"]
    try:
        for patience in (1, PATIENCE):
            if proves(prover, scratch, fault, clause, patience):
                return False, f"{clause} was proved"
            if proves(prover, root, fault, clause, patience):
                return True, f"unproved: {fault['function']}, {clause} ({fault['unit']})"
    except Refused as refusal:
        return False, f"unreadable: {refusal}"
    return False, f"{clause} is not proved without the fault either"


def by_proof(prover, root, scratch, fault, floor):
    if "clause" in fault:
        return by_clause(prover, root, scratch, fault)
    try:
        result = prover.run(scratch, fault["unit"], [fault["function"]], smoke=fault.get("smoke", False),
                            stop_early=True, mode="replay" if prover.cache else "none")
    except Refused as refusal:
        return False, f"unreadable: {refusal}"
    reasons = [*judge.objections(result, set(floor), set()), *judge.below_floor(result, floor, gate.BASELINE)]
    if fault["function"] not in result["functions"] or not reasons:
        return False, "everything was proved"
    unproved = result["unproved"]
    if unproved and not is_controlled(prover, root, scratch, fault, unproved[0], result):
        return False, f"{unproved[0]} is not proved without the fault either"
    return True, reasons[0]


def drive(scratch, fault):
    """The driver of the copy: its status, and what it objects to."""
    command = [sys.executable, "-B", "proofs/prove.py", "--only", fault["unit"], "--jobs", "1", *([] if fault.get("proves") else ["--read"]),
               *(["--cc", fault["cc"]] if "cc" in fault else [])]
    done = subprocess.run(command, cwd=scratch, env=os.environ | fault.get("env", {}), text=True, capture_output=True)
    return done.returncode, [line.removeprefix("probity prove: ") for line in done.stderr.splitlines()
                             if line.startswith("probity prove: ")]


def by_gate(scratch, fault):
    status, said = drive(scratch, fault)
    if fault.get("harmless"):
        return status == 0, "the object is that of the text" if status == 0 else f"exit {status}: {said[0] if said else 'no objection'}"
    wanted = [line for line in said if fault["says"] in line]
    if status == 1 and wanted:
        return True, wanted[0]
    return False, f"exit {status}: {said[0] if said else 'no objection'}"


def run(prover, root, only, floor, jobs):
    faults = [f for f in read(root) if not only or only in f["unit"] or only in (f.get("function"), f["name"])]
    folder = prover.scratch / "mutants"
    whole, prover.timeout, prover.jobs = (prover.timeout, prover.jobs), TIMEOUT, 1

    def attempt(fault):
        scratch = folder / fault["name"]
        plant(fault, root, scratch)
        caught, outcome = (by_gate(scratch, fault) if "says" in fault or "harmless" in fault else by_proof(prover, root, scratch, fault, floor))
        shutil.rmtree(scratch)
        return fault | {"caught": caught, "outcome": outcome}

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
