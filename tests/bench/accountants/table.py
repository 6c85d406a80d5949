#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Epsilon of twenty training runs by several accountants, as the tables of docs/accountants.md.

usage: table.py PROBITY

Peers that cannot be imported are left out. Of Opacus only opacus.accountants is loaded, which needs no torch. Times
are seconds of processor time, after imports; an answer that takes longer than the limit of apart.py is given up."""
import importlib.util
import json
import math
import os
import subprocess
import sys
import types
import warnings
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from apart import answer_of

# steps, sigma^2, rate, delta, where it stands
RUNS = [
    (3, "1/4", "1/5", "1e-2", "small enough to integrate"),
    (10000, "16", "1/100", "1e-5", "MNIST, Abadi et al. 2016"),
    (10000, "4", "1/100", "1e-6", "the same with less noise"),
    (3515, "169/100", "8/1875", "1e-5", "MNIST, TensorFlow Privacy, 15 epochs"),
    (14062, "121/100", "8/1875", "1e-5", "MNIST, TensorFlow Privacy, 60 epochs"),
    (10546, "49/100", "8/1875", "1e-5", "MNIST, TensorFlow Privacy, 45 epochs"),
    (2249, "9/4", "1/25", "1e-5", "CIFAR-10, Opacus"),
    (875, "100", "256/3125", "1e-5", "CIFAR-10, De et al. 2022, epsilon 1"),
    (1687, "16", "256/3125", "1e-5", "CIFAR-10, De et al. 2022, epsilon 4"),
    (2468, "9", "256/3125", "1e-5", "CIFAR-10, De et al. 2022, epsilon 8"),
    (71589, "25/4", "16384/1281167", "8e-7", "ImageNet, De et al. 2022, epsilon 8"),
    (4980, "1", "500/76343", "1e-9", "language model, McMahan et al. 2018"),
    (100, "100", "1", "1e-6", "no sampling"),
    (100, "16", "1/2", "1e-5", "half of the records"),
    (1000000, "16", "1/1000", "1e-7", "a million steps"),
    (10000, "4", "1/100", "1e-12", "small delta"),
    (100000, "4", "1/1000", "1e-12", "small delta and rate"),
    (1000, "4", "1/100", "1e-18", "small delta"),
    (1000, "4", "1/100", "1e-30", "small delta"),
    (1000, "4", "1/100", "1e-100", "small delta"),
]


def ours(probity, run):
    """The two ends, and the seconds."""
    steps, variance, rate, delta, _ = run
    sample = "" if rate == "1" else f",sample={rate}"
    before = os.times()
    out = subprocess.run([probity, "loss", f"{steps}*gauss:sigma2={variance}{sample}", "--delta", delta, "--json"],
                         check=True, capture_output=True, text=True).stdout
    after = os.times()
    epsilon = json.loads(out)["epsilon"]
    return float(epsilon["lo"]), float(epsilon["hi"]), after.children_user - before.children_user


# ---- peers: each a maker of a function of steps, sigma, rate and delta ---------------------------


def dp_accounting():
    """Pessimistic, with its default grid."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    return lambda steps, sigma, rate, delta: pld.from_gaussian_mechanism(
        sigma, sampling_prob=rate).self_compose(steps).get_epsilon_for_delta(delta)


def prv_accountant():
    """The upper estimate at an error of 0.01."""
    import prv_accountant as prv

    def epsilon(steps, sigma, rate, delta):
        mechanism = prv.PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate)
        accountant = prv.PRVAccountant(prvs=[mechanism], max_self_compositions=[steps], eps_error=0.01,
                                       delta_error=delta / 1000)
        return accountant.compute_epsilon(delta, [steps])[2]
    return epsilon


def opacus(name):
    """One of the accountants of Opacus, whose package would load torch for its optimizers."""
    def make():
        if "opacus" not in sys.modules:
            found = importlib.util.find_spec("opacus")
            if found is None:
                raise ImportError("opacus")
            package, optimizers = types.ModuleType("opacus"), types.ModuleType("opacus.optimizers")
            package.__path__ = list(found.submodule_search_locations)
            optimizers.DPOptimizer = object
            sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})
        accountants = importlib.import_module("opacus.accountants")

        def epsilon(steps, sigma, rate, delta):
            accountant = getattr(accountants, name)()
            accountant.history = [(sigma, rate, steps)]
            return accountant.get_epsilon(delta)
        return epsilon
    return make


def autodp():
    """NoisySGD, by Renyi divergences."""
    from autodp import mechanism_zoo
    return lambda steps, sigma, rate, delta: mechanism_zoo.NoisySGD_Mechanism(
        prob=rate, sigma=sigma, niter=steps).get_approxDP(delta)


PEERS = {
    "dp_accounting": dp_accounting,
    "prv_accountant": prv_accountant,
    "Opacus PRV": opacus("PRVAccountant"),
    "Opacus RDP": opacus("RDPAccountant"),
    "Opacus GDP": opacus("GaussianAccountant"),
    "autodp": autodp,
}


def asked(epsilon, run):
    steps, variance, rate, delta, _ = run
    return float(epsilon(steps, math.sqrt(Fraction(variance)), float(Fraction(rate)), float(delta)))


def told(answer, low, high):
    """A number, and where it stands beside the enclosure."""
    if isinstance(answer, str):
        return answer
    if not math.isfinite(answer):
        return str(answer)
    mark = " **below**" if answer < low else f" +{100 * (answer / high - 1):.1f}%" if answer > high else ""
    return f"{answer:.4f}{mark}"


def line(cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    peers = {}
    for name, make in PEERS.items():
        try:
            peers[name] = make()
        except Exception as why: # one that raises what it likes when it is imported
            print(f"no {name}: its column is left out ({type(why).__name__}: {why})", file=sys.stderr)
    rows = []
    for run in RUNS:
        low, high, seconds = ours(sys.argv[1], run)
        rows.append((run, low, high, seconds, [answer_of(asked, epsilon, run) for epsilon in peers.values()]))
        print(f"{len(rows)} of {len(RUNS)}", file=sys.stderr)
    print(line(["", "run", "steps", "sigma^2", "rate", "delta"]))
    print("|---|---|---|---|---|---|")
    for i, (run, *_) in enumerate(rows, 1):
        print(line([i, run[4], *run[:4]]))
    print()
    print(line(["", "ours, enclosed", *peers]))
    print("|---" * (2 + len(peers)) + "|")
    for i, (_, low, high, _, answers) in enumerate(rows, 1):
        print(line([i, f"{low:.5f} .. {high:.5f}", *(told(a, low, high) for a, _ in answers)]))
    print()
    print(line(["seconds", "ours", *peers]))
    print("|---" * (2 + len(peers)) + "|")
    for i, (_, _, _, seconds, answers) in enumerate(rows, 1):
        print(line([i, f"{seconds:.2f}", *(f"{s:.2f}" if not isinstance(a, str) else "" for a, s in answers)]))


if __name__ == "__main__":
    main()
