# SPDX-License-Identifier: MIT
"""The Coq proofs: each file compiled from nothing, and judged by what Coq and coqchk say of it (coqchk.py).

The statement of a theorem and the definitions of its words are recorded, so that a weaker statement shows; the text of a proof is not.
"""
import re
import shutil
import threading
import time
from collections import defaultdict
from pathlib import Path

import cache
import coqchk
from judge import COLUMNS
from wp import Refused

# The subject of a file's theorems, as a column of the table.
SUBJECT = {"Count": "probability", "Alignment": "alignment", "Histograms": "alignment", "Choices": "alignment"}
SECONDS = 180
COMPILING = defaultdict(threading.Lock)


def sources(root):
    return sorted(root.glob("proofs/coq/*.v"))


def coqc(folder, name, theory=".", beside=(), seconds=SECONDS):
    """Returns a flag that a file compiles, with the compiled theory and beside files compiled in other folders, and Coq's
    output."""
    return coqchk.run(folder, ("coqc", "-q", *coqchk.paths(theory, beside), f"{name}.v"), seconds)


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
    """Returns a flag that a file compiles, and Coq's output. It is compiled once, whoever builds on it."""
    with COMPILING[folder / source.name]:
        if (folder / f"{source.stem}.vo").is_file():
            return True, ""
        shutil.copy(source, folder)
        return coqc(folder, source.stem)


def keep(prover):
    """Keeps the compiled files for the theorems of certificates, which build on them (certificates.py)."""
    made, kept = prover.scratch / "coq", prover.folder / "theory"
    if made.is_dir():
        shutil.rmtree(kept, ignore_errors=True)
        shutil.move(made, kept)


def judged(folder, name, theorems):
    """Returns Coq's view of a compiled file: definitions, the theorems' statements and hypotheses, and what is taken for granted."""
    module = f"Probity.{name}"
    found = coqchk.held(folder, [module], name=f"Ask{name}")[module]
    return {"says": {theorem: coqchk.statement(module, found, theorem) for theorem in theorems},
            "hypotheses": {theorem: coqchk.hypotheses(found, theorem) for theorem in theorems}, "text": coqchk.definitions(found).splitlines(),
            "rests": coqchk.assumptions(folder, [module], [f"{module}.{t}" for t in theorems], f"Rests{name}") if theorems else [],
            "checked": coqchk.checked(folder, [module])}


def compile_all(folder, order):
    """Compiles files, each after those that it builds on."""
    for source in order:
        if found := coqchk.switches(source.name, source.read_text()):
            raise coqchk.Doubt("; ".join(found))
        good, output = compiled(folder, source)
        if not good:
            raise coqchk.Doubt(output.strip())


def prove(root, source, prover):
    """One file: its theorems, what they rest on, and whether it compiles."""
    text, name, needed = source.read_text(), source.stem, below(root, source)
    version = prover.tool("coqc", "--version").strip()
    texts = (version, name, text, *(p.read_text() for p in needed), Path(__file__).read_text(), Path(coqchk.__file__).read_text())
    key = {"kind": "coq", "unit": str(source.relative_to(root)), "text": cache.digest(texts), "tools": version}
    if prover.cache and (kept := cache.stored(prover.folder, key)):
        return kept
    theorems = re.findall(r"^\s*Theorem\s+(\w+)", text, re.M)
    folder = prover.scratch / "coq"
    folder.mkdir(exist_ok=True)
    begin = time.monotonic()
    result = {"unit": str(source.relative_to(root)), "proved": False, "output": "", "says": dict.fromkeys(theorems, ""), "rests": [],
              "checked": [], "hypotheses": {}, "text": "", "version": version}
    try:
        compile_all(folder, (*needed, source))
        result |= judged(folder, name, theorems) | {"proved": True}
    except coqchk.Doubt as doubt:
        result["output"] = str(doubt)
    result["seconds"] = round(time.monotonic() - begin, 1)
    if result["proved"]:
        cache.store(prover.folder, key, result)
    return result


def rows(results):
    """One row a theorem, one goal each; the seconds of a file stand with its first."""
    for result in results:
        for i, theorem in enumerate(result["says"]):
            subject = SUBJECT.get(Path(result["unit"]).stem, "contract")
            yield dict(function=theorem, file=result["unit"], **{c: int(c == subject) for c in COLUMNS}, goals=1,
                       seconds=result["seconds"] if i == 0 else 0.0)


def problems(results, listed, trust=Path(__file__).resolve().parent.parent / "docs/trust.md"):
    known = coqchk.Trust(trust.read_text())
    for result in results:
        yield from known.objections(result["checked"], result["unit"])
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
