# SPDX-License-Identifier: MIT
"""The Coq proofs: each file compiled from nothing, and Coq asked what its theorems rest on.

What a theorem says is recorded as text, so that a weaker statement shows; the text of a proof is not.
"""
import re
import shutil
import subprocess
import threading
import time
from collections import defaultdict
from pathlib import Path

import cache
from texts import short
from judge import COLUMNS
from wp import Refused

# What the theorems of a file are about, as a column of the table.
SUBJECT = {"Count": "probability", "Alignment": "alignment", "Histograms": "alignment", "Choices": "alignment"}
SECONDS = 180
COMPILING = defaultdict(threading.Lock)


def sources(root):
    return sorted(root.glob("proofs/coq/*.v"))


def coqc(folder, name, theory=".", beside=(), seconds=SECONDS):
    """Whether a file compiles, with the compiled theory and by the side of what was compiled in other folders, and what was
    said."""
    paths = [word for path in beside for word in ("-Q", path, "")]
    command = ("coqc", "-q", "-Q", theory, "Probity", *paths, f"{name}.v")
    try:
        done = subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=seconds)
    except FileNotFoundError:
        raise Refused("coqc is not installed") from None
    except subprocess.TimeoutExpired:
        return False, f"no end after {seconds} s"
    return done.returncode == 0, done.stdout + done.stderr


def rests(folder, required, theorems, name="Ask", **where):
    """The axioms that theorems rest on, each given by its full name. Coq is asked about all at once: it then looks only once
    at what they share."""
    every = "".join(f", @{theorem}" for theorem in theorems)
    (folder / f"{name}.v").write_text(f"{required}Definition every := (tt{every}).\nPrint Assumptions every.\n")
    good, output = coqc(folder, name, **where)
    answer = re.search(r"^(?:Closed under the global context|Axioms:)$(.*)", output, re.M | re.S)
    if not good or not answer:
        raise Refused(f"coq does not say what {', '.join(theorems)} rest on:\n{output.strip()}")
    return sorted(set(re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", answer[1], re.M)))


def statements(text):
    """The text without comments and proofs, and the theorems with what they say."""
    bare = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    bare = re.sub(r"\bProof\..*?\bQed\.", "Proof.", bare, flags=re.S)
    return bare, dict(re.findall(r"^\s*Theorem\s+(\w+)\b(.*?)Proof\.", bare, re.S | re.M))


def below(root, source):
    """The files that a file builds on, each after those that it builds on itself."""
    known = {p.stem: p for p in sources(root)}
    order = []
    for words in re.findall(r"^From Probity Require Import ([^.]*)\.", source.read_text(), re.M):
        for name in words.split():
            if name in known:
                order += [p for p in (*below(root, known[name]), known[name]) if p not in order]
    return order


def compiled(folder, source):
    """Whether a file compiles, and what was said. It is compiled once, whoever builds on it."""
    with COMPILING[folder / source.name]:
        if (folder / f"{source.stem}.vo").is_file():
            return True, ""
        shutil.copy(source, folder)
        return coqc(folder, source.stem)


def keep(prover):
    """What was compiled, for the theorems of certificates, which build on it (certificates.py)."""
    made, kept = prover.scratch / "coq", prover.folder / "theory"
    if made.is_dir():
        shutil.rmtree(kept, ignore_errors=True)
        shutil.move(made, kept)


def prove(root, source, prover):
    """One file: its theorems, what they rest on, and whether it compiles."""
    text, name, needed = source.read_text(), source.stem, below(root, source)
    version = prover.tool("coqc", "--version").strip()
    texts = (version, name, text, *(p.read_text() for p in needed), Path(__file__).read_text())
    key = {"kind": "coq", "unit": str(source.relative_to(root)), "text": cache.digest(texts), "tools": version}
    if prover.cache and (kept := cache.stored(prover.folder, key)):
        return kept
    bare, theorems = statements(text)
    folder = prover.scratch / "coq"
    folder.mkdir(exist_ok=True)
    begin = time.monotonic()
    for part in (*needed, source):
        proved, output = compiled(folder, part)
        if not proved:
            break
    assumed = rests(folder, f"From Probity Require {name}.\n", [f"{name}.{t}" for t in theorems], f"Ask{name}") if proved else []
    result = {"unit": str(source.relative_to(root)), "proved": proved, "output": "" if proved else output.strip(),
              "says": {theorem: short(said) for theorem, said in theorems.items()}, "rests": assumed,
              "hypotheses": {theorem: re.findall(r"\((\w+) : forall", said) for theorem, said in theorems.items()},
              "text": short(bare), "seconds": round(time.monotonic() - begin, 1), "version": version}
    if proved:
        cache.store(prover.folder, key, result)
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
        yield from (f"trusted but not listed in docs/trust.md: coq:{axiom} ({result['unit']})"
                    for axiom in result["rests"] if f"coq:{axiom}" not in listed)


def hypotheses(results, theorem):
    """Those that a theorem gives a name to, and that speak of all of something."""
    return [name for r in results for name in r["hypotheses"].get(theorem, ())]


def axioms(results):
    return {axiom for r in results for axiom in r["rests"]}
