# SPDX-License-Identifier: MIT
"""Uses an installed wheel: the module, the command by both names, every certificate in a folder, the man pages.

    python wheel.py VECTORS

A library that Probity computes with may be installed on the machine too; each that is loaded must still be the wheel's."""
import glob
import os
import platform
import subprocess
import sys

import probity

PACKAGE = os.path.dirname(os.path.abspath(probity.__file__))
OURS = ("probity", "flint", "arb", "mpfr", "gmp", "sodium", "jansson", "sqlite", "ntl", "gf2x")


def loaded():
    """The files of our libraries that this process has mapped."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}
    return sorted(f for f in files if any(os.path.basename(f).lstrip("_").startswith(("lib" + name, name)) for name in OURS))


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main():
    command = os.path.join(os.path.dirname(sys.executable), "probity")
    loss = ("loss", "stlap:eps=1/2,q=40", "--epsilon", "1/2")
    by_name, by_module = run(command, *loss), run(sys.executable, "-m", "probity", *loss)
    enclosure = probity.loss("stlap:eps=1/2,q=40", epsilon="1/2")
    assert by_name == by_module and str(enclosure) in by_name, (by_name, by_module, enclosure)
    assert run(command, "--version").strip().endswith(probity.__version__)
    outside = [f for f in loaded() if not f.startswith(os.path.dirname(PACKAGE) + "/probity")]
    assert loaded() and not outside, outside
    assert os.path.isfile(os.path.join(PACKAGE, "py.typed"))
    assert os.path.isfile(os.path.join(sys.prefix, "share", "man", "man1", "probity-loss.1"))
    assert os.path.isfile(os.path.join(PACKAGE, "share", "probity", "prove", "proofs", "foreign.py"))
    certificates = sorted(glob.glob(os.path.join(sys.argv[1], "*.json")))
    for path in certificates:
        run(command, "verify", path)
    draws = run(command, "draw", "dgauss:sigma2=100", "-n", "5", "--seed", "0" * 64).split()
    assert len(draws) == 5
    print("wheel: Python %s on %s: %s, %d certificates verified" %
          (platform.python_version(), platform.machine(), enclosure, len(certificates)))


main()
