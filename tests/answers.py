#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what the command answers, so that a rearrangement of the sources can show that it changed no answer.

A record is one JSON object a line: the arguments, the exit status, standard output and standard error. The command
lines come from the registry of families (each example, its numbers halved and doubled, pairs of examples), from the
certificates of tests/vectors, from the transcripts of the README and the cookbook, and from misspelt options. Two
records of different builds are compared by the arguments. An answer that took longer than the limit of processor time
on either side is counted and not compared: it says nothing.

Releases draw noise, so they are asked with a getrandom of our own in front of the C library's, which always gives the
same bytes. Each mechanism that can be released meets each option by itself, and many pairs of options; the record
holds the output, and what the ledger says afterwards, so that it also shows what was charged.
usage: answers.py record PROBITY FILE [--only questions|releases] [--seconds S] [--sample N] [--jobs J]
       answers.py compare BEFORE AFTER"""
import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
SEED = "00" * 31 + "07"
MEMORY = 4 << 30
# Each question is asked of every spec.
QUESTIONS = [
    ["loss", "{}", "--epsilon", "0"],
    ["loss", "{}", "--epsilon", "1/2"],
    ["loss", "{}", "--epsilon", "2", "--json"],
    ["loss", "{}", "--delta", "1e-6"],
    ["loss", "{}", "--order", "2"],
    ["loss", "{}", "--zcdp"],
    ["loss", "{}", "--mu"],
    ["loss", "{}", "--epsilon", "1", "--substitute"],
    ["loss", "{}", "--epsilon", "1", "--group", "3"],
    ["loss", "{}", "--epsilon", "1", "--digits", "25"],
    ["loss", "2*{}", "--epsilon", "1"],
    ["loss", "12*{}", "--delta", "1e-6"],
    ["loss", "40*{}", "--delta", "1e-6"],
    ["explain", "{}"],
    ["explain", "{}", "--json"],
    ["certify", "{}", "--epsilon", "1"],
    ["draw", "{}", "-n", "5", "--seed", SEED],
    ["draw", "{}", "-n", "5", "--seed", SEED, "--timing-safe"],
    ["accuracy", "{}", "--beta", "1/20"],
    ["accuracy", "{}", "--alpha", "10", "--json"],
    ["accuracy", "{}", "--n", "10", "--beta", "1/20"],
]
# A changed number is asked less.
SHORT = [QUESTIONS[1], QUESTIONS[3], QUESTIONS[4], QUESTIONS[13], QUESTIONS[16], QUESTIONS[18]]
SELECTS = [["--epsilon", "1", "--delta", "1e-6"], ["--epsilon", "1/2"],
           ["--epsilon", "1", "--delta", "1e-6", "--uses", "12", "--json"]]
MISTAKES = [["--epsilon"], ["--epsilon", "x"], ["--epsilon", "-1"], ["--delta", "2"], ["--order", "1"], ["--nothing"],
            ["--epsilon", "1", "--epsilon", "2"], ["--group", "0", "--epsilon", "1"], ["--digits", "0", "--epsilon", "1"]]

# ---- releases ----
SHIM = """#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
static uint64_t state;
ssize_t getrandom(void *out, size_t size, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < size; i++) {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        ((unsigned char *)out)[i] = (unsigned char)(z ^ z >> 31);
    }
    return (ssize_t)size;
}
"""
CHANCES = "a,x,1/2\na,y,1/2\nb,x,1/4\nb,y,3/4\n"
QUERIES = "kind,q1,q2\na,0,1\nb,1,0\nc,1/2,1\n"
FILES = {
    "counts.csv": "key,count\na,40\nb,7\nc,0\nd,1\n",
    "numbers.csv": "1,12\n2,30\n5,4\n",
    "wide.csv": "word,year,n,score\na,1,1.5,10\nb,1,2,0\nc,2,100,60\n",
    "records.csv": "user,group,year,v\n1,a,1,3\n2,a,1,4\n3,b,2,5\n3,b,2,9\n4,c,1,0\n",
    "points.csv": "1,2\n3,4\n0.5,1\n7,9\n",
    "line.csv": "x\n1\n3\n7\n",
    "replies.csv": "reply\n0\n1\n1\n0\n",
    "scores.csv": "candidate,score\nred,3\ngreen,9.5\nblue,-1\n",
    "whole.csv": "red,3\ngreen,9\nblue,-1\n",
    "empty.csv": "",
    "bad.csv": "key,count\na,many\n",
    "list.csv": "a\nb\nz\n",
    "map.csv": "a,vowel\nb,other\nc,other\n",
    "chances.csv": CHANCES,
    "queries.csv": QUERIES,
}
TABLE = hashlib.sha256(CHANCES.encode()).hexdigest()
QUERIED = hashlib.sha256(QUERIES.encode()).hexdigest()
# The specs that can be released, each with the input that it reads and the options that it must have.
RELEASED = [
    (["geometric:eps=1"], "counts.csv", []), (["geometric:eps=1,sensitivity=8"], "counts.csv", []),
    (["3*geometric:eps=1"], "counts.csv", []), (["dgauss:sigma2=16"], "counts.csv", []),
    (["laplace:scale=2,grid=1/4"], "counts.csv", []), (["stlap:eps=1/2,q=40"], "counts.csv", []),
    (["stlap:eps=1,tau=1/10,n=48,bars=4"], "counts.csv", []), (["threshold:eps=1,T=5"], "counts.csv", []),
    (["2*threshold:eps=1,T=5"], "counts.csv", []), (["threshold:eps=1,T=5", "geometric:eps=1"], "counts.csv", []),
    (["threshold:eps=1,T=5,of=utility", "geometric:eps=1"], "wide.csv",
     ["--keys", "word", "--counts", "n", "--step", "1/2", "--utility", "score"]),
    (["partition:eps=1,delta=1/100"], "counts.csv", []), (["range:eps=1,L=10"], "counts.csv", []),
    (["threshold:eps=1,T=5", "range:eps=1,L=10"], "counts.csv", []), (["microdata:eps=1"], "counts.csv", []),
    (["scatter:table=" + TABLE, "geometric:eps=1"], "counts.csv", ["--scatter", "chances.csv"]),
    (["geometric:eps=1", "robust:rho=1,eps=1"], "counts.csv", []),
    (["ptr:eps=1,T=3,answers=5"], "counts.csv", ["--statistic", "mode"]),
    (["smooth:eps=1,decay=19/20,range=100"], "numbers.csv", ["--statistic", "max"]),
    (["choosing:eps=1/20,counts=1/2"], "counts.csv", []),
    (["buckethist:eps=1/2,q=40,bound=100,width=10"], "line.csv", []),
    (["buckethist:eps=1/2,q=40,bound=100,width=50,dimension=2"], "points.csv", []),
    (["2*buckethist:eps=1/2,q=40,bound=100,width=10"], "line.csv", []),
    (["fbquantile:eps=1,q=3/4,n=3,bound=50"], "line.csv", []),
    (["2*fbquantile:eps=1,q=3/4,n=4,bound=50"], "points.csv", ["--along", "3,-2"]),
    (["depth:eps=1,level=2,bound=10"], "points.csv", []),
    (["fbsupport:eps=1,level=2,x=1,y=0,bound=10"], "points.csv", []),
    (["fbsteiner:eps=1,level=2,bound=10"], "points.csv", []),
    (["rr:eps=1"], "replies.csv", []), (["krr:eps=3/2,k=3"], "replies.csv", []),
    (["onebit:eps=1,hi=1"], "replies.csv", []), (["exponential:eps=1"], "scores.csv", []),
    (["power:base=2"], "whole.csv", []), (["noisymax:eps=1"], "whole.csv", []), (["permuteflip:eps=1"], "scores.csv", []),
    (["smalldb:eps=1,size=3,queries=" + QUERIED], "counts.csv", ["--queries", "queries.csv"]),
]
# These have no release.
REFUSED = ["tgeometric:eps=1/2,bound=40", "gauss:sigma2=16", "pure:eps=1", "above:eps=1/2"]
RAW = ["--by", "group", "--user", "user", "--contributions"]
ARGUMENTS = [
    ["--json"], ["-o", "out"], ["-o", "out", "--json"], ["--ledger", "ledger"], ["--ledger", "rows"],
    ["--ledger", "users"], ["--ledger", "poor"], ["--ledger", "substitute"], ["--filter", "list.csv"],
    ["--group-by", "map.csv"], ["--scatter", "chances.csv"], ["--truncate", "10"], ["--statistic", "mode"],
    ["--statistic", "support"], ["--statistic", "median"], ["--statistic", "max_k", "--k", "2"], ["--timing-safe"],
    ["--range", "0:5"], ["--queries", "queries.csv"], ["--queries", "list.csv"], ["--along", "3,-2"], ["--rounds", "2"],
    ["--utility", "score"], ["--keep", "list.csv"], ["--step", "1/2"], ["--user", "user"], ["-n", "2"],
    ["--keys", "word", "--counts", "n"], ["--keys", "word,year", "--counts", "n"],
    ["--keys", "word", "--counts", "n", "--step", "1/2"],
    ["--keys", "word", "--counts", "n", "--step", "1/2", "--utility", "score"],
    ["--keys", "key", "--counts", "count"], RAW + ["1"], RAW + ["2"], RAW + ["1", "--filter", "list.csv"],
    RAW + ["1", "--group-by", "map.csv"], RAW + ["1", "--sum", "v:0:10:1"],
    RAW + ["1", "--filter", "list.csv", "--sum", "v:0:8:1"], RAW + ["1", "--filter", "list.csv", "--mean", "v:0:8:1/2"],
    RAW + ["1", "--filter", "list.csv", "--quantile", "v:0:8:1", "--q", "1/2"],
    RAW + ["1", "--filter", "list.csv", "--quantile", "v:0:8:1"],
]
OPTIONS = {word for argument in ARGUMENTS for word in argument if word.startswith("--")}
# Moments take a mechanism for each part.
MOMENTS = [
    (["geometric:eps=1,sensitivity=8"], ["--sum", "v:0:8:1"]), (["geometric:eps=1,sensitivity=7"], ["--sum", "v:0:8:1"]),
    (["dgauss:sigma2=16,sensitivity=16"], ["--sum", "v:0:8:1/2"]),
    (["geometric:eps=1", "geometric:eps=1,sensitivity=4"], ["--mean", "v:0:8:1"]),
    (["geometric:eps=1", "geometric:eps=1,sensitivity=4", "geometric:eps=1,sensitivity=16"], ["--variance", "v:0:8:1"]),
    (["exponential:eps=1"], ["--quantile", "v:0:8:1", "--q", "1/2"]),
    (["2*exponential:eps=1"], ["--quantile", "v:0:8:1/2", "--q", "1/4,3/4"]),
    (["exponential:eps=1"], ["--quantile", "v:0:8:1", "--q", "1/4,3/4"]),
]
MASKED = [(re.compile(rb"\b[0-9a-f]{64}\b(?!\")"), b"DIGEST"), (re.compile(rb'(?<="ledger_digest": ")[0-9a-f]{64}'), b"DIGEST"),
          (re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), b"TIME")]


def varied(spec):
    """The spec with one of its numbers halved or doubled."""
    for match in re.finditer(r"(?<==)\d+(/\d+)?(?=,|$)", spec):
        for change in ("2*", "/2"):
            numerator, _, denominator = match.group().partition("/")
            numerator, denominator = int(numerator), int(denominator or 1)
            numerator, denominator = ((2 * numerator, denominator) if change == "2*" else (numerator, 2 * denominator))
            number = f"{numerator}/{denominator}" if denominator > 1 else str(numerator)
            if numerator % denominator == 0:
                number = str(numerator // denominator)
            yield spec[:match.start()] + number + spec[match.end():]


def transcripts():
    """The questions of the documents that need neither a file nor the shell, and draw nothing."""
    for document in ("README.md", "docs/cookbook.md"):
        for line in (TESTS.parent / document).read_text().splitlines():
            if re.match(r"\$ probity (loss|explain|accuracy|select) ", line) and not re.search(r"[|<>;&$(]", line[2:]):
                yield shlex.split(line)[2:]


def questions(probity):
    """Every command line, each once and in a fixed order."""
    families = json.loads(subprocess.run([probity, "families"], capture_output=True, check=True).stdout)
    lines = []
    examples = [example for family in families for example in family["examples"]]
    for spec in examples:
        lines += [[part.format(spec) for part in question] for question in QUESTIONS]
        for changed in varied(spec):
            lines += [[part.format(changed) for part in question] for question in SHORT]
    for first, second in zip(examples, examples[1:] + examples[:1]):
        lines += [["loss", first, second, "--epsilon", "1"], ["loss", f"3*{first}", second, "--delta", "1e-6"]]
    for family in families:
        lines += [["select", family["name"]] + select for select in SELECTS]
        lines += [["loss", family["name"], "--epsilon", "1"], ["loss", family["name"] + ":", "--epsilon", "1"],
                  ["loss", family["name"] + ":nothing=1", "--epsilon", "1"]]
    lines += [["loss", spec] + mistake for spec in examples[:3] for mistake in MISTAKES]
    lines += [["verify", str(path)] for path in sorted((TESTS / "vectors").glob("*.json"))]
    usage = subprocess.run([probity, "--help"], capture_output=True, text=True, check=True).stdout
    commands = sorted(re.findall(r"^  (\w+) ", usage[:usage.index("A SPEC is")], re.M))
    lines += [["help", command] for command in commands] + [[command] for command in commands if command != "prove"]
    lines += [["--help"], ["help"], [], ["nothing"]]
    lines += list(transcripts())
    return list(dict.fromkeys(map(tuple, lines)))


def releases():
    """Every command line of a release, each once and in a fixed order."""
    lines = []
    for spec, file, needs in RELEASED:
        lines += [["release", *spec, file]] + [["release", *spec, other, *needs] for other in FILES]
        singles = [(argument,) for argument in ARGUMENTS]
        pairs = random.Random(str(spec)).sample(list(itertools.combinations(ARGUMENTS, 2)), 30)
        for chosen in singles + pairs:
            more = list(itertools.chain(*chosen))
            more += [] if set(needs) & set(more) & OPTIONS else needs
            read = "records.csv" if "--by" in more else "wide.csv" if "--counts" in more and "word" in str(more) else file
            lines.append(["release", *spec, read, *more])
    lines += [["release", spec, "counts.csv", *argument] for spec in REFUSED for argument in ARGUMENTS[:6]]
    for spec, moment in MOMENTS:
        for more in [[]] + [argument for argument in ARGUMENTS if "--by" not in argument and "--keys" not in argument]:
            many = ["--filter", "list.csv"] if "--filter" not in more and "--group-by" not in more else []
            lines.append(["release", *spec, "records.csv", *RAW, "1", *moment, *many, *more])
    return list(dict.fromkeys(map(tuple, lines)))


def furnish(probity, folder):
    """The files that releases read, their ledgers among them, and the getrandom that is always the same."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    shim = folder / "getrandom.c"
    shim.write_text(SHIM)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "getrandom.so", shim], check=True)
    budget = ["--epsilon", "100", "--delta", "1/1000"]
    for name, more in {"ledger": budget, "rows": budget + ["--rows", "overlapping=2"], "users": budget + ["--user", "user"],
                       "poor": ["--epsilon", "1/1000", "--delta", "0"],
                       "substitute": budget + ["--neighbours", "substitute"]}.items():
        subprocess.run([probity, "ledger", "init", folder / name, *more], check=True)


def answer_release(probity, line, seconds, furniture):
    """A release, what it wrote, and what its ledger says behind it."""
    with tempfile.TemporaryDirectory() as folder:
        for word in set(line):
            if (furniture / word).is_file():
                (pathlib.Path(folder) / word).write_bytes((furniture / word).read_bytes())
        env = dict(os.environ, LD_PRELOAD=str(furniture / "getrandom.so"))
        try:
            done = subprocess.run([probity, *line], stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env=env,
                                  timeout=30 * seconds, check=False)
        except subprocess.TimeoutExpired:
            return {"line": list(line), "status": None, "out": "", "err": ""}
        out = done.stdout
        written = pathlib.Path(folder) / "out"
        if written.exists():
            out += b"--- written:\n" + written.read_bytes()
        if "--ledger" in line:
            ledger = line[line.index("--ledger") + 1]
            out += b"--- charged:\n" + subprocess.run([probity, "ledger", "show", ledger], capture_output=True, cwd=folder,
                                                     check=False).stdout
        err = done.stderr
        for pattern, word in MASKED:
            out, err = pattern.sub(word, out), pattern.sub(word, err)
    return {"line": list(line), "status": done.returncode, "out": out.decode(errors="replace"),
            "err": err.decode(errors="replace")}


def answer(probity, line, seconds, furniture):
    """One answer; a timeout has no output."""
    if line[:1] == ("release",) and len(line) > 1:
        return answer_release(probity, line, seconds, furniture)
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([probity, *line], stdin=subprocess.DEVNULL, capture_output=True, cwd=folder,
                                  timeout=30 * seconds, check=False,
                                  preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
                                                      resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))))
            status, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            status, out, err = None, b"", b""
    if status is not None and status in (-9, -24):
        status, out, err = None, b"", b""
    here = str(TESTS.parent).encode()
    return {"line": list(line), "status": status, "out": out.replace(here, b"").decode(errors="replace"),
            "err": err.replace(here, b"").decode(errors="replace")}


def record(options):
    """Asks all questions and writes the answers in their order."""
    probity = str(pathlib.Path(options.probity).resolve())
    lines = (questions(probity) if options.only != "releases" else []) + (releases() if options.only != "questions" else [])
    if options.sample:
        lines = random.Random(1).sample(lines, min(options.sample, len(lines)))
    with (concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(options.file, "w") as out,
          tempfile.TemporaryDirectory() as folder):
        furniture = pathlib.Path(folder)
        furnish(probity, furniture)
        told = 0
        for result in pool.map(lambda line: answer(probity, line, options.seconds, furniture), lines):
            out.write(json.dumps(result) + "\n")
            told += 1
            if sys.stderr.isatty() and told % 50 == 0:
                print(f"\r{told} of {len(lines)}", end="", file=sys.stderr, flush=True)
    print(f"answers: {len(lines)} recorded")
    return 0


def compare(options):
    """Prints each difference; fails if there is one."""
    before, after = ({tuple(entry["line"]): entry for entry in map(json.loads, open(path))}
                     for path in (options.before, options.after))
    differ = silent = same = 0
    for line in before.keys() & after.keys():
        old, new = before[line], after[line]
        if old["status"] is None or new["status"] is None:
            silent += 1
        elif (old["status"], old["out"], old["err"]) == (new["status"], new["out"], new["err"]):
            same += 1
        else:
            differ += 1
            print("probity " + shlex.join(line))
            for name in ("status", "out", "err"):
                if old[name] != new[name]:
                    print(f"  {name} before: {old[name]!r}\n  {name} after:  {new[name]!r}")
    only = before.keys() ^ after.keys()
    for line in sorted(only):
        print("in one record only: probity " + shlex.join(line))
    print(f"answers: {same} the same, {differ} differ, {silent} without an answer in time, {len(only)} in one record only")
    return 1 if differ or only or not same else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    recorder = commands.add_parser("record")
    recorder.add_argument("probity")
    recorder.add_argument("file")
    recorder.add_argument("--only", choices=["questions", "releases"], help="one part of the command lines")
    recorder.add_argument("--seconds", type=int, default=2, help="of processor time for each answer")
    recorder.add_argument("--sample", type=int, help="only so many of the questions, chosen by a fixed seed")
    recorder.add_argument("--jobs", type=int, default=2)
    recorder.set_defaults(run=record)
    comparer = commands.add_parser("compare")
    comparer.add_argument("before")
    comparer.add_argument("after")
    comparer.set_defaults(run=compare)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
