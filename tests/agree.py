#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every choice of select is certified, verified and released, and that the certified upper end is within
the target.

Every family that select knows, several uses, epsilons and deltas. Each case is one `select --certify`; if that makes a
choice, `verify` and, where the mechanism has a release of rows, `release` of the certificate must succeed. A refusal of
select is honest if it ends with exit status 2 and a reason. Finished cases are kept in a file and not run again, so that
the run can be stopped and continued.
usage: agree.py PROBITY RESULTS.csv [--seconds S] [--only FAMILY,...] [--sample N] [--until EPOCH]"""
import argparse
import csv
import fractions
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

USES = [1, 2, 12, 30, 52, 100, 365]
EPSILONS = ["1/2", "1", "2"]
DELTAS = ["1e-5", "1e-6", "1e-9"]
QUERIES = "55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f"
# The arguments of select beside the family's name, where the parameters that it does not choose are required.
GIVEN = {
    "buckethist": "bound=100,width=10",
    "smalldb": f"size=5,queries={QUERIES}",
    "ptr": "answers=101",
    "smooth": "range=100",
    "choosing": "counts=1/20",
    "fbquantile": "q=3/4,n=100,bound=50",
    "depth": "level=20,bound=10",
    "fbsupport": "level=20,x=1,y=0,bound=10",
    "fbsteiner": "level=20,bound=10",
    "krr": "k=3",
    "onebit": "hi=1",
    "rappor": "bits=8",
    "laplace": "grid=1",
    "gthreshold": "sigma2=100000,bars=2",
}
COUNTS = "a,10\nb,30\nc,2000\n"
SCORES = "candidate,score\na,10\nb,30\n"
# The input of a release, with its options.
RELEASE = {name: (COUNTS, []) for name in
           "geometric dgauss laplace microdata tmicrodata gmicrodata stlap threshold gthreshold range partition".split()}
RELEASE.update({name: (SCORES, ["--range", "0:100"]) for name in ["exponential", "power", "noisymax", "permuteflip"]})
RELEASE.update({"rr": ("0\n1\n", []), "krr": ("0\n2\n", []), "onebit": ("0\n1\n", [])})
MEMORY = 4 << 30


def run(command, text, seconds):
    """Status, output, error and processor seconds; status 'time' where the limit was reached."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60 * seconds, check=False,
                              preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
                                                  resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))))
        status, out, err = str(done.returncode), done.stdout, done.stderr.strip()
    except subprocess.TimeoutExpired:
        status, out, err = "time", "", ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return "time" if status in ("-9", "-24") else status, out, err, spent


def judge(probity, family, uses, epsilon, delta, seconds, folder):
    """The verdict on a case, the processor time of its slowest command, and a reason."""
    path = pathlib.Path(folder) / "certificate.json"
    path.unlink(missing_ok=True)
    text = family + (":" + GIVEN[family] if family in GIVEN else "")
    status, _, err, slowest = run([probity, "select", text, "--epsilon", epsilon, "--delta", delta, "--uses", str(uses),
                                   "--certify", str(path)], None, seconds)
    if status != "0":
        verdict = "refused" if status == "2" and err else "time" if status == "time" else "FAILED"
        return verdict, slowest, f"select {status}: {err}"
    certificate = json.loads(path.read_text())
    if fractions.Fraction(certificate["delta"]["hi"]) > fractions.Fraction(delta):
        return "FAILED", slowest, "the certified upper end is above the target"
    status, _, err, spent = run([probity, "verify", str(path)], None, seconds)
    slowest = max(slowest, spent)
    if status != "0":
        return "time" if status == "time" else "FAILED", slowest, f"verify {status}: {err}"
    if family in RELEASE:
        rows, options = RELEASE[family]
        status, _, err, spent = run([probity, "release", str(path), *options, "--quiet"], rows, seconds)
        slowest = max(slowest, spent)
        if status == "0":
            return "released", slowest, certificate["spec"]
        if uses == 1 or status != "2" or "expected one use" not in err:  # some have a release of one use alone
            return "time" if status == "time" else "FAILED", slowest, f"release {status}: {err}"
    return "verified", slowest, certificate["spec"]


def summary(results):
    table = {}
    for family, *_, verdict, seconds, reason in results:
        table.setdefault(family, []).append((verdict, float(seconds), reason))
    for family, cases in sorted(table.items()):
        counts = {v: sum(c[0] == v for c in cases) for v in ("released", "verified", "refused", "time", "FAILED")}
        print(f"{family:12}", " ".join(f"{n} {v}" for v, n in counts.items() if n),
              f" slowest {max(c[1] for c in cases):.1f} s")
    bad = [r for r in results if r[4] == "FAILED"]
    for row in bad:
        print("FAILED", *row)
    print(f"{len(results)} cases, {len(bad)} failed, {sum(r[4] == 'time' for r in results)} without an answer in time")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("probity")
    parser.add_argument("results")
    parser.add_argument("--seconds", type=int, default=60, help="processor time of one command")
    parser.add_argument("--only", help="these families")
    parser.add_argument("--sample", type=int, help="so many cases, drawn with a fixed seed")
    parser.add_argument("--until", type=float, help="begin no case after this time")
    a = parser.parse_args()
    families = [f["name"] for f in json.loads(subprocess.run([a.probity, "families"], capture_output=True, text=True,
                                                             check=True).stdout) if f["selects"]]
    cases = [(f, u, e, d) for u in USES for d in DELTAS for e in EPSILONS for f in families
             if not a.only or f in a.only.split(",")]
    random.Random(34).shuffle(cases)
    if a.sample:
        cases = cases[:a.sample]
    path = pathlib.Path(a.results)
    results = list(csv.reader(path.open(newline=""))) if path.exists() else []
    done = {tuple(r[:4]) for r in results}
    with path.open("a", newline="") as file, tempfile.TemporaryDirectory() as folder:
        writer = csv.writer(file)
        for case in cases:
            if a.until and time.time() > a.until:
                break
            key = tuple(map(str, case))
            if key in done:
                continue
            verdict, seconds, reason = judge(a.probity, *case, a.seconds, folder)
            results.append([*key, verdict, f"{seconds:.2f}", reason])
            writer.writerow(results[-1])
            file.flush()
    return summary(results)


if __name__ == "__main__":
    sys.exit(main())
