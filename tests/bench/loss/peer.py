#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the compositions of a bench program beside dp_accounting, in one run.

usage: peer.py BENCH

BENCH is tests/bench/loss/compose.c, built. dp_accounting is optional; without it only our own column is filled, and where
it gives no answer within the limit of apart.py, or breaks, the cell says so. Both give two bounds, at most 1% apart; theirs are in doubles. The table goes to
standard output, in Markdown.
"""
import math
import re
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from apart import answer_of

try:
    from dp_accounting.pld import privacy_loss_distribution as peer
except Exception: # it is not installed, or breaks when it is imported
    peer = None

RUNS = 3
SPEC = re.compile(r"(?:(\d+)\*)?(laplace|gauss|dgauss):(?:scale|sigma2)=(\d+(?:/\d+)?)(?:,sample=(\d+/\d+))?$")
WIDTH = 0.01  # of the peer's two bounds too, relative


def peer_distribution(law, parameter, rate, step, pessimistic):
    """A distribution on a grid of that step, with the peer's defaults otherwise."""
    how = {"value_discretization_interval": step, "pessimistic_estimate": pessimistic}
    if not pessimistic:
        how["use_connect_dots"] = False  # which is for upper bounds alone
    if law == "laplace":
        return peer.from_laplace_mechanism(parameter, **how)
    if law == "gauss":
        return peer.from_gaussian_mechanism(parameter**0.5, sampling_prob=rate, **how)
    return peer.from_discrete_gaussian_mechanism(parameter**0.5, **how)


def both_bounds(law, parameter, rate, times, delta, step):
    return [peer_distribution(law, parameter, rate, step, upper).self_compose(times).get_epsilon_for_delta(delta)
            for upper in (False, True)]


def ask_peer(spec, delta):
    """(lower, upper, median seconds) of the peer's bounds on the coarsest grid, by halves of 0.01, on which they are
    at most WIDTH apart, or on the finest that is tried; None for a row that it has no single call for. The search is
    not timed."""
    match = SPEC.match(spec)
    if peer is None or match is None:
        return None
    times, law, parameter = int(match[1] or 1), match[2], float(Fraction(match[3]))
    question = (law, parameter, float(Fraction(match[4] or 1)), times, float(delta))
    for halvings in range(8):
        step = 0.01 / 2**halvings
        lower, upper = both_bounds(*question, step)
        if upper <= lower * (1 + WIDTH):
            break
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        both_bounds(*question, step)
        taken.append(time.perf_counter() - start)
    return lower, upper, sorted(taken)[RUNS // 2]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("| spec | delta | ours, enclosed | seconds | dp_accounting | seconds | ours / theirs |")
    print("|---|---|---|---|---|---|---|")
    with subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE, text=True) as bench:
        for line in bench.stdout:
            spec, delta, lower, upper, seconds = line.rstrip("\n").split("\t")
            row = [spec, delta, f"{lower} .. {upper}", seconds]
            theirs, _ = answer_of(ask_peer, spec, delta)
            if theirs is None:
                row += ["", "", ""]
            elif isinstance(theirs, str):
                row += [theirs, "", ""]
            else:
                row += [f"{theirs[0]:.6g} .. {theirs[1]:.6g}", f"{theirs[2]:.4f}", f"{float(seconds) / theirs[2]:.2g}" if math.isfinite(theirs[1]) else ""]
            print("| " + " | ".join(row) + " |", flush=True)
    sys.exit(bench.returncode)


if __name__ == "__main__":
    main()
