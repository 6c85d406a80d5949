#!/usr/bin/env python3
"""Proves the kernel: every function of src/kernel and every lemma of acsl, with Frama-C's WP.

    python3 proofs/prove.py [--json FILE] [--mutate] [--only NAME] [--jobs N] [--no-cache] [--accept]

Exit status 0 when all of it holds; 1 with the reasons when something does not; 3 when a tool is missing.
docs/proofs.md says how to read the table and how to add a function.
"""
import argparse
import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mutants
from wp import COLUMNS, Prover, Refused

ROOT = Path(__file__).resolve().parent.parent
BASELINE = Path("proofs/baseline.json")
ALLOWED = re.compile(r'<(?:stdint|stddef)\.h>|"(?:kernel|acsl)/[\w/]+\.h"')
TRUST = re.compile(r"`((?:axiom|admit|extern):\w+)`")


def units(root):
    return [str(p.relative_to(root)) for p in sorted(root.glob("src/kernel/*.c")) + sorted(root.glob("acsl/*.c"))]


def forbidden_includes(root):
    for path in sorted(root.glob("src/kernel/*.[ch]")) + sorted(root.glob("acsl/*.[ch]")):
        for name in re.findall(r"^\s*#\s*include\s+(\S+)", path.read_text(), re.M):
            if not ALLOWED.fullmatch(name):
                yield f"{path.relative_to(root)}: the kernel does not include {name}"


def contract_gaps(result):
    """A function must say what it gives, what it writes, and that it ends."""
    for name, function in result["functions"].items():
        for clause, what in (("ensures", "ensures"), ("assigns", "assigns"), ("terminates", "terminates")):
            if not any(re.search(rf"(?:^|_){clause}(?:_|$)", c) and not c.startswith(("loop_", "call_"))
                       for c in function["clauses"]):
                yield f"{name}: no {what} clause is proved ({result['unit']})"


def judge(result, defined, listed):
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
            yield f"trusted but not listed in docs/trust.md: {item} ({unit})"
    if not result["complete"]:
        yield f"{unit}: {len(result['goals'])} goals were read, WP counts {result['sum'][0]} of {result['sum'][1]}"


def below_floor(result, floor):
    for name, function in result["functions"].items():
        if name not in floor:
            yield f"{name}: not in {BASELINE}; once it is proved, --accept adds it"
            continue
        for column in COLUMNS:
            if function[column] < floor[name][column]:
                yield f"{name}: {function[column]} {column} goals, the floor is {floor[name][column]}"


def changed(results, baseline):
    """Contracts and logic that no longer say what the baseline recorded, and what has gone missing."""
    for kind, said in (("contract", contracts(results)), ("logic", logic(results))):
        for name, digest in sorted(baseline.get(kind, {}).items()):
            if name not in said:
                yield f"{kind} of {name} is in {BASELINE} but not in the code"
            elif said[name] != digest:
                yield f"{kind} of {name} has changed: if that is meant, --accept records it"
        yield from (f"{kind} of {name} is not in {BASELINE}: --accept records it"
                    for name in sorted(said) if name not in baseline.get(kind, {}))


def contracts(results):
    return {f: r["contracts"].get(f, "none") for r in results for f in r["functions"]}


def logic(results):
    return {name: digest for r in results for name, digest in r["logic"].items()}


def rows(results):
    """One row a function. An inline function of a header is proved in each unit that includes it."""
    table = {}
    for result in results:
        for name, function in result["functions"].items():
            table.setdefault(name, dict(function=name, file=result["unit"],
                                        **{c: function[c] for c in COLUMNS},
                                        total=sum(function[c] for c in COLUMNS), seconds=function["seconds"]))
    return list(table.values())


def show(table):
    print(f"{'function':24}" + "".join(f"{c:>13}" for c in (*COLUMNS, "total", "seconds")))
    for file in dict.fromkeys(row["file"] for row in table):
        print(file)
        for row in (r for r in table if r["file"] == file):
            print(f"  {row['function']:22}" + "".join(f"{row[c]:13}" for c in (*COLUMNS, "total"))
                  + f"{row['seconds']:13.1f}")


def recorded(results):
    return {"goals": {row["function"]: {c: row[c] for c in COLUMNS} for row in rows(results)},
            "contract": contracts(results), "logic": logic(results)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the report there")
    parser.add_argument("--mutate", action="store_true", help="then plant every fault of mutations.json")
    parser.add_argument("--only", metavar="NAME", help="a function, or a part of a file's name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--timeout", type=int, default=20, metavar="S", help="seconds for each goal and prover")
    parser.add_argument("--no-cache", action="store_true", help="run every prover again (so does CI=true)")
    parser.add_argument("--accept", action="store_true", help="record contracts and goals as the baseline")
    return parser.parse_args()


def prove_all(prover, jobs, only):
    chosen, functions = units(ROOT), ()
    if only and any(only in unit for unit in chosen):
        chosen = [unit for unit in chosen if only in unit]
    elif only:
        functions = (only,)
        chosen = [u for u in chosen if re.search(rf"^\s*[\w *]*\b{only}\(", (ROOT / u).read_text(), re.M)]
        chosen = [u for u in chosen if not u.startswith("src/") or not only.startswith("lemma_")][:1]
    if not chosen:
        raise Refused(f"--only '{only}': no such file or function")
    work = (lambda u: prover.run(ROOT, u, functions)) if functions else (lambda u: prover.prove(ROOT, u))
    heavy_first = sorted(chosen, key=lambda u: -(ROOT / u).stat().st_size)
    with ThreadPoolExecutor(jobs) as pool:
        done = dict(zip(heavy_first, pool.map(work, heavy_first)))
    return [done[unit] for unit in chosen]


def problems_of(results, baseline, listed, whole):
    defined = {f for r in results for f in r["functions"]}
    if not whole:
        defined |= set(baseline["goals"])
    found = list(forbidden_includes(ROOT))
    for result in results:
        found += judge(result, defined, listed)
        found += below_floor(result, baseline["goals"])
    if whole:
        found += changed(results, baseline)
        used = {item for r in results for item in r["trusted"]}
        found += [f"docs/trust.md lists {item}, which is not used" for item in sorted(listed - used)]
    return list(dict.fromkeys(found))


def main():
    options = arguments()
    begin = time.monotonic()
    cache = not options.no_cache and os.environ.get("CI", "") in ("", "false", "0")
    prover = Prover(ROOT / "build/proofs", options.jobs, options.timeout, cache)
    results = prove_all(prover, options.jobs, options.only)
    table = rows(results)
    show(table)

    baseline = {"goals": {}, "contract": {}, "logic": {}}
    if (ROOT / BASELINE).is_file():
        baseline = json.loads((ROOT / BASELINE).read_text())
    listed = set(TRUST.findall((ROOT / "docs/trust.md").read_text()))
    if options.accept:
        fresh = recorded(results)
        baseline = {kind: ({} if not options.only else baseline[kind]) | fresh[kind] for kind in fresh}
    problems = problems_of(results, baseline, listed, not options.only)
    if options.accept and not problems:
        (ROOT / BASELINE).write_text(json.dumps(baseline, indent=1, sort_keys=True) + "\n")

    goals = sum(row["total"] for row in table)
    unproved = len({goal for r in results for goal in r["unproved"]})
    axioms = len({item for r in results for item in r["trusted"] if not item.startswith("extern:")})
    if goals == 0:
        problems.append("no goals at all")
    faults = []
    if options.mutate and not problems:
        faults = mutants.run(prover, ROOT, baseline["goals"], listed, options.jobs, judge, below_floor)
        problems += [f"mutant not caught: {m['name']} ({m['outcome']})" for m in faults if not m["caught"]]

    summary = dict(goals=goals, proved=goals - unproved, functions=len(table), axioms=axioms,
                   smoke_tests=sum(r["smoked"] for r in results), seconds=round(time.monotonic() - begin, 1))
    if options.json:
        report = dict(summary=summary, tools=prover.versions, functions=table, problems=problems, mutants=faults,
                      trusted=sorted({i for r in results for i in r["trusted"] if not i.startswith("extern:")}))
        Path(options.json).parent.mkdir(parents=True, exist_ok=True)
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")
    for problem in problems:
        print(f"probity prove: {problem}", file=sys.stderr)
    print(f"proofs: {goals} goals, {goals - unproved} proved, {len(table)} functions, {axioms} axioms")
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refused as refusal:
        print(f"probity prove: {refusal}", file=sys.stderr)
        sys.exit(3)
