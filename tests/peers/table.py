#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/peers.md: mechanisms of other libraries, what they claim, what the exact distribution of the same
parameters costs, and what their outputs show. Run by `make peers`; a library that is not there is skipped with a word.
Answers are kept in PEERS/rows, and a run that was stopped goes on with the next; remove that folder for new outputs.
usage: table.py PROBITY PEERS PART [OUT]    PEERS is the folder of the environments; PART is `all`, or `grey` for the second
                                            table alone, in the place of the one that OUT has"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

import grey_table

HERE = pathlib.Path(__file__).parent
DRIVE = "tests/peers/drive.py"
N = 5000

PACKAGES = {"opendp": "opendp", "diffprivlib": "diffprivlib", "tumult": "tmlt.core", "pydp": "python-dp",
            "smartnoise": "smartnoise-sql"}

# Mechanism, the SPEC of the distribution that its documentation names ("": none of ours), two neighbouring inputs or a
# description of inputs for --search, and outputs for each input.
ROWS = [
    ("opendp/laplace", "geometric:eps=1", "3 4", N),
    ("opendp/laplace-float", "laplace:scale=1", "3 4", N),
    ("opendp/gaussian", "dgauss:sigma2=1", "3 4", N),
    ("opendp/laplace-threshold", "threshold:eps=1,T=5", "0 1", 4 * N),
    ("opendp/gaussian-threshold", "gthreshold:sigma2=1,T=3,bars=1", "0 1", 8 * N),
    ("opendp/response", "rr:odds=3", "0 1", N),
    ("opendp/noisy-max", "", "1,1,1,1 2,0,0,0", N),
    ("opendp/canonical", "", "3 4", 4 * N),
    ("diffprivlib/laplace", "laplace:scale=1", "0 1", 30 * N),
    ("diffprivlib/laplace-bounded-noise", "", "0 1", 4 * N),
    ("diffprivlib/geometric", "geometric:eps=1", "0 1", 4 * N),
    ("diffprivlib/gaussian", "gauss:sigma2=23.4720629", "0 1", 4 * N),
    ("diffprivlib/gaussian-analytic", "", "0 1", 4 * N),
    ("diffprivlib/gaussian-discrete", "", "0 1", 4 * N),
    ("diffprivlib/snapping", "", "0 1", 4 * N),
    ("diffprivlib/staircase", "", "0 1", 4 * N),
    ("diffprivlib/uniform", "", "0 1", 4 * N),
    ("diffprivlib/binary", "rr:eps=1", "0 1", 4 * N),
    ("diffprivlib/geometric-truncated", "", "0 1", 4 * N),
    ("diffprivlib/exponential", "exponential:eps=1", "1,1,1,1 2,0,0,0", 4 * N),
    ("diffprivlib/permute-and-flip", "permuteflip:eps=1", "1,1,1,1 2,0,0,0", 4 * N),
    ("tumult/geometric", "geometric:eps=1", "3 4", N),
    ("tumult/laplace", "laplace:scale=1", "3 4", N),
    ("pydp/laplace", "geometric:eps=1", "3 4", 20 * N),
    ("pydp/laplace-float", "laplace:scale=1", "3 4", 20 * N),
    ("pydp/gaussian", "", "3 4", 20 * N),
    ("pydp/count", "geometric:eps=1", "3 4", 20 * N),
    ("pydp/bounded-sum", "laplace:scale=1", "3 4", 20 * N),
    ("pydp/bounded-mean", "", "0 1", 20 * N),
    ("pydp/partition", "partition:eps=1,delta=1/100", "0 1", 20 * N),
    ("smartnoise/laplace", "laplace:scale=1", "3 4", N),
    ("smartnoise/gaussian", "", "3 4", N),
]

HEAD = """# Other libraries, audited

`make peers` writes this page (`tests/peers/table.py`): nothing in it is written by hand. Each line is one mechanism of
another library, at a pinned version from pip (`tests/peers/requirements`):

- *claimed*: the epsilon and the delta that the library states for these parameters; where the library has a function
  for it, that function is asked.
- *exact*: what the distribution that the library names costs, by `probity loss`: the least epsilon if the claimed delta
  is 0, else the delta at the claimed epsilon. It is empty where we have no such distribution.
- *shown*: what the outputs of the library refute, by `probity audit`, with an error of 1e-6 for each line. **Bold** is
  a violation of the claim. A line without one shows nothing either way beyond its outputs.

The distribution of an idealised mechanism and its program differ: a program that rounds to doubles can lose more than
its distribution does, and the outputs show that. Some of these libraries warn of that themselves. The outputs are
random, so another run shows other digits.

| mechanism | claimed | exact | shown | by |
|---|---|---|---|---|
"""


def short(number, digits=7):
    return f"{float(number):.{digits}g}"


def answer(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        sys.exit(f"peers: {shlex.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def exact(probity, spec, claim):
    """The cell of the exact distribution."""
    if not spec:
        return ""
    pure = float(claim["delta"]) == 0
    got = answer([probity, "loss", spec, *(["--delta", "0"] if pure else ["--epsilon", claim["epsilon"]]), "--json"])
    value = got["epsilon" if pure else "delta"]
    return f"{'epsilon' if pure else 'delta'} {short(value['hi'])} (`{spec}`)"


def audit(probity, peers, row, claim, versions):
    """The answer of an audit, and the command for a reader. An answer to the same command by the same versions that is
    there from a run before is taken."""
    name, _, inputs, n = row
    run = f"{os.path.join(peers, name.split('/')[0], 'bin', 'python')} {DRIVE} {name} {{input}} {{n}}"
    where = ["--search", inputs, "--pairs", "8"] if ":" in inputs else ["--inputs", *inputs.split()]
    command = ["audit", "--command", run, *where, "-n", str(n), "--epsilon", claim["epsilon"], "--delta", claim["delta"]]
    kept = pathlib.Path(peers, "rows", name.replace("/", "-") + ".json")
    asked = {"command": command, "versions": versions}
    if kept.exists():
        before = json.loads(kept.read_text(encoding="utf-8"))
        if before["asked"] == asked:
            return before["answer"], shlex.join(["probity", *command])
    began = time.monotonic()
    got = answer([probity, *command, "--json"])
    print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    kept.parent.mkdir(exist_ok=True)
    part = kept.with_suffix(".part")
    part.write_text(json.dumps({"asked": asked, "answer": got}), encoding="utf-8")
    part.replace(kept)
    return got, shlex.join(["probity", *command])


def line(row, claim, got, law):
    """One line of the table."""
    shown = f"epsilon > {short(got['epsilon_lower'], 4)}, delta > {short(got['delta_lower'], 4)}"
    violation = got["verdict"] == "violation"
    event = got["event"]["text"] if violation else got["verdict"]
    if len(event) > 60:
        event = event[:57] + "..."
    if "search" in got:
        event += f" on {got['search']['left']} and {got['search']['right']}"
    cells = [f"{row[0]}: {claim['how']}", f"({short(claim['epsilon'])}, {short(claim['delta'])})", law,
             f"**{shown}**" if violation else shown, event]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def claims_of(peers, peer):
    python = os.path.join(peers, peer, "bin", "python")
    done = subprocess.run([python, DRIVE, peer, "--claims"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{peer}: skipped: {done.stderr.strip().splitlines()[-1:]}")
        return {}
    return json.loads(done.stdout.splitlines()[-1])


def version(peers, peer):
    python = os.path.join(peers, peer, "bin", "python")
    ask = f"from importlib.metadata import version; print(version({PACKAGES[peer]!r}))"
    if not os.access(python, os.X_OK):
        return None
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def page(rows, versions, own):
    text = HEAD + "".join(cells for cells, _ in rows)
    text += f"\n{len(rows)} of the {len(ROWS)} mechanisms of the script were run for this page.\n\n"
    for peer, found in versions.items():
        text += f"- {PACKAGES[peer]} {found}\n" if found else f"- {PACKAGES[peer]}: not installed; skipped\n"
    return text + f"- {own}\n\n## Every line again\n\n" + "".join(f"    {command}\n" for _, command in rows)


def main():
    probity, peers, part = sys.argv[1:4]
    out = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else "docs/peers.md")
    own = subprocess.run([probity, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    versions = {peer: version(peers, peer) for peer in PACKAGES}
    searched = grey_table.part(probity, peers, {**versions, "probity": own})
    if part == "grey":
        before = out.read_text(encoding="utf-8").split(grey_table.TITLE)[0]
        out.write_text(before.rstrip() + "\n\n" + searched, encoding="utf-8")
        return
    claims, rows = {}, []
    for peer, found in versions.items():
        if found:
            claims.update(claims_of(peers, peer))
    for row in ROWS:
        if row[0] not in claims:
            continue
        claim = claims[row[0]]
        got, command = audit(probity, peers, row, claim, [versions[row[0].split("/")[0]], own])
        rows.append((line(row, claim, got, exact(probity, row[1], claim)), command))
        print(f"{row[0]}: {got['verdict']}, epsilon > {got['epsilon_lower']}", flush=True)
        out.write_text(page(rows, versions, own) + "\n" + searched, encoding="utf-8")
    print(f"peers: {len(rows)} mechanisms in {out}")


main()
