#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what the command answers, so that a rearrangement of the sources can show that it changed no answer.

A record is one JSON object a line: the arguments, the exit status, standard output and standard error. The command
lines come from the registry of families (each example, its numbers halved and doubled, pairs of examples), from the
certificates of tests/vectors, from the transcripts of the README and the cookbook, and from misspelt options. Two
records of different builds are compared by the arguments. An answer that took longer than the limit of processor time
on either side is counted and not compared: it says nothing.
usage: answers.py record PROBITY FILE [--seconds S] [--sample N] [--jobs J]
       answers.py compare BEFORE AFTER"""
import argparse
import concurrent.futures
import json
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
SHORT = [QUESTIONS[1], QUESTIONS[3], QUESTIONS[4], QUESTIONS[12], QUESTIONS[15], QUESTIONS[17]]
SELECTS = [["--epsilon", "1", "--delta", "1e-6"], ["--epsilon", "1/2"],
           ["--epsilon", "1", "--delta", "1e-6", "--uses", "12", "--json"]]
MISTAKES = [["--epsilon"], ["--epsilon", "x"], ["--epsilon", "-1"], ["--delta", "2"], ["--order", "1"], ["--nothing"],
            ["--epsilon", "1", "--epsilon", "2"], ["--group", "0", "--epsilon", "1"], ["--digits", "0", "--epsilon", "1"]]


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


def answer(probity, line, seconds):
    """One answer; a timeout has no output."""
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
    lines = questions(probity)
    if options.sample:
        lines = random.Random(1).sample(lines, min(options.sample, len(lines)))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(options.file, "w") as out:
        told = 0
        for result in pool.map(lambda line: answer(probity, line, options.seconds), lines):
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
