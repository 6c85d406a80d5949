# SPDX-License-Identifier: MIT
"""probity prove: proves that a mechanism in C is private, out of the library's tree.

docs/prove.md says what it takes and what it answers. Exit status: 0 proved, 1 not proved or refuted, 2 a bad prove.toml or C
that does not parse, 3 a tool is missing.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import answers
import cache
import counterexample
import gate
import handover
import judge
import operators
import receipt
import settings as toml
import shapes
import statement
import table
import texts
import toolroot
from stage import Stage
from settings import Bad
from wp import PACKAGES, SMOKE_LIMITS, Missing, Prover, Refused

ROOT = Path(__file__).resolve().parent.parent
TOOLS = {"frama-c": "frama-c", "why3": "why3", "cvc4": "CVC4", "z3": "Z3", "gcc": "gcc"}


def arguments(words):
    parser = argparse.ArgumentParser(prog="probity prove", description="proves that a mechanism in C is private", allow_abbrev=False)
    parser.add_argument("folder", nargs="?", default=".", metavar="DIR", help="the folder of prove.toml")
    parser.add_argument("--json", metavar="FILE", help="the whole result; - is standard output")
    parser.add_argument("--junit", metavar="FILE", help="one test case for each goal")
    parser.add_argument("--sarif", metavar="FILE", help="SARIF 2.1.0: each clause that is not proved, at its line")
    parser.add_argument("--badge", metavar="FILE", help="a badge, as SVG")
    parser.add_argument("--receipt", metavar="FILE", help="what was proved, of which sources, with which tools")
    parser.add_argument("--sign", metavar="KEY", help="signs the receipt with the secret key in that file")
    parser.add_argument("--against", metavar="FILE", help="the result must be that of this receipt")
    parser.add_argument("--text", metavar="DIR", help="if it is proved: the text of each unit, to be compiled, and the flags for it")
    parser.add_argument("--objects", metavar="DIR", help="your objects, which must be what the compiler makes of the texts")
    parser.add_argument("--cc", metavar="CC", default="gcc", help="the compiler that made the objects")
    parser.add_argument("--flags", metavar="FLAGS", default="-O2 -g", help="the flags that it was given beside those of --text")
    parser.add_argument("--accept", action="store_true", help="records contracts and goals in prove.baseline.json")
    parser.add_argument("--mutate", action="store_true", help="then changes the mechanism in small ways: no change may be proved")
    parser.add_argument("--lemmas", action="store_true", help="proves the library's lemmas again, which a shipped result has")
    parser.add_argument("--show", action="store_true", help="prints the function that is proved, and proves nothing")
    parser.add_argument("--cache", metavar="DIR", help="where results are kept, DIR/.probity if not given")
    parser.add_argument("--no-cache", action="store_true", help="runs every prover again")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--timeout", type=int, default=20, metavar="S", help="seconds for each goal and prover")
    parser.add_argument("--quiet", action="store_true", help="prints no table")
    parser.add_argument("--root", action="store_true", help="prints the folder that has acsl/, for a compiler's -I")
    options = parser.parse_args(words)
    for name in ("jobs", "timeout"):
        if getattr(options, name) < 1:
            raise Bad(f"--{name}: '{getattr(options, name)}': expected a number from 1 on")
    handover.check_flags(options.flags.split())
    if options.sign and not options.receipt:
        raise Bad("--sign: expected --receipt FILE too")
    if options.sign and not os.access(options.sign, os.R_OK): # before the proof, and not after
        raise Bad(f"--sign: '{options.sign}': expected a file with a secret key; probity keygen -o KEY makes one")
    return options




def need_tools():
    """Every tool that is missing, at once, with its package. Where the system offers no Frama-C, all come from a root of Debian 12."""
    if toolroot.wanted():
        toolroot.use()
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        packages = " ".join(sorted({PACKAGES[TOOLS[t]] for t in missing}))
        raise Missing(", ".join(missing), packages)


# ---- the proof --------------------------------------------------------------------------------------

class Own(Prover):
    """Proves what is not ours. A contract that nobody proved may promise the impossible: with externs there are smoke tests behind
    each call too."""
    foreign = True

    def __init__(self, externs, *options):
        super().__init__(*options)
        self.smoke = SMOKE_LIMITS if externs else (*SMOKE_LIMITS, "-wp-no-smoke-dead-call")


def prove_units(prover, stage, units, jobs):
    done, progress = {}, table.Progress(len(units))
    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(prover.prove, stage.root, unit): unit for unit in units}
        for future in as_completed(waiting):
            done[waiting[future]] = future.result()
            progress(waiting[future])
    progress.end()
    return [done[unit] for unit in units]


def lemma_units(stage, results, shipped):
    """The units of the library that define what the results take from it."""
    wanted = {i.split(":")[1] for r in results for i in r["trusted"] if i.startswith("extern:")} & set(shipped["contract"])
    return [p for p in stage.library if p.endswith(".c")
            and any(re.search(rf"\b{name}\s*\([^;{{]*\)\s*\{{", (stage.root / p).read_text()) for name in wanted)]


def objections(stage, results, shipped):
    s = stage.settings
    about = {"name": s.name, "units": s.units, "externs": s.externs, "fails": s.fails is not None, "statement": statement.UNIT,
             "clauses": [name for name, _ in stage.statement.clauses()], "static": stage.static(), "lemmas": stage.lemmas(), "shipped": shipped}
    return judge.mechanism(about, results)


# ---- the baseline -----------------------------------------------------------------------------------

BASELINE = "prove.baseline.json"


def recorded(stage, results):
    now = gate.recorded(stage.root, results, [], [])
    lines = {name: " ".join(f"{c} {n}" for c, n in goals.items() if n) for name, goals in now["goals"].items()}
    return {"goals": lines, "contract": now["contract"], "logic": {k: v for k, v in now["logic"].items() if not k.startswith(("acsl/", "proofs/"))},
            "statement": {"words": statement.words(stage.settings, "delta", sorted(stage.settings.externs))}}


def difference(before, now):
    """Lines that say what was added, lost or changed; of a contract or a definition, clause by clause."""
    for kind in now:
        old, new = before.get(kind, {}), now[kind]
        for name in sorted({*old, *new}):
            one, two = old.get(name, []), new.get(name, [])
            if name in old and name in new and texts.same(one, two):
                continue
            if kind in ("goals", "statement"):
                yield f"  {kind} of {name}: " + (f"new: {two}" if not one else f"gone: {one}" if not two else f"{one} -> {two}")
            else:
                yield "\n".join([f"  {kind} of {name}: " + ("new" if name not in old else "gone" if name not in new else "changed"),
                                 *(f"    {line}" for line in texts.difference(one, two))])


def against_baseline(options, stage, results):
    path, now = stage.settings.folder / BASELINE, recorded(stage, results)
    before = json.loads(path.read_text()) if path.is_file() else {}
    changes = list(difference(before, now))
    if options.accept:
        print("\n".join([f"{BASELINE}: {len(changes)} changes", *changes]) if changes else f"{BASELINE}: no change")
        return [], now
    heads = [line.strip().split("\n", 1) for line in changes] if before else []
    return ["\n".join([f"baseline: {head}: if that is meant, --accept records it", *more]) for head, *more in heads], now


# ---- the answer -------------------------------------------------------------------------------------

def delta_of(s):
    """The chance of a failure: what probity loss says of the same tail, times the draws that may fail."""
    if s.fails is None:
        return "0"
    command = (os.environ.get("PROBITY", "probity"), "loss", f"threshold:eps={s.rate},T={s.fails + 1}", "--epsilon", str(s.rate), "--json")
    try:
        done = subprocess.run(command, text=True, capture_output=True, check=True)
    except FileNotFoundError:
        raise Missing("probity", "probity") from None
    except subprocess.CalledProcessError as error:
        raise Bad(f"privacy.fails: {error.stderr.strip()}") from None
    return receipt.times(json.loads(done.stdout)["delta"]["hi"], s.entries)


def run(options):
    begin = time.monotonic()
    s = toml.load(options.folder)
    with_tools = not options.show
    if with_tools:
        need_tools()
    keep = Path(options.cache) if options.cache else cache.folder(s.folder)
    if options.show:
        import tempfile
        with tempfile.TemporaryDirectory() as scratch:
            print(Stage(ROOT, s, Path(scratch)).statement.text(), end="")
        return 0
    prover = Own(s.externs, keep, options.jobs, options.timeout, not options.no_cache)
    if not options.cache:
        cache.ignore(s.folder)
    folder = prover.scratch / "stage"
    folder.mkdir()
    stage = Stage(ROOT, s, folder)
    prover.includes = stage.includes
    problems = list(stage.problems())
    results, example = [], None
    shipped = json.loads((ROOT / gate.BASELINE).read_text())
    if not problems:
        problems += counterexample.equal_witness(stage, prover.scratch)
    if not problems and (example := counterexample.search(stage, prover.scratch)):
        problems.append(example["problem"]) # refuted: nothing is left to prove
    if not problems:
        results = prove_units(prover, stage, stage.units, options.jobs)
        if options.lemmas:
            results += prove_units(prover, stage, lemma_units(stage, results, shipped), options.jobs)
        problems = list(dict.fromkeys(objections(stage, results, shipped)))
        problems += judge.texts_differ(results, {r["unit"]: prover.text(stage.root, r["unit"])[1] for r in results})
    if options.objects and not problems:
        problems += handover.problems(stage, options.objects, options.cc, options.flags.split(), prover.scratch)
    trusted = {i for r in results for i in r["trusted"] if i.split(":")[1] in s.externs}
    claim = statement.said(s, delta_of(s), trusted, stage.sources()) if not problems else None
    if claim and s.epsilon is not None and statement.epsilon(s) > s.epsilon:
        problems.append(f"epsilon is {statement.epsilon(s)}, above the {s.epsilon} of prove.toml")
    changed, now = against_baseline(options, stage, results) if results and not problems else ([], None)
    problems += changed
    faults = operators.run(prover, stage, table.Progress) if options.mutate and not problems else []
    problems += [f"a change is proved too: {f['name']}" for f in faults if f["outcome"] == "proved" and f["name"] not in s.allowed]
    above = shapes.repository(s.folder)
    answer = {"mechanism": s.name, "folder": Path(os.path.relpath(s.folder, above)).as_posix() if above else ".", "proved": not problems, "statement": claim if not problems else None, "problems": problems,
              "counterexample": example["text"] if example else None, "goals": answers.goals_of(results),
              "functions": table.rows(results), "places": answers.places_of(results) + ([example["place"]] if example and example["place"] else []), "mutants": faults,
              "lemmas": sorted({name for r in results for called in r["calls"].values() for name in called} & stage.lemmas() & set(shipped["goals"])
                                - {f for r in results for f in r["functions"]}),
              "texts": {r["unit"]: r["text"] for r in results}, "compiled": receipt.mechanism(s.name, handover.texts(stage)) if not problems else None, "tools": prover.versions, "sources": receipt.digests(stage), "seconds": round(time.monotonic() - begin, 1)}
    return publish(options, s, stage, answer, now)


def publish(options, s, stage, answer, now):
    if options.receipt or options.against:
        made = receipt.make(answer)
        if options.against:
            answer["problems"] += receipt.compare(options.against, made)
            answer["proved"] = not answer["problems"]
    if options.accept and answer["proved"]:
        (s.folder / BASELINE).write_text(json.dumps(now, indent=1, sort_keys=True) + "\n")
    for path, write in ((options.junit, answers.junit), (options.sarif, answers.sarif), (options.badge, answers.badge)):
        if path:
            answers.put(path, write(answer))
    if options.text and answer["proved"]:
        handover.write(stage, options.text)
    if options.receipt and answer["proved"]:
        receipt.write(options.receipt, made, options.sign)
    if options.json:
        answers.put(options.json, json.dumps(answer, indent=1) + "\n")
    if options.json != "-" and not options.quiet:
        answers.show(answer)
    for problem in answer["problems"]:
        print(f"probity prove: {problem}", file=sys.stderr)
    if answer["counterexample"]:
        print(f"counterexample: {answer['counterexample']}", file=sys.stderr)
    return 0 if answer["proved"] else 1


def main(words):
    try:
        if words[:1] == ["init"]:
            return shapes.init(words[1:])
        options = arguments(words)
        if options.root:
            print(ROOT)
            return 0
        return run(options)
    except (Missing, toolroot.Unavailable) as refusal:
        print(f"probity: prove: {refusal}", file=sys.stderr)
        return 3
    except (Bad, Refused) as refusal:
        print(f"probity: prove: {refusal}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"probity: prove: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
