#!/usr/bin/env python3
"""Epsilon of sampled Gaussian training runs, by several accountants, as the table of docs/accountants.md.

usage: table.py PROBITY

dp_accounting and prv_accountant are asked where they can be imported. Two columns are formulas, in doubles: the
central limit theorem (Bu, Dong, Long, Su 2020), which is what the GDP accountant of Opacus evaluates, and Renyi
divergences of integer orders 2 to 256, converted as the RDP accountants do. Times are seconds of processor time."""
import json
import math
import os
import subprocess
import sys
import time

try:
    from dp_accounting.pld import privacy_loss_distribution as pld
except ImportError:
    pld = None
try:
    import prv_accountant as prv
except ImportError:
    prv = None

# steps, sigma^2, rate as 1/N, delta
RUNS = [
    (3, "1/4", 5, "1e-2"),
    (1000, "1", 100, "1e-5"),
    (2249, "9/4", 25, "1e-5"),
    (10000, "4", 100, "1e-6"),
    (14062, "1", 235, "1e-5"),
    (10000, "4", 100, "1e-12"),
    (100000, "4", 1000, "1e-12"),
    (1000, "4", 100, "1e-18"),
    (1000, "4", 100, "1e-30"),
]


def number(text):
    """A rational as a double."""
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def ours(probity, run):
    """The two ends, and the seconds."""
    steps, variance, n, delta = run
    before = os.times()
    out = subprocess.run([probity, "loss", f"{steps}*gauss:sigma2={variance},sample=1/{n}", "--delta", delta, "--json"],
                         check=True, capture_output=True, text=True).stdout
    after = os.times()
    epsilon = json.loads(out)["epsilon"]
    return float(epsilon["lo"]), float(epsilon["hi"]), after.children_user - before.children_user


def phi(x):
    """The normal distribution function."""
    return math.erfc(-x / math.sqrt(2)) / 2


def solve(delta_of, delta):
    """The epsilon at which a decreasing delta_of meets delta, by bisection."""
    low, high = 0.0, 1.0
    while delta_of(high) > delta and high < 1e4:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle) > delta else (low, middle)
    return high


def gdp(run):
    """The central limit theorem: mu = q sqrt(steps (exp(1/sigma^2) - 1))."""
    steps, variance, n, delta = run
    mu = math.sqrt(steps * math.expm1(1 / number(variance))) / n
    return solve(lambda e: phi(-e / mu + mu / 2) - math.exp(e) * phi(-e / mu - mu / 2), float(delta))


def log_moment(order, q, variance):
    """log E_Q[((1-q) + q P/Q)^order] of the Gaussian pair, an integer order."""
    terms = [math.lgamma(order + 1) - math.lgamma(k + 1) - math.lgamma(order - k + 1) + k * math.log(q) +
             (order - k) * math.log1p(-q) + k * (k - 1) / (2 * variance) for k in range(order + 1)]
    most = max(terms)
    return most + math.log(sum(math.exp(t - most) for t in terms))


def rdp(run):
    """Removal alone, with the conversion of Balle et al. 2020."""
    steps, variance, n, delta = run
    best = math.inf
    for order in range(2, 257):
        d = steps * log_moment(order, 1 / n, number(variance)) / (order - 1)
        best = min(best, d + math.log1p(-1 / order) - math.log(float(delta) * order) / (order - 1))
    return best


def dp_accounting(run):
    """The pessimistic distribution with its defaults, and the seconds."""
    steps, variance, n, delta = run
    start = time.process_time()
    one = pld.from_gaussian_mechanism(math.sqrt(number(variance)), sampling_prob=1 / n)
    epsilon = one.self_compose(steps).get_epsilon_for_delta(float(delta))
    return epsilon, time.process_time() - start


def prv_upper(run):
    """The upper estimate at an error of 0.01, and the seconds."""
    steps, variance, n, delta = run
    start = time.process_time()
    mechanism = prv.PoissonSubsampledGaussianMechanism(noise_multiplier=math.sqrt(number(variance)),
                                                       sampling_probability=1 / n)
    accountant = prv.PRVAccountant(prvs=[mechanism], max_self_compositions=[steps], eps_error=0.01,
                                   delta_error=float(delta) / 1000)
    upper = accountant.compute_epsilon(float(delta), [steps])[2]
    return upper, time.process_time() - start


def told(epsilon, low, high):
    """A number, and where it stands beside the enclosure."""
    if not math.isfinite(epsilon):
        return "inf"
    mark = " **below**" if epsilon < low else f" +{100 * (epsilon / high - 1):.1f}%" if epsilon > high else ""
    return f"{epsilon:.4f}{mark}"


def peer(ask, run, low, high):
    """The two cells of a peer."""
    try:
        epsilon, seconds = ask(run)
    except Exception as why:  # a peer that breaks is a result
        return f"{type(why).__name__} | "
    return f"{told(epsilon, low, high)} | {seconds:.2f}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("| steps | sigma^2 | rate | delta | ours, enclosed | s | dp_accounting | s | prv_accountant | s | GDP | RDP |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for run in RUNS:
        low, high, seconds = ours(sys.argv[1], run)
        cells = [str(run[0]), run[1], f"1/{run[2]}", run[3], f"{low:.5f} .. {high:.5f}", f"{seconds:.2f}"]
        cells.append(peer(dp_accounting, run, low, high) if pld else " | ")
        cells.append(peer(prv_upper, run, low, high) if prv else " | ")
        cells += [told(gdp(run), low, high), told(rdp(run), low, high)]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
