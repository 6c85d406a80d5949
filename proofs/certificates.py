#!/usr/bin/env python3
"""Compiles the theorems that `probity certify --coq` writes (proofs/certificates/*.v) with Coq and Interval.

Each must compile and take nothing for granted in its own text. Of one, whose proofs are those of all, Coq is also asked
what it rests on, which docs/trust.md must list; and with a delta that is a little smaller it must not compile. A file
that was compiled before, with the same tools, is not compiled again.
usage: certificates.py [--build DIR] [--no-cache]"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 600
EXAMPLE = "rr.v"
DELTA = re.compile(r"^(Definition delta : R := )(\d+)(/\d+\.)$", re.M)


def coqc(folder, name):
    """Whether a file compiles, and what was said."""
    done = subprocess.run(("coqc", "-q", name), cwd=folder, text=True, capture_output=True, timeout=SECONDS)
    return done.returncode == 0, done.stdout + done.stderr


def listed():
    """The axioms of Coq that docs/trust.md lists."""
    return set(re.findall(r"`(?:coq:)?([A-Z][\w.]+)`", (ROOT / "docs/trust.md").read_text()))


def rests(folder, name, theorems):
    """What the theorems of a compiled file rest on; those of machine integers count as one."""
    asked = "".join(f"Print Assumptions {Path(name).stem}.{theorem}.\n" for theorem in theorems)
    (folder / "Ask.v").write_text(f"Require {Path(name).stem}.\n{asked}")
    good, output = coqc(folder, "Ask.v")
    if not good:
        return {"?"}
    names = re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", output, re.M)
    return {re.sub(r"^(?:PrimInt63|Uint63)\..*", "Uint63", n) for n in names} - {"Axioms", "Closed"}


def check(path, allowed):
    """What is wrong with one file, line by line."""
    text = path.read_text()
    theorems = re.findall(r"^Theorem (\w+)", text, re.M)
    if not theorems or len(DELTA.findall(text)) != 1 or re.search(r"\b(Axiom|Admitted|Parameter|admit)\b", text):
        return [f"{path.name}: no theorem about one delta, or something that is taken for granted"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / path.name).write_text(text)
        good, output = coqc(folder, path.name)
        if not good:
            return [f"{path.name}: not proved: {output.strip()}"]
        if path.name != EXAMPLE:
            return []
        found = [f"{path.name}: rests on {name}, which docs/trust.md does not list"
                 for name in sorted(rests(folder, path.name, theorems[:1]) - allowed)]
        lower = DELTA.sub(lambda m: f"{m[1]}{int(m[2]) - max(2, int(m[2]) // 10**12)}{m[3]}", text)
        (folder / "lowered.v").write_text(lower)
        good, output = coqc(folder, "lowered.v")
        if good or "Numerical evaluation failed to conclude" not in output:
            found.append(f"{path.name}: a smaller delta is not refused")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--no-cache", action="store_true")
    options = parser.parse_args()
    cache = not options.no_cache and os.environ.get("CI", "") in ("", "false", "0")
    kept = Path(options.build) / "proofs" / "certificates"
    kept.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(("coqc", "--version"), text=True, capture_output=True, check=True).stdout
    allowed, paths = listed(), sorted((ROOT / "proofs/certificates").glob("*.v"), key=lambda p: -p.stat().st_size)

    def work(path):
        key = hashlib.sha256("\0".join((version, path.name, path.read_text(), Path(__file__).read_text(),
                                        ",".join(sorted(allowed)))).encode()).hexdigest()
        if cache and (kept / key).is_file():
            return []
        found = check(path, allowed)
        if not found:
            (kept / key).touch()
        return found

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [problem for problems in pool.map(work, paths) for problem in problems]
    for problem in found:
        print(f"probity prove: {problem}", file=sys.stderr)
    theorems = sum(len(re.findall(r"^Theorem", p.read_text(), re.M)) for p in paths)
    print(f"certificates: {len(paths)} with {theorems} theorems, {'not all ' if found else ''}proved; a smaller delta "
          f"is {'not ' if any('smaller' in f for f in found) else ''}refused")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
