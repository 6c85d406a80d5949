# SPDX-License-Identifier: MIT
"""probity verify --coq FILE.v: compiles the theorem of a certificate in a clean folder, and judges it by what Coq says of it.

The command has compared the file with the digest in the certificate, and writes what it would write itself, WANTED. What the file
proves must be that: the theorem `certified` of both, and every definition behind it, as Coq prints them. Its proofs may differ, such
as those of another version. usage: theorem.py FILE.v WANTED.v; exit status 0 proved, 1 not, 2 not readable, 3 a tool is missing"""
import sys
import tempfile
from pathlib import Path

import coq
import coqchk
from wp import Missing

ROOT = Path(__file__).resolve().parent.parent
BUILDS_ON = "From Probity Require Import"
LAST = "certified"
SECONDS = 600
TOP = "Whole" # the file of the theory that has all others below it


def order(root):
    top = root / f"proofs/coq/{TOP}.v"
    return [*coq.below(root, top), top]


def compile_text(folder, name, text, theory, what):
    """Compiles a text as a file of this name."""
    (folder / f"{name}.v").write_text(text)
    good, output = coqchk.run(folder, ("coqc", "-q", *coqchk.paths(theory, [folder]), f"{name}.v"), SECONDS)
    if not good:
        raise coqchk.Doubt(f"{what} does not compile: {output.strip()[:1000]}")


def said(folder, name, theory):
    """Returns the statement of the last theorem of a compiled file, and the definitions behind it, without the file's own name."""
    found = coqchk.held(folder, [name], theory, [folder], name=f"Ask{name}", seconds=SECONDS)[name]
    text = coqchk.statement(name, found, LAST), coqchk.definitions(found)
    return [part.replace(f"{name}.", "") for part in text]


def judge(text, wanted, folder, theory, trust, what="the file", reads=coqchk.switches):
    """Refuses a text that does not prove what the other one states; the compiled theory is needed where they build on it."""
    if found := reads(what, text):
        raise coqchk.Doubt(found[0])
    compile_text(folder, "Judged", text, theory, what)
    proved = said(folder, "Judged", theory)
    if text != wanted:
        compile_text(folder, "Wanted", wanted, theory, "what this version writes")
        if proved != said(folder, "Wanted", theory):
            raise coqchk.Doubt(f"{what} states something else than the certificate")
    where = dict(theory=theory, beside=[folder], seconds=SECONDS)
    rests = coqchk.assumptions(folder, ["Judged"], [f"Judged.{LAST}"], **where)
    if found := trust.strangers(rests) or trust.objections(coqchk.checked(folder, ["Judged"], theory, [folder], SECONDS), what):
        raise coqchk.Doubt(found[0])
    return rests


def main():
    try:
        text, wanted = (Path(word).read_text() for word in sys.argv[1:3])
    except (OSError, UnicodeDecodeError, ValueError) as error:
        print(f"probity: --coq: {error}", file=sys.stderr)
        return 2
    try:
        trust = coqchk.Trust((ROOT / "docs/trust.md").read_text())
        with tempfile.TemporaryDirectory() as scratch:
            folder, theory = Path(scratch) / "file", Path(scratch) / "theory"
            folder.mkdir()
            theory.mkdir()
            if BUILDS_ON in text or BUILDS_ON in wanted:
                coq.compile_all(theory, order(ROOT))
            judge(text, wanted, folder, theory, trust)
    except (Missing, OSError) as refusal:
        print(f"probity: --coq: {refusal}", file=sys.stderr)
        return 3
    except coqchk.Doubt as doubt:
        print(f"probity: --coq: {' '.join(str(doubt).split())}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
