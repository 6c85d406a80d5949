#!/usr/bin/env python3
"""Proves the kernel: its functions, the lemmas of acsl and the alignments with Frama-C's WP, and the theory with Coq.

    python3 proofs/prove.py [--build DIR] [--json FILE] [--mutate] [--only NAME] [--jobs N] [--no-cache] [--accept]

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

import coq
import mutants
import negative
from wp import COLUMNS, Prover, Refused, is_complete

ROOT = Path(__file__).resolve().parent.parent
BASELINE = Path("proofs/baseline.json")
ALLOWED = re.compile(r'<(?:stdint|stddef)\.h>|"(?:kernel|acsl)/[\w/]+\.h"')
HARNESS = re.compile(r'"proofs/alignment/\w+\.h"')
SUMMARY = ("proofs: {goals} goals, {proved} proved, {functions} functions, {aligned} mechanisms aligned, {theorems} theorems, "
           "{axioms} axioms, {coq_axioms} of Coq's library")
TRUST = re.compile(r"`((?:axiom|admit|extern|coq):[\w.]+)`")


def units(root):
    return [str(p.relative_to(root)) for folder in ("src/kernel", "acsl", "proofs/alignment")
            for p in sorted(root.glob(f"{folder}/*.c"))]


def forbidden_includes(root):
    for folder in ("src/kernel", "acsl", "proofs/alignment", "proofs/negative"):
        for path in sorted(root.glob(f"{folder}/*.[ch]")):
            for name in re.findall(r"^\s*#\s*include\s+(\S+)", path.read_text(), re.M):
                if not ALLOWED.fullmatch(name) and not (folder.startswith("proofs") and HARNESS.fullmatch(name)):
                    yield f"{path.relative_to(root)}: the kernel does not include {name}"


def idle_harnesses(results):
    """A harness speaks for pby_NAME only when it runs pby_NAME."""
    for result in results:
        code = re.sub(r"/\*.*?\*/", "", (ROOT / result["unit"]).read_text(), flags=re.S)
        for name, function in result["functions"].items():
            subject = name.replace("align_", "pby_", 1)
            if function["alignment"] and not re.search(rf"\b{subject}\(", code):
                yield f"{name}: no run of {subject} ({result['unit']})"


def missing_hypotheses(results, theory):
    """A harness proves, under their names, the hypotheses of the theorem that speak of the code; mass is the law's."""
    wanted = [name for name in coq.hypotheses(theory, "alignment_private") if name != "mass"]
    for result in results:
        for name, function in result["functions"].items():
            proved = {re.sub(r"_part\d+$", "", clause) for clause in function["clauses"]}
            if function["alignment"]:
                yield from (f"{name}: no clause {h}, a hypothesis of alignment_private ({result['unit']})"
                            for h in wanted if f"ensures_{h}" not in proved)
    if theory and not wanted:
        yield "alignment_private: its hypotheses have no names"


def contract_gaps(result):
    """A function must say what it gives, what it writes, and that it ends."""
    for name, function in result["functions"].items():
        for clause, what in (("ensures", "ensures"), ("assigns", "assigns"), ("terminates", "terminates")):
            if not any(re.search(rf"(?:^|_){clause}(?:_|$)", c) and not c.startswith(("loop_", "call_"))
                       for c in function["clauses"]):
                yield f"{name}: no {what} clause is proved ({result['unit']})"


def clashes(results):
    """Two functions of one name would share a row; an inline function of a header is one function."""
    seen = {}
    for result in results:
        for name in result["functions"]:
            said = result["contracts"].get(name, "none")
            if seen.setdefault(name, said) != said:
                yield f"{name}: two functions of this name, the second in {result['unit']}"


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


def changed(now, baseline):
    """Contracts and logic that no longer say what the baseline recorded, and what has gone missing."""
    for kind in ("contract", "logic"):
        said, before = now[kind], baseline.get(kind, {})
        for name, digest in sorted(before.items()):
            if name not in said:
                yield f"{kind} of {name} is in {BASELINE} but not in the code"
            elif said[name] != digest:
                yield f"{kind} of {name} has changed: if that is meant, --accept records it"
        yield from (f"{kind} of {name} is not in {BASELINE}: --accept records it"
                    for name in sorted(said) if name not in before)


def rows(results):
    """One row a function. An inline function of a header is proved in each unit that includes it; what a harness
    align_NAME proves of the alignment stands in the row of pby_NAME."""
    table = {}
    for result in results:
        for name, function in result["functions"].items():
            table.setdefault(name, dict(function=name, file=result["unit"], **{c: function[c] for c in COLUMNS},
                                        seconds=function["seconds"]))
    for name, row in table.items():
        subject = table.get(name.replace("align_", "pby_", 1))
        if name.startswith("align_") and subject:
            subject["alignment"], row["alignment"] = row["alignment"], 0
    for row in table.values():
        row["goals"] = sum(row[c] for c in COLUMNS)
    return list(table.values())


def show(table):
    print(f"{'function':24}" + "".join(f"{c:>13}" for c in (*COLUMNS, "goals", "seconds")))
    for file in dict.fromkeys(row["file"] for row in table):
        print(file)
        for row in (r for r in table if r["file"] == file):
            print(f"  {row['function']:22}" + "".join(f"{row[c] or '-':>13}" for c in (*COLUMNS, "goals"))
                  + f"{row['seconds']:13.1f}")


def recorded(results, theory):
    goals = {name: {c: function[c] for c in COLUMNS} for r in results for name, function in r["functions"].items()}
    contract = {name: r["contracts"].get(name, "none") for r in results for name in r["functions"]}
    logic = {name: digest for r in results for name, digest in r["logic"].items()}
    return {"goals": goals | {row["function"]: {c: row[c] for c in COLUMNS} for row in coq.rows(theory)},
            "contract": contract | {name: said for r in theory for name, said in r["says"].items()},
            "logic": logic | {r["unit"]: r["text"] for r in theory}}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", metavar="DIR", default=ROOT / "build", help="where the caches are, if not in build/")
    parser.add_argument("--json", metavar="FILE", help="write the report there")
    parser.add_argument("--mutate", action="store_true", help="then plant the faults of mutations.json")
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


def problems_of(results, theory, baseline, listed, whole):
    defined = {f for r in results for f in r["functions"]}
    if not whole:
        defined |= set(baseline["goals"])
    found = [*forbidden_includes(ROOT), *idle_harnesses(results), *clashes(results), *coq.problems(theory, listed)]
    for result in results:
        found += judge(result, defined, listed)
        found += below_floor(result, baseline["goals"])
    if whole:
        found += changed(recorded(results, theory), baseline)
        found += missing_hypotheses(results, theory)
        used = {item for r in results for item in r["trusted"]} | {f"coq:{name}" for name in coq.axioms(theory)}
        found += [f"docs/trust.md lists {item}, which is not used" for item in sorted(listed - used)]
    return list(dict.fromkeys(found))


def read_baseline():
    if (ROOT / BASELINE).is_file():
        return json.loads((ROOT / BASELINE).read_text())
    return {"goals": {}, "contract": {}, "logic": {}}


def summarise(results, theory, table, begin):
    goals = sum(row["goals"] for row in table)
    unproved = len({goal for r in results for goal in r["unproved"]}) + sum(len(r["says"]) for r in theory if not r["proved"])
    axioms = {item for r in results for item in r["trusted"] if not item.startswith("extern:")}
    return dict(goals=goals, proved=goals - unproved, functions=len({f for r in results for f in r["functions"]}),
                aligned=sum(row["alignment"] > 0 and row["function"].startswith("pby_") for row in table),
                theorems=sum(len(r["says"]) for r in theory), axioms=len(axioms), coq_axioms=len(coq.axioms(theory)),
                smoke_tests=sum(r["smoked"] for r in results), seconds=round(time.monotonic() - begin, 1))


def write_report(path, prover, table, found):
    report = dict(found, tools=prover.versions, functions=table)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(report, indent=1) + "\n")


def main():
    options = arguments()
    begin = time.monotonic()
    cache = not options.no_cache and os.environ.get("CI", "") in ("", "false", "0")
    prover = Prover(Path(options.build) / "proofs", options.jobs, options.timeout, cache)
    theory, wrong, results = [], [], []
    if options.only and any(options.only in str(p.relative_to(ROOT)) for p in coq.sources(ROOT)):
        theory = [coq.prove(ROOT, p, prover) for p in coq.sources(ROOT) if options.only in str(p.relative_to(ROOT))]
    else:
        results = prove_all(prover, options.jobs, options.only)
    if not options.only:
        theory = [coq.prove(ROOT, p, prover) for p in coq.sources(ROOT)]
        with ThreadPoolExecutor(options.jobs) as pool:
            wrong = negative.run(prover, ROOT, pool)
    table = rows(results) + list(coq.rows(theory))
    show(table)
    if wrong:
        negative.show(wrong)

    baseline = read_baseline()
    listed = set(TRUST.findall((ROOT / "docs/trust.md").read_text()))
    if options.accept:
        fresh = recorded(results, theory)
        baseline = {kind: ({} if not options.only else baseline[kind]) | fresh[kind] for kind in fresh}
    problems = problems_of(results, theory, baseline, listed, not options.only) + list(negative.problems(wrong))
    if options.accept and not problems:
        (ROOT / BASELINE).write_text(json.dumps(baseline, indent=1, sort_keys=True) + "\n")

    if not any(row["goals"] for row in table):
        problems.append("no goals at all")
    faults = []
    if options.mutate and not problems:
        faults = mutants.run(prover, ROOT, options.only, baseline["goals"], listed, options.jobs, judge, below_floor)
        problems += [f"mutant not caught: {m['name']} ({m['outcome']})" for m in faults if not m["caught"]]

    summary = summarise(results, theory, table, begin)
    line = SUMMARY.format(**summary)
    if not options.only and line not in " ".join((ROOT / "README.md").read_text().split()):
        problems.append("README.md shows another summary line than the last one here")
    if options.json:
        trusted = {i for r in results for i in r["trusted"] if not i.startswith("extern:")}
        trusted |= {f"coq:{name}" for name in coq.axioms(theory)}
        write_report(options.json, prover, table, dict(summary=summary, problems=problems, mutants=faults, negative=wrong,
                                                       trusted=sorted(trusted)))
    for problem in problems:
        print(f"probity prove: {problem}", file=sys.stderr)
    print(line)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refused as refusal:
        print(f"probity prove: {refusal}", file=sys.stderr)
        sys.exit(3)
