# SPDX-License-Identifier: MIT
"""The driver's objections to files: sources, texts and objects, and differences from the baseline. judge.py decides on goals."""
import re
import tempfile
from pathlib import Path

import built
import claimed
import coq
import judge
import source
import text as one
import texts
import tree
from judge import COLUMNS, OPTIONS, READ
from wp import SMOKE, SMOKE_OF_OTHERS, Missing, Refused, closure

BASELINE = "proofs/baseline.json"
STATEMENT = "probity_statement.c" # what statement.py writes


def idle_runs(root, units):
    """The two runs are on the input x, with the noise z, and on its neighbour y, with w. Where the answer depends on sums that
    the alignment keeps, a run of the first input twice would be proved: it gives the same answers."""
    for unit in units:
        text = texts.without_comments((root / unit).read_text())
        for kind, name in re.findall(r"^\w[\w *]*\b(align|contraction)_(\w+)\(const", text, re.M):
            calls = [set(re.findall(r"\w+", arguments))
                     for arguments in re.findall(rf"\b(?:pby|align_run)_{name}\(([^()]*)\);", text)]
            if unit.startswith("proofs/alignment/") and f"int witness_{name}(" in text:
                for run, noise in (("x", "z"), ("y", "w")):
                    wanted = {run} | ({noise} if kind == "align" else set())
                    if not any(wanted <= call and not {"x", "y"} <= call for call in calls):
                        yield f"{kind}_{name}: no run on {' and '.join(sorted(wanted))} ({unit})"


def unproved_definitions(root, results, known):
    """A function of the kernel that no unit proves, such as an inline one that only the code outside uses."""
    proved = {name for r in results for name in r["bodies"]} | set(known)
    yield from (f"{name}: defined in {path}, and in no unit's proof"
                for path, name in source.definitions(root) if name not in proved)


def recorded(root, results, theory, wrong):
    """Returns what the baseline keeps; of a harness and a wrong variant also the body: what it runs is what it speaks of."""
    goals = {name: {c: f[c] for c in COLUMNS} for r in results for name, f in r["functions"].items()}
    said = {"contract": {}, "body": {}, "logic": {}}
    for result in [*results, *wrong]:
        said["contract"].update(result["contracts"]) # of what it calls too: a caller may not say more of it
        said["logic"].update(result["logic"])
        if result["unit"].startswith("proofs/"):
            said["body"].update((f"{result['unit']}: {name}", body) for name, body in result["bodies"].items()
                                if not name.startswith("pby_"))
    said["contract"].update((name, text) for r in theory for name, text in r["says"].items())
    said["logic"].update((r["unit"], r["text"]) for r in theory)
    return {"goals": goals | {row["function"]: {c: row[c] for c in COLUMNS} for row in coq.rows(theory)}, **said,
            "options": {"wp": " ".join(OPTIONS), "smoke": " ".join(SMOKE),
                        "smoke_of_others": " ".join(SMOKE_OF_OTHERS), "switch": texts.lines(source.SWITCH), "read": " ".join(READ),
                        **flags(root)}}


def flags(root):
    """Returns the flags that make and compile texts, and the headers of C."""
    found = {name: words for name, words in one.variables(root).items()}
    return found | {name: texts.lines(texts.without_comments((root / one.HEADERS / name).read_text())) for name in source.HEADERS}


KINDS = ("contract", "body", "logic", "options")


def changed(now, baseline, whole):
    """Contracts, bodies and logic that no longer say what the baseline recorded, clause by clause, and what has gone missing."""
    for kind in KINDS:
        said, before = now[kind], baseline.get(kind, {})
        for name, text in sorted(before.items()):
            if name in said and text != said[name]:
                yield "\n".join([f"{kind} of {name} has changed: if that is meant, --accept records it",
                                 *(f"  {line}" for line in texts.difference(text, said[name]))])
            elif name not in said and whole:
                yield f"{kind} of {name} is in {BASELINE} but not in the code"
        yield from (f"{kind} of {name} is not in {BASELINE}: --accept records it"
                    for name in sorted(said) if name not in before)
    if whole:
        yield from (f"goals of {name} are in {BASELINE} but not in the code"
                    for name in sorted(baseline["goals"]) if name not in now["goals"])


def accepted(before, now):
    """Yields what --accept records, as text: clauses that are gone and clauses that are new."""
    for kind in KINDS:
        old, new = before.get(kind, {}), now[kind]
        for name in sorted({*old, *new}):
            if name in old and name in new and old[name] == new[name]:
                continue
            yield f"{kind} of {name}: " + ("new" if name not in old else "gone" if name not in new else "changed")
            yield from (f"  {line}" for line in texts.difference(old.get(name, []), new.get(name, [])))


def of_source(root, units, includes=source.INCLUDES):
    """Returns the broken rules of a source; then nothing is proved of it, and Frama-C is not asked to read it."""
    found = [*source.rules(root), *claimed.problems(root)]
    for unit in units:
        try:
            found += of_text(root, unit, closure(root, unit), includes)
        except Missing: # a tool, and no fault of the source
            raise
        except (Refused, one.Unreadable) as refusal: # an include that is not there, or what is no C
            found.append(f"{unit}: {refusal}")
    return list(dict.fromkeys(found))


def of_text(root, unit, files, includes, foreign=False):
    """Objections to the text of one unit: what it is made of, and what a compiler may read in more than one way."""
    text = one.make(root, unit, includes, foreign)
    yield from source.unexpected(unit, one.read_files(text), files)
    # a witness hands places over that a run fills
    yield from (what for what in tree.objections(unit, text) if not ("without a value" in what and what.removeprefix("./").startswith(("proofs/", STATEMENT))))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "text.i"
        path.write_text(text)
        yield from one.refused(root, path)


def of_objects(root, build, units, cc, scratch, whole):
    yield from built.problems(root, build, units, source.INCLUDES, cc, scratch, whole)


def of_texts(root, results, theory, wrong, baseline, whole):
    """Yields the objections that need no prover."""
    everything = [*results, *wrong]
    for result in everything:
        yield from judge.unsound_texts(result)
    yield from judge.circles(everything)
    yield from judge.clashes(everything)
    yield from judge.clashes(everything, "logic")
    yield from changed(recorded(root, results, theory, wrong), baseline, whole)
    yield from unproved_definitions(root, results, () if whole else baseline["contract"])
    yield from idle_runs(root, [r["unit"] for r in results])


def of_proofs(root, results, theory, wrong, baseline, listed, whole):
    yield from coq.problems(theory, listed)
    wanted = [name for name in coq.hypotheses(theory, "alignment_private") if name != "mass"] # mass is the law's
    if not wanted and any("alignment_private" in r["says"] for r in theory):
        yield "alignment_private: its hypotheses have no names"
    yield from judge.library(results, wrong, wanted, claimed.wanted(root), baseline["goals"], listed, whole, BASELINE, {f"coq:{name}" for name in coq.axioms(theory)})
