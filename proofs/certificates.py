#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the theorems that `probity certify --coq` writes of the specs in proofs/certificates.txt, and those that `probity
draw --coq` writes of the tables of proofs/tables.txt, with Coq and Interval.

Each must compile, switch off no check, and end with the theorem `certified` about its spec and number. Coq is asked what they rest
on and coqchk reads them again, all together (coqchk.py): docs/trust.md must list what they name. One whose law is finite, whose
proofs are those of all such, and each that builds on proofs/coq must not compile with a delta that is a little smaller, nor the
first of them with an outcome left out; nor must a small table with one cut that is one more or less. A file that was compiled
before, with the same tools and the same theory, is not compiled again.
usage: certificates.py [--build DIR] [--no-cache]; the command is DIR/probity"""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import coq
import coqchk
import theorem

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 600
THEORY = None # the folder of the compiled theory
BUILDS_ON = theorem.BUILDS_ON
EXAMPLE = "rr"
TABLE = re.compile(r"^(Definition table : list Z := \[)([\d;\s]+)(\]%Z\.)$", re.M)
ENTRIES = 8 # of a table that is small
THEOREM = re.compile(r"^Theorem (\w+)", re.M)
LAST = re.compile(r"^Theorem certified : certificate \"([^\"]*)\" \"([\w-]+)\" \(([-\d/]+)\) \(([\d/]+)\)\.\nProof\. exact proved\. Qed\.\n\Z", re.M)
OUTCOMES = re.compile(r"^(Definition outcomes : list Z := .*\(seq 0 )(\d+)(\)\.)$", re.M)
DELTA = re.compile(r"^(Definition delta : R := )(\d+)(/\d+\.)$", re.M)


def are_made(made, order):
    """Returns True if these very files were compiled in that folder."""
    return all((made / p.name).is_file() and (made / p.name).read_text() == p.read_text() and (made / f"{p.stem}.vo").is_file()
               for p in order)


def compile_theory(folder, made):
    """The files that theorems about infinite laws build on, which prove.py has compiled in `made` if it just ran; the text of
    all of them."""
    order = theorem.order(ROOT)
    text = "\0".join(p.read_text() for p in order)
    if (folder / "compiled").is_file() and (folder / "compiled").read_text() == text:
        return text
    (folder / "compiled").unlink(missing_ok=True)
    if are_made(made, order):
        for source in order:
            shutil.copy(made / f"{source.stem}.vo", folder)
        order = []
    for source in order:
        (folder / f"{source.stem}.vo").unlink(missing_ok=True)
    coq.compile_all(folder, order)
    (folder / "compiled").write_text(text)
    return text


def compiles(folder, name):
    """Returns a flag that a file compiles, and Coq's output."""
    return coq.coqc(folder, name, THEORY, seconds=SECONDS)


def taken(folder, theorems, trust):
    """Returns the assumptions of compiled files that docs/trust.md does not list; theorems are given by folder, which has its
    file's name, and name."""
    made = sorted({path for path, _ in theorems})
    modules = [path.name for path in made]
    where = dict(theory=THEORY, beside=made, seconds=SECONDS)
    rests = coqchk.assumptions(folder, modules, [f"{path.name}.{name}" for path, name in theorems], **where)
    return trust.strangers(rests) + trust.objections(coqchk.checked(folder, modules, THEORY, made, SECONDS), "certificates")


def write(probity, path, spec, epsilon):
    """The theorem of a spec."""
    subprocess.run((probity, "certify", spec, "--epsilon", epsilon, "--coq", path, "-o", path.with_suffix(".json")), check=True)


def refuses(path, name, text, what, reason):
    """That a file which was changed for the worse does not compile, for this reason."""
    (path.parent / "changed.v").write_text(text)
    good, output = compiles(path.parent, "changed")
    return [] if not good and reason in output else [f"{name}: {what} is not refused"]


def check(path, name, text):
    """Returns the faults of one theorem, line by line."""
    if len(DELTA.findall(text)) != 1 or not LAST.search(text):
        return [f"{name}: no theorem about one delta, or not at its end"]
    if found := coqchk.switches(name, text):
        return found
    good, output = compiles(path.parent, path.stem)
    if not good:
        return [f"{name}: not proved: {output.strip()}"]
    if name != EXAMPLE and BUILDS_ON not in text:
        return []
    lower = DELTA.sub(lambda m: f"{m[1]}{int(m[2]) - max(2, int(m[2]) // 10**12)}{m[3]}", text)
    found = refuses(path, name, lower, "a smaller delta", "Numerical evaluation failed to conclude")
    if name == EXAMPLE: # the last outcome has no mass at these truths, the one before it has
        fewer = OUTCOMES.sub(lambda m: f"{m[1]}{int(m[2]) - 2}{m[3]}", text)
        found += refuses(path, name, fewer, "a list of outcomes that misses mass", "No applicable tactic") if fewer != text else [f"{name}: no outcomes"]
    return found


def write_table(probity, path, spec):
    """The theorem of a table."""
    subprocess.run((probity, "draw", spec, "--coq", path), check=True)


def moved(text, by):
    """Returns the text with the middle one of the cuts moved."""
    table = [int(entry) for entry in TABLE.search(text)[2].split(";")]
    table[(len(table) + 1) // 2] += by
    return TABLE.sub(lambda m: m[1] + "; ".join(map(str, table)) + m[3], text)


def check_table(path, name, text):
    """Returns the faults of the theorem of a table, line by line."""
    name = f"table {name}"
    if THEOREM.findall(text) != ["table_of_the_law", "certified"] or len(TABLE.findall(text)) != 1:
        return [f"{name}: no theorem about one table"]
    if found := coqchk.switches(name, text):
        return found
    good, output = compiles(path.parent, path.stem)
    if not good:
        return [f"{name}: not proved: {output.strip()}"]
    found = []
    small = TABLE.search(text)[2].count(";") < ENTRIES
    for by in (1, -1) if small else ():
        (path.parent / "moved.v").write_text(moved(text, by))
        good, output = compiles(path.parent, "moved")
        if good or "Unable to unify" not in output:
            found.append(f"{name}: a cut that is moved by {by} is not refused")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--no-cache", action="store_true")
    options = parser.parse_args()
    cache = not options.no_cache and os.environ.get("CI", "") in ("", "false", "0")
    kept = Path(options.build) / "proofs" / "certificates"
    kept.mkdir(parents=True, exist_ok=True)
    global THEORY
    THEORY = (kept / "theory").resolve()
    THEORY.mkdir(exist_ok=True)
    theory = compile_theory(THEORY, Path(options.build) / "proofs" / "theory")
    version = subprocess.run(("coqc", "--version"), text=True, capture_output=True, check=True).stdout
    trusted = (ROOT / "docs/trust.md").read_text()
    rows = [(write, check, "of", *line.split()) for line in (ROOT / "proofs/certificates.txt").read_text().splitlines()]
    tables = [(write_table, check_table, "table", *line.split()) for line in (ROOT / "proofs/tables.txt").read_text().splitlines()]
    probity = (Path(options.build) / "probity").resolve()
    scratch = tempfile.TemporaryDirectory()
    fresh = {} # what was compiled now and found good: what is asked of it, by its key

    def work(row):
        """Returns the number of theorems of a row, and their faults."""
        put, look, kind, name, *what = row
        folder = Path(scratch.name) / f"{kind}_{name}"
        folder.mkdir()
        path = folder / f"{folder.name}.v"
        put(probity, path, *what)
        text = path.read_text()
        parts = (version, put.__name__, name, text, Path(__file__).read_text(), Path(coqchk.__file__).read_text(), trusted,
                 theory if BUILDS_ON in text else "")
        key = kept / hashlib.sha256("\0".join(parts).encode()).hexdigest()
        if cache and key.is_file():
            return len(THEOREM.findall(text)), []
        found = look(path, name, text)
        if not found:
            fresh[key] = [(folder, name) for name in THEOREM.findall(text)]
        return len(THEOREM.findall(text)), found

    with scratch:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(work, rows + tables))
        strange = taken(Path(scratch.name), sum(fresh.values(), []), coqchk.Trust(trusted)) if fresh else []
    found = [problem for _, problems in done for problem in problems] + [f"certificates: {line}" for line in strange]
    for key in fresh if not strange else ():
        key.touch()
    for problem in found:
        print(f"probity prove: {problem}", file=sys.stderr)
    print(f"certificates: {len(rows)} with {sum(n for n, _ in done[:len(rows)])} theorems, and {len(tables)} cut tables, "
          f"{'not all ' if found else ''}proved; a smaller delta and a moved cut are "
          f"{'not ' if any('refused' in f for f in found) else ''}refused")
    return 1 if found or not rows or not tables else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except coq.Refused as refusal:
        sys.exit(f"probity prove: {refusal}")
