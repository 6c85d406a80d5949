#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the kernel: its functions, the lemmas of acsl and the alignments with Frama-C's WP, and the theory with Coq.

    python3 proofs/prove.py [--build DIR] [--json FILE] [--mutate] [--only NAME] [--jobs N] [--no-cache] [--accept]
                            [--read] [--fault NAME]

Exit status 0 when all of it holds; 1 with the reasons when something does not; 2 when a name is not known; 3 when a tool
is missing.
docs/proofs.md says how to read the table and how to add a function.
"""
import argparse
import difflib
import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import coq
import gate
import judge
import mutants
import negative
import replay
import witness
from table import Progress, rows, show
from wp import Prover, Refused, closure

ROOT = Path(__file__).resolve().parent.parent
BASELINE = Path(gate.BASELINE)
SUMMARY = ("proofs: {goals} goals, {proved} proved, {functions} functions, {aligned} mechanisms aligned, {theorems} theorems, "
           "{axioms} axioms, {coq_axioms} of Coq's library")
TRUST = re.compile(r"`((?:axiom|admit|extern|coq):[\w.]+)`")


class Unknown(Exception):
    """A name that nothing has."""


def units(root):
    return [str(p.relative_to(root)) for folder in ("src/kernel", "acsl", "proofs/alignment")
            for p in sorted(root.glob(f"{folder}/*.c"))]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", metavar="DIR", default="build", help="where the caches and the kernel's objects are, if not in build/")
    parser.add_argument("--json", metavar="FILE", help="write the report there")
    parser.add_argument("--record", metavar="FILE", help="if all is proved, write a record of each goal there (replay.py)")
    parser.add_argument("--cc", metavar="CC", default="gcc", help="the compiler that built the kernel")
    parser.add_argument("--mutate", action="store_true", help="then plant the faults of mutations.json")
    parser.add_argument("--fault", metavar="NAME", help="prove what this fault of mutations.json is about, then plant it alone")
    parser.add_argument("--only", metavar="NAME", help="a function, or a part of a file's name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--timeout", type=int, default=20, metavar="S", help="seconds for each goal and prover")
    parser.add_argument("--no-cache", action="store_true", help="run every prover again (so does CI=true)")
    parser.add_argument("--read", action="store_true", help="prove nothing, and check what can be without a prover")
    parser.add_argument("--accept", action="store_true", help="record contracts and goals as the baseline")
    return parser.parse_args()


def functions_of(unit):
    """The functions that a unit defines, or what it includes; ghost or not."""
    found = []
    for path in (p for p in closure(ROOT, unit) if p == unit or p.startswith("src/")):
        found += re.findall(r"^\s*[A-Za-z][\w *]*\b(\w+)\([^;{}]*?\)(?:\s*/\*@ ghost[\s\S]*?\*/)?\s*\{",
                            (ROOT / path).read_text(), re.M)
    return found


def companions(unit, name):
    """A harness is proved with its witness, and a witness with its harness: neither is worth anything alone. What has
    neither is proved with all of its unit, ()."""
    about = re.sub(r"^\w+?_", "", name)
    found = tuple(f for f in functions_of(unit) if re.sub(r"^\w+?_", "", f) == about)
    return found if len(found) > 1 else ()


def select(only):
    """The units that --only names, and the functions of them when it is not a part of a file's name."""
    chosen = units(ROOT)
    if not only:
        return chosen, ()
    if named := [unit for unit in chosen if only in unit]:
        return named, ()
    defined = {unit: functions_of(unit) for unit in chosen}
    for unit, functions in defined.items():
        if only in functions:
            return [unit], companions(unit, only) if unit.startswith("proofs/alignment/") else (only,)
    known = [f for functions in defined.values() for f in functions]
    near = [f for f in known if only in f] or difflib.get_close_matches(only, known, 3)
    raise Unknown(f"--only '{only}': expected a part of a file's name, or a function"
                  + (" such as " + ", ".join(near[:3]) if near else ""))


def choose(only):
    """The units, the functions of them if not all, the files of Coq and the wrong variants."""
    theory = [p for p in coq.sources(ROOT) if not only or only in str(p.relative_to(ROOT))]
    wrong = [u for u in negative.units(ROOT) if not only or only in u]
    beside = only and (theory or wrong) and not any(only in unit for unit in units(ROOT))
    chosen, functions = ([], ()) if beside else select(only)
    return chosen, functions, theory, wrong


def prove_all(prover, options, chosen, functions, theory, wrong):
    """Returns the results of all units that were chosen."""
    root = ROOT
    if options.read:
        theory = []
        work = {u: lambda u=u: empty() | prover.read(root, u) for u in [*chosen, *wrong]}
    else:
        work = {u: lambda u=u: prover.run(root, u, functions) if functions else prover.prove(root, u) for u in chosen}
        work |= {u: lambda u=u: negative.attempt(prover, root, u) for u in wrong}
        work |= {p: lambda p=p: coq.prove(root, p, prover) for p in theory}
    done, progress = {}, Progress(len(work))
    heavy_first = sorted(work, key=lambda u: -(root / u).stat().st_size)
    # The files of Coq build on each other: two at once would wait for one another. And Frama-C waits for its provers at times: one unit more than there are processors keeps them busy
    with ThreadPoolExecutor(options.jobs + 1) as pool, ThreadPoolExecutor(1) as apart:
        waiting = {(apart if u in theory else pool).submit(work[u]): u for u in heavy_first}
        for future in as_completed(waiting):
            unit = waiting[future]
            done[unit] = future.result()
            progress(str(unit if isinstance(unit, str) else unit.relative_to(root)))
    progress.end()
    return [[done[u] for u in group] for group in (chosen, theory, wrong)]


def empty():
    """A unit that was read and not proved."""
    return {"functions": {}, "unproved": [], "trusted": [], "smoked": 0, "goals": [], "broken": ["not proved"]}


def read_baseline():
    if (ROOT / BASELINE).is_file():
        return json.loads((ROOT / BASELINE).read_text())
    return {"goals": {}, "contract": {}, "body": {}, "logic": {}}


def summarise(results, theory, table, begin):
    goals = sum(row["goals"] for row in table)
    unproved = len({goal for r in results for goal in set(r["goals"]) - set(judge.counted(r))}) + sum(len(r["says"]) for r in theory if not r["proved"])
    axioms = {item for r in results for item in r["trusted"] if not item.startswith("extern:")}
    return dict(goals=goals, proved=goals - unproved, functions=len({f for r in results for f in r["functions"]}),
                aligned=sum(row["alignment"] > 0 and row["function"].startswith("pby_") for row in table),
                theorems=sum(len(r["says"]) for r in theory), axioms=len(axioms), coq_axioms=len(coq.axioms(theory)),
                smoke_tests=sum(r["smoked"] for r in results), seconds=round(time.monotonic() - begin, 1))


def write_report(path, prover, table, found):
    report = dict(found, tools=prover.versions, functions=table)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(report, indent=1) + "\n")


def objections(prover, options, results, theory, wrong, baseline):
    """Everything that is wrong, but for the faults that are planted."""
    whole = not options.only
    listed = set(TRUST.findall((ROOT / "docs/trust.md").read_text()))
    found = [*gate.of_texts(ROOT, results, theory, wrong, baseline, whole and not options.read)]
    found += judge.texts_differ([*results, *wrong], {r["unit"]: prover.text(ROOT, r["unit"])[1] for r in [*results, *wrong]})
    if not options.read:
        found += gate.of_proofs(ROOT, results, theory, wrong, baseline, listed, whole)
    if whole or any("alignment" in r["unit"] for r in results):
        found += witness.problems(ROOT, prover.scratch, results)
    return list(dict.fromkeys(found))


def main():
    options = arguments()
    if options.fault:
        options.mutate, options.only = True, mutants.find(ROOT, options.fault)["unit"]
    begin = time.monotonic()
    cache = not options.no_cache and os.environ.get("CI", "") in ("", "false", "0")
    chosen, functions, theory, wrong = choose(options.only)
    prover = Prover(Path(options.build) / "proofs", options.jobs, options.timeout, cache)
    broken = gate.of_source(ROOT, [*chosen, *wrong])
    if not broken:
        broken = list(gate.of_objects(ROOT, options.build, chosen, options.cc, prover.scratch, not options.only and not options.read))
    for problem in broken:
        print(f"probity prove: {problem}", file=sys.stderr)
    if broken:
        return 1
    results, theory, wrong = prove_all(prover, options, chosen, functions, theory, wrong)
    coq.keep(prover)
    table = rows(results) + list(coq.rows(theory))
    if not options.read:
        show(table)
        negative.show(wrong)

    baseline = read_baseline()
    if options.accept:
        fresh = gate.recorded(ROOT, results, theory, wrong)
        before, baseline = baseline, {kind: ({} if not options.only else baseline.get(kind, {})) | fresh[kind] for kind in fresh}
    problems = objections(prover, options, results, theory, wrong, baseline)
    if options.accept and not problems and not options.read:
        (ROOT / BASELINE).write_text(json.dumps(baseline, indent=1, sort_keys=True) + "\n")
        print("\n".join([f"{BASELINE}:", *gate.accepted(before, baseline)]))

    if not options.read and not wrong and not any(row["goals"] for row in table):
        problems.append("no goals at all")
    faults = []
    if options.mutate and not problems:
        faults = mutants.run(prover, ROOT, options.fault or options.only, baseline["goals"], options.jobs)
        problems += [f"mutant not caught: {m['name']} ({m['outcome']})" for m in faults if not m["caught"]]

    summary = summarise(results, theory, table, begin)
    line = SUMMARY.format(**summary)
    if not options.only and not options.read and line not in " ".join((ROOT / "README.md").read_text().split()):
        problems.append("README.md shows another summary line than the last one here")
    if options.record and not options.read and not problems and not functions:
        replay.write(options.record, results, prover.versions)
    if options.json:
        trusted = {i for r in results for i in r["trusted"] if not i.startswith("extern:")}
        trusted |= {f"coq:{name}" for name in coq.axioms(theory)}
        write_report(options.json, prover, table, dict(summary=summary, problems=problems, mutants=faults, negative=[{"unit": r["unit"], "refused": sorted(r["unproved"])} for r in wrong],
                                                       texts={r["unit"]: r["text"] for r in [*results, *wrong]},
                                                       trusted=sorted(trusted)))
    for problem in problems:
        print(f"probity prove: {problem}", file=sys.stderr)
    print(f"read: {len(results) + len(wrong)} units, nothing proved" if options.read else line)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unknown, Refused) as refusal:
        print(f"probity prove: {refusal}", file=sys.stderr)
        sys.exit(2 if isinstance(refusal, Unknown) else 3)
