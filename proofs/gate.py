# SPDX-License-Identifier: MIT
"""What the driver objects to: the reasons why the proofs, or what they are about, are not what the baseline recorded."""
import re
import tempfile
from pathlib import Path

import built
import coq
import source
import text as one
import texts
import tree
from wp import COLUMNS, OPTIONS, READ, SMOKE, SMOKE_OF_OTHERS, Missing, Refused, closure, is_complete

BASELINE = "proofs/baseline.json"
STATEMENT = "probity_statement.c" # what statement.py writes
# What is proved of both runs of a harness; with these it does not matter how its body came by the answers.
RUNS = ("first", "second")


def is_harness(name, function):
    return bool(function["alignment"]) or name.startswith("contraction_")


def subject_of(name):
    return re.sub(r"^(?:align|contraction)_", "pby_", name)


def idle_harnesses(results):
    """A harness speaks for pby_NAME only when it runs pby_NAME, itself or through another function of its unit."""
    for result in results:
        for name, function in result["functions"].items():
            if not is_harness(name, function):
                continue
            reached, todo = set(), [name]
            while todo:
                called = todo.pop()
                if called not in reached:
                    reached.add(called)
                    todo += result["calls"].get(called, [])
            if subject_of(name) not in reached:
                yield f"{name}: no run of {subject_of(name)} ({result['unit']})"


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


def missing_hypotheses(results, theory):
    """A harness proves what both runs computed and, under their names, the hypotheses of the theorem that speak of the
    code; mass is the law's. For a map in front of a mechanism there is one, that what comes out is no further apart."""
    wanted = [name for name in coq.hypotheses(theory, "alignment_private") if name != "mass"]
    for result in results:
        for name, function in result["functions"].items():
            proved = {re.sub(r"_part\d+$", "", clause) for clause in function["clauses"]}
            if is_harness(name, function):
                yield from (f"{name}: no clause {h}, a hypothesis of alignment_private ({result['unit']})"
                            for h in (wanted if function["alignment"] else ["closer"]) if f"ensures_{h}" not in proved)
                yield from (f"{name}: no clause {run} says what that run computed ({result['unit']})"
                            for run in RUNS if f"ensures_{run}" not in proved)
    if not wanted and any("alignment_private" in r["says"] for r in theory):
        yield "alignment_private: its hypotheses have no names"


def missing_witnesses(results):
    """A harness whose hypotheses nothing fulfils proves nothing. Its witness calls it with numbers, assumes nothing, and
    has a goal for every hypothesis at that call."""
    for result in results:
        if result["unit"].startswith("proofs/alignment/") and result["functions"] and not any(
                is_harness(*item) for item in result["functions"].items()) and result["unit"] != "proofs/alignment/noise.c":
            yield f"{result['unit']}: no harness"
        for name, function in result["functions"].items():
            if not is_harness(name, function):
                continue
            witness = re.sub(r"^\w+?_", "witness_", name)
            if name not in result["calls"].get(witness, ()):
                yield f"{name}: no function {witness} calls it ({result['unit']})"
            elif witness in result["requires"]:
                yield f"{witness}: a witness assumes nothing ({result['unit']})"
            elif not any(c.startswith(f"call_{name}_requires_") for c in result["functions"][witness]["clauses"]):
                yield f"{witness}: no hypothesis of {name} is proved at its call ({result['unit']})"


def contract_gaps(result):
    """A function must say what it gives, what it writes, and that it ends."""
    for name, function in result["functions"].items():
        for clause in ("ensures", "assigns", "terminates"):
            if not any(re.search(rf"(?:^|_){clause}(?:_|$)", c) and not c.startswith(("loop_", "call_"))
                       for c in function["clauses"]):
                yield f"{name}: no {clause} clause is proved ({result['unit']})"


def unsound_texts(result):
    unit = result["unit"]
    yield from (f"{name}: nothing says that it ends, always ({unit})" for name in result["endless"])
    yield from (f"{name}: a definition that need not end ({unit})" for name in result["unfounded"])


def clashes(results):
    """A name is one function with one contract, whoever reads it: two would share a row, and a caller that declares
    another contract than the one that is proved would rest on nothing. An inline function of a header is one."""
    seen = {}
    for result in results:
        for name, said in result["contracts"].items():
            if seen.setdefault(name, said) != said:
                yield f"{name}: two contracts of this name, the second in {result['unit']}"


def definition_clashes(results):
    seen = {}
    for result in results:
        for name, said in result["logic"].items():
            if seen.setdefault(name, said) != said:
                yield f"{name}: two definitions, the second in {result['unit']}"


def circles(results):
    if found := texts.cycle(results):
        yield f"calls go in a circle: {' -> '.join(found)}"


def unproved_definitions(root, results, known):
    """A function of the kernel that no unit proves, such as an inline one that only the code outside uses."""
    proved = {name for r in results for name in r["bodies"]} | set(known)
    yield from (f"{name}: defined in {path}, and in no unit's proof"
                for path, name in source.definitions(root) if name not in proved)


def judge(result, defined, listed, where="docs/trust.md"):
    """The reasons why a unit is not proved, one line each."""
    unit = result["unit"]
    yield from (f"unproved: {goal} ({unit})" for goal in result["unproved"])
    yield from (f"inconsistent, smoke test failed: {goal} ({unit})" for goal in result["smoke"])
    yield from (f"{unit}: {warning}" for warning in result["warnings"])
    yield from (f"{unit}: goal of no function: {goal}" for goal in result["strays"])
    yield from contract_gaps(result)
    for item in result["trusted"]:
        kind, name = item.split(":")
        if not (kind == "extern" and name in defined) and item not in listed:
            yield f"trusted but not listed in {where}: {item} ({unit})"
    if not is_complete(result):
        yield f"{unit}: goals read as proved, proved and goals in WP's own sums: {result['sums']}"


def below_floor(result, floor):
    for name, function in result["functions"].items():
        if name not in floor:
            yield f"{name}: not in {BASELINE}; once it is proved, --accept adds it"
            continue
        for column in COLUMNS:
            if function[column] < floor[name].get(column, 0):
                lost = ": the column is lost" if function[column] == 0 else ""
                yield f"{name}: {function[column]} {column} goals, the floor is {floor[name][column]}{lost}"
            elif function[column] > floor[name].get(column, 0):
                yield (f"{name}: {function[column]} {column} goals, the floor is only {floor[name].get(column, 0)}: "
                       "--accept raises it")


def recorded(root, results, theory, wrong):
    """What the baseline keeps. Of a harness and of a wrong variant also the body: what it runs is what it speaks of."""
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
                        "smoke_of_others": " ".join(SMOKE_OF_OTHERS), "switch": texts.short(source.SWITCH), "read": " ".join(READ),
                        **flags(root)}}


def flags(root):
    """How texts are made and compiled: the flags, and digests of the headers of C."""
    found = {name: words for name, words in one.variables(root).items()}
    return found | {name: texts.short((root / one.HEADERS / name).read_text()) for name in source.HEADERS}


def changed(now, baseline, whole):
    """Contracts, bodies and logic that no longer say what the baseline recorded, and what has gone missing."""
    for kind in ("contract", "body", "logic", "options"):
        said, before = now[kind], baseline.get(kind, {})
        for name, digest in sorted(before.items()):
            if name in said and said[name] != digest:
                yield f"{kind} of {name} has changed: if that is meant, --accept records it"
            elif name not in said and whole:
                yield f"{kind} of {name} is in {BASELINE} but not in the code"
        yield from (f"{kind} of {name} is not in {BASELINE}: --accept records it"
                    for name in sorted(said) if name not in before)
    if whole:
        yield from (f"goals of {name} are in {BASELINE} but not in the code"
                    for name in sorted(baseline["goals"]) if name not in now["goals"])


def of_source(root, units, includes=source.INCLUDES):
    """Of a source that breaks the rules nothing is proved, and Frama-C is not asked to read it."""
    found = list(source.rules(root))
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
    yield from (what for what in tree.objections(unit, text) if not ("without a value" in what and what.startswith(("proofs/", STATEMENT))))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "text.i"
        path.write_text(text)
        yield from one.refused(root, path)


def of_objects(root, build, units, cc, scratch, whole):
    yield from built.problems(root, build, units, source.INCLUDES, cc, scratch, whole)


def of_texts(root, results, theory, wrong, baseline, whole):
    """What can be objected to without a prover."""
    everything = [*results, *wrong]
    for result in everything:
        yield from unsound_texts(result)
    yield from circles(everything)
    yield from clashes(everything)
    yield from definition_clashes(everything)
    yield from changed(recorded(root, results, theory, wrong), baseline, whole)
    yield from unproved_definitions(root, results, () if whole else baseline["contract"])
    yield from idle_runs(root, [r["unit"] for r in results])


def of_proofs(results, theory, baseline, listed, whole):
    defined = {f for r in results for f in r["functions"]} | (set() if whole else set(baseline["goals"]))
    yield from coq.problems(theory, listed)
    for result in results:
        yield from judge(result, defined, listed)
        yield from below_floor(result, baseline["goals"])
    yield from idle_harnesses(results)
    yield from missing_witnesses(results)
    yield from missing_hypotheses(results, theory)
    if whole:
        used = {item for r in results for item in r["trusted"]} | {f"coq:{name}" for name in coq.axioms(theory)}
        yield from (f"docs/trust.md lists {item}, which is not used" for item in sorted(listed - used))
