#!/usr/bin/env python3
"""Times the compositions of a bench program beside dp_accounting, in one run.

usage: peer.py BENCH

BENCH is tests/bench/loss/compose.c, built. dp_accounting is optional (pip install dp-accounting); without
it only our own column is filled. The table goes to standard output, in Markdown.
"""
import re
import subprocess
import sys
import time
from fractions import Fraction

try:
    from dp_accounting.pld import privacy_loss_distribution as peer
except ImportError:
    peer = None

RUNS = 3
SPEC = re.compile(r"(?:(\d+)\*)?(laplace|gauss|dgauss):(?:scale|sigma2)=(\d+(?:/\d+)?)(?:,sample=1/(\d+))?$")


def peer_distribution(law, parameter, rate):
    """A pessimistic distribution on the peer's default grid, with its defaults otherwise."""
    if rate < 1:
        return peer.from_gaussian_mechanism(parameter**0.5, sampling_prob=rate)
    if law == "laplace":
        return peer.from_laplace_mechanism(parameter)
    if law == "gauss":
        return peer.from_gaussian_mechanism(parameter**0.5)
    return peer.from_discrete_gaussian_mechanism(parameter**0.5)


def ask_peer(spec, delta):
    """(epsilon, median seconds) of the peer, or None for a row that it has no single call for."""
    match = SPEC.match(spec)
    if peer is None or match is None:
        return None
    times, law, parameter = int(match[1] or 1), match[2], float(Fraction(match[3]))
    rate = 1 / int(match[4] or 1)
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        epsilon = peer_distribution(law, parameter, rate).self_compose(times).get_epsilon_for_delta(float(delta))
        taken.append(time.perf_counter() - start)
    return epsilon, sorted(taken)[RUNS // 2]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("| spec | delta | ours, enclosed | seconds | dp_accounting | seconds | ours / theirs |")
    print("|---|---|---|---|---|---|---|")
    with subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE, text=True) as bench:
        for line in bench.stdout:
            spec, delta, lower, upper, seconds = line.rstrip("\n").split("\t")
            row = [spec, delta, f"{lower} .. {upper}", seconds]
            theirs = ask_peer(spec, delta)
            if theirs is None:
                row += ["", "", ""]
            else:
                row += [f"{theirs[0]:.6g}", f"{theirs[1]:.4f}", f"{float(seconds) / theirs[1]:.2g}"]
            print("| " + " | ".join(row) + " |", flush=True)
    sys.exit(bench.returncode)


if __name__ == "__main__":
    main()
