#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Another build of the two programs answers as the ones here do: words, status and standard error the same to the byte.

    answers.py --here DIR --other DIR [--emulator qemu-aarch64-static]

A DIR holds probity and probity-verify. --emulator runs the other ones, programs for another machine. tests/system/commands.txt has the
commands; most take part of a second, since under qemu they run some ten times as long. The verifier of each side meets every certificate
of tests/vectors, and each once more with a bound that was changed. Each side reads a ledger that the other one wrote.
"""
import argparse
import glob
import json
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(os.path.dirname(HERE), "vectors")
# A command that takes longer has hung.
SECONDS = 600
FEWEST_COMMANDS, FEWEST_CERTIFICATES = 200, 45


class Program:
    """One of the two programs in a folder, under an emulator if there is one."""
    def __init__(self, folder, name, emulator=None):
        self.words = ([emulator] if emulator else []) + [os.path.join(os.path.abspath(folder), name)]

    def __call__(self, arguments, given=b"", folder=VECTORS):
        done = subprocess.run(self.words + arguments, cwd=folder, input=given, capture_output=True, timeout=SECONDS)
        return done.returncode, done.stdout, done.stderr


def commands():
    with open(os.path.join(HERE, "commands.txt"), encoding="utf-8") as lines:
        return [shlex.split(line) for line in lines if line.strip() and not line.startswith("#")]


def certificates():
    """The certificates and dossiers of the vectors: the JSON files that name a format."""
    paths = glob.glob(os.path.join(VECTORS, "*.json")) + glob.glob(os.path.join(VECTORS, "claims", "*.json"))
    return [os.path.relpath(path, VECTORS) for path in sorted(paths)]


def changed(text):
    """The document with the first digit 1 to 8 behind "hi" raised by one: its digest no longer fits, and a verifier refuses it."""
    at = text.find(b'"hi"')
    while at >= 0 and at < len(text) and text[at:at + 1] not in b"12345678":
        at += 1
    return text[:at] + bytes([text[at] + 1]) + text[at + 1:] if 0 <= at < len(text) else text[:-3]


def without_versions(answer):
    """An answer that is a certificate, without the versions of the libraries and the digest that covers them; None for another."""
    try:
        value = json.loads(answer[1])
        del value["computed_with"], value["digest"]
    except (ValueError, KeyError, TypeError):
        return None
    return answer[0], value, answer[2]


class Comparison:
    def __init__(self):
        self.differing = self.alike = self.but_for_versions = 0

    def __call__(self, what, here, other):
        self.alike += 1
        if here == other:
            return
        # The libraries here may have other versions than those that are linked into the other program.
        if without_versions(here) is not None and without_versions(here) == without_versions(other):
            self.but_for_versions += 1
            return
        self.alike -= 1
        self.differing += 1
        print("answers differ: %s\n  here:  %r\n  other: %r" % (what, here, other), file=sys.stderr)


def verified(compare, here, other):
    """Both verifiers meet each certificate, genuine and changed; the changed ones are refused."""
    paths = certificates()
    for path in paths:
        with open(os.path.join(VECTORS, path), "rb") as file:
            text = file.read()
        answer = here([path])
        compare("probity-verify " + path, answer, other([path]))
        if answer[0] != 0:
            sys.exit("answers: probity-verify %s: %r" % (path, answer))
        answer = here(["-"], changed(text))
        compare("probity-verify of a changed " + path, answer, other(["-"], changed(text)))
        if answer[0] != 1:
            sys.exit("answers: a changed %s is not refused: %r" % (path, answer))
    return len(paths)


def ledgers(compare, here, other):
    """Each side makes a ledger and spends from it, and both read both ledgers."""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(VECTORS, "ages.csv")
        for name, writer in (("here", here), ("other", other)):
            for words in (["ledger", "init", name + ".db", "--epsilon", "1", "--delta", "1e-6"],
                          ["release", "geometric:eps=1/2", data, "--timing-safe", "--quiet", "--ledger", name + ".db"]):
                code, _, said = writer(words, folder=folder)
                if code != 0:
                    sys.exit("answers: %s: %s" % (shlex.join(writer.words + words), said.decode()))
            for words in (["ledger", "show", name + ".db"], ["ledger", "export", name + ".db"]):
                compare(shlex.join(words), here(words, folder=folder), other(words, folder=folder))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--here", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("--emulator")
    options = parser.parse_args()
    compare = Comparison()
    here, other = Program(options.here, "probity"), Program(options.other, "probity", options.emulator)
    asked = commands()
    for arguments in asked:
        compare("probity " + shlex.join(arguments), here(arguments), other(arguments))
    count = verified(compare, Program(options.here, "probity-verify"), Program(options.other, "probity-verify", options.emulator))
    ledgers(compare, here, other)
    if len(asked) < FEWEST_COMMANDS or count < FEWEST_CERTIFICATES:
        sys.exit("answers: %d commands and %d certificates are fewer than were meant" % (len(asked), count))
    if compare.differing:
        sys.exit("answers: %d of %d differ" % (compare.differing, compare.alike + compare.differing))
    print("answers: %s: %d answers alike, of %d commands, %d certificates and as many that were changed, and 2 ledgers%s" %
          (os.path.relpath(options.other), compare.alike, len(asked), count,
           "; %d but for the libraries' versions" % compare.but_for_versions if compare.but_for_versions else ""))


if __name__ == "__main__":
    main()
