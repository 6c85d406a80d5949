"""The Coq proofs: each file compiled from nothing, and each of its theorems asked what it rests on.

What a theorem says is recorded as text, so that a weaker statement shows; the text of a proof is not.
"""
import hashlib
import json
import re
import shutil
import subprocess
import time
from pathlib import Path

from texts import short
from wp import COLUMNS, Refused

# What the theorems of a file are about, as a column of the table.
SUBJECT = {"Count": "probability", "Alignment": "alignment"}
SECONDS = 180


def sources(root):
    return sorted(root.glob("proofs/coq/*.v"))


def coqc(folder, name):
    try:
        done = subprocess.run(("coqc", "-q", f"{name}.v"), cwd=folder, text=True, capture_output=True, timeout=SECONDS)
    except FileNotFoundError:
        raise Refused("coqc is not installed") from None
    except subprocess.TimeoutExpired:
        return False, f"no end after {SECONDS} s"
    return done.returncode == 0, done.stdout + done.stderr


def statements(text):
    """The text without comments and proofs, and the theorems with what they say."""
    bare = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    bare = re.sub(r"\bProof\..*?\bQed\.", "Proof.", bare, flags=re.S)
    return bare, dict(re.findall(r"^\s*Theorem\s+(\w+)\b(.*?)Proof\.", bare, re.S | re.M))


def assumptions(output, names):
    """The answers to Print Assumptions, one for each theorem, in order."""
    answers = re.split(r"^(?=Closed under|Axioms:)", output, flags=re.M)[1:]
    if len(answers) != len(names):
        raise Refused(f"coq: {len(answers)} answers about {len(names)} theorems:\n{output}")
    return {name: sorted(re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", answer.partition("\n")[2], re.M))
            for name, answer in zip(names, answers)}


def prove(root, source, prover):
    """One file: its theorems, what each rests on, and whether it compiles."""
    text, name = source.read_text(), source.stem
    version = prover.tool("coqc", "--version").strip()
    key = hashlib.sha256("\0".join((version, name, text, Path(__file__).read_text())).encode()).hexdigest()
    kept = prover.folder / "units" / f"coq-{key}.json"
    if prover.cache and kept.is_file():
        return json.loads(kept.read_text())
    bare, theorems = statements(text)
    folder = prover.scratch / f"coq-{name}"
    folder.mkdir()
    shutil.copy(source, folder)
    begin = time.monotonic()
    proved, output = coqc(folder, name)
    rests = {}
    if proved:
        asked = "".join(f"Print Assumptions {name}.{theorem}.\n" for theorem in theorems)
        (folder / "Ask.v").write_text(f"Require {name}.\n{asked}")
        proved, output = coqc(folder, "Ask")
        rests = assumptions(output, theorems) if proved else {}
    result = {"unit": str(source.relative_to(root)), "proved": proved, "output": "" if proved else output.strip(),
              "says": {theorem: short(said) for theorem, said in theorems.items()}, "rests": rests,
              "hypotheses": {theorem: re.findall(r"\((\w+) : forall", said) for theorem, said in theorems.items()},
              "text": short(bare), "seconds": round(time.monotonic() - begin, 1), "version": version}
    if proved:
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(result))
    return result


def rows(results):
    """One row a theorem, one goal each; the seconds of a file stand with its first."""
    for result in results:
        for i, theorem in enumerate(result["says"]):
            subject = SUBJECT.get(Path(result["unit"]).stem, "contract")
            yield dict(function=theorem, file=result["unit"], **{c: int(c == subject) for c in COLUMNS}, goals=1,
                       seconds=result["seconds"] if i == 0 else 0.0)


def problems(results, listed):
    for result in results:
        if not result["proved"]:
            yield f"unproved: {result['unit']}: {result['output']}"
        if not result["says"]:
            yield f"{result['unit']}: no theorem"
        for theorem, rests in result["rests"].items():
            yield from (f"trusted but not listed in docs/trust.md: coq:{axiom} ({theorem})"
                        for axiom in rests if f"coq:{axiom}" not in listed)


def hypotheses(results, theorem):
    """Those that a theorem gives a name to, and that speak of all of something."""
    return [name for r in results for name in r["hypotheses"].get(theorem, ())]


def axioms(results):
    return {axiom for r in results for rests in r["rests"].values() for axiom in rests}
