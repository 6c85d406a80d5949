#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tricks that a file of Coq might try in order to be passed as the theorem of a certificate, each of which must be refused.

Every trick is compiled and judged as `probity verify --coq` does it. Those that a word gives away are also tried without the reading
of such words, and against a certificate that states the same: there Coq and coqchk must refuse them alone. The file without a
trick must pass.
usage: coqtricks.py [NAME...]"""
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import coqchk
import theorem

TRUST = coqchk.Trust((Path(__file__).resolve().parent.parent / "docs/trust.md").read_text())
# A small theorem of the form that certificates have.
PLAIN = """Require Import String Reals Lra.
Open Scope R_scope.
Definition private (epsilon delta : R) : Prop := 1 <= epsilon + delta.
Definition certificate (spec neighbours : string) (epsilon delta : R) : Prop := private epsilon delta.
Lemma proved : certificate "" "" 1 (1/2).
Proof. unfold certificate, private; lra. Qed.
Theorem certified : certificate "rr:eps=1" "local" 1 (1/2).
Proof. exact proved. Qed.
"""
UNPROVED = ("Proof. unfold certificate, private; lra. Qed.", "Proof. destruct free. Qed.")


def before(text):
    return ("Lemma proved", text + "Lemma proved")


# name: (edits of PLAIN, words of the refusal, whether a word gives it away)
TRICKS = {
    "none": ((), "", False),
    "unguarded": ((before("Unset Guard Checking.\nFixpoint free (n : nat) : False := free n.\nSet Guard Checking.\n"), ("Proof. unfold certificate, private; lra. Qed.", "Proof. destruct (free 0). Qed.")),
                  "not understood: Judged.free is assumed to be guarded", True),
    "unguarded-by-an-attribute": ((before("#[bypass_check(guard)] Fixpoint free (n : nat) : False := free n.\n"), ("Proof. unfold certificate, private; lra. Qed.", "Proof. destruct (free 0). Qed.")),
                                  "is assumed to be guarded", True),
    "unguarded-and-unused": ((before("#[bypass_check(guard)] Fixpoint free (n : nat) : False := free n.\n"),), "unsafe (co)fixpoints: Judged.free", True),
    "unguarded-in-a-proof": ((before("Local Unset Guard Checking.\nLemma free : False.\nProof. exact ((fix f (n : nat) : False := f n) 0%nat). Qed.\n"), UNPROVED),
                             "guarded", True),
    "not-positive": ((before("#[bypass_check(positivity)] Inductive odd := Odd : (odd -> False) -> odd.\nLemma no : odd -> False.\nProof. intros [f]; exact (f (Odd f)). Qed.\n"
                             "Lemma free : False.\nProof. exact (no (Odd no)). Qed.\n"), UNPROVED), "positive", True),
    "type-in-type": ((before("#[bypass_check(universes)] Definition all : Type := Type.\n"),), "type-in-type: Judged.all", True),
    "axiom": ((before("Axiom free : False.\n"), UNPROVED), "trusted but not listed in docs/trust.md: coq:Judged.free", True),
    "axiom-with-a-known-name": ((before("Axiom classic : False.\n"), ("Proof. unfold certificate, private; lra. Qed.", "Proof. destruct classic. Qed.")),
                                "trusted but not listed in docs/trust.md: coq:Judged.classic", True),
    "admitted": ((before("Lemma free : False.\nAdmitted.\n"), UNPROVED), "trusted but not listed", True),
    "variable-of-no-section": ((before("Local Set Warnings \"-all\".\nVariable free : False.\n"), UNPROVED), "trusted but not listed", False),
    "functor": ((before("Module Type S.\nParameter free : False.\nEnd S.\nDeclare Module D : S.\n"), ("Proof. unfold certificate, private; lra. Qed.", "Proof. destruct D.free. Qed.")),
                "not understood", True),
    "statement-hidden-behind-a-proof": ((("Definition certificate", "Lemma whole : True.\nProof. exact I. Defined.\nLocal Definition private (epsilon delta : R) : Prop := True.\nDefinition certificate"),),
                                        "does not compile", False),
    "statement-hidden-in-a-section": ((("Definition certificate", "Section Hidden.\nLet private (epsilon delta : R) : Prop := True.\nDefinition certificate"),
                                       ("Lemma proved", "End Hidden.\nLemma proved"), ("unfold certificate, private; lra", "exact I")), "states something else", False),
    "a-word-of-its-own": ((("Definition private", "Definition Rle (x y : R) : Prop := True.\nInfix \"<=\" := Rle.\nDefinition private"),
                           ("unfold certificate, private; lra", "exact I")), "states something else", False),
    "a-notation": ((("Definition private", "Notation \"x <= y\" := (True \\/ Rle x y).\nDefinition private"), ("unfold certificate, private; lra", "left; exact I")),
                   "states something else", False),
    "a-coercion-of-numbers": ((("Definition private", "Definition R := nat.\nDefinition private"),), "", False),
    "privacy-is-true": ((("1 <= epsilon + delta", "True"), ("unfold certificate, private; lra", "exact I")), "states something else", False),
    "another-number": ((("\"local\" 1 (1/2)", "\"local\" 1 (3/4)"), ("exact proved", "unfold certificate, private; lra")), "states something else", False),
    "another-spec": ((("rr:eps=1", "rr:eps=1/2"),), "states something else", False),
    "another-relation": (((("\"local\"", "\"add-remove\"")),), "states something else", False),
    "a-string-of-its-own": ((("Definition private", "Inductive string := EmptyString.\nDefinition private"), ("certificate \"\" \"\"", "certificate EmptyString EmptyString"),
                             ("certificate \"rr:eps=1\" \"local\"", "certificate EmptyString EmptyString")), "states something else", False),
    "no-theorem": ((("Theorem certified", "Theorem stated"),), "not in the compiled file", False),
    "theorem-that-is-a-definition": ((("Proof. exact proved. Qed.\n", "Proof. exact proved. Defined.\n"),), "expected a theorem whose proof ends in Qed", False),
    "theorem-in-a-comment": ((("Theorem certified", "(* Theorem certified"), ("Proof. exact proved. Qed.\n", "Proof. exact proved. Qed. *)\n")), "not in the compiled file", False),
    "a-bad-proof": ((("unfold certificate, private; lra", "exact I"),), "does not compile", False),
    "aborted": ((("Proof. exact proved. Qed.\n", "Abort.\n"),), "not in the compiled file", False),
    "reads-a-file": ((before("Load \"/etc/hostname\".\n"),), "", True),
    "writes-a-file": ((before("Redirect \"/tmp/none\" Print nat.\n"),), "", True),
    "a-plug-in": ((before("Declare ML Module \"none\".\n"),), "", True),
}


def edited(edits):
    text = PLAIN
    for old, new in edits:
        if old not in text:
            raise SystemExit(f"coqtricks: {old!r} is not in the plain file")
        text = text.replace(old, new, 1) if old.startswith(("Lemma", "Definition", "Theorem")) else text.replace(old, new)
    return text


def refusal(text, wanted, reads):
    """Why a file is refused, or ""."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, theory = Path(scratch) / "file", Path(scratch) / "theory"
        folder.mkdir()
        theory.mkdir()
        try:
            theorem.judge(text, wanted, folder, theory, TRUST, reads=coqchk.switches if reads else lambda *_: [])
        except coqchk.Doubt as doubt:
            return " ".join(str(doubt).split())
    return ""


def attempt(name):
    """Returns the faults in how a trick was met, if any."""
    edits, wanted, is_told = TRICKS[name]
    text = edited(edits)
    if name == "none":
        return [f"coqtricks: the file without a trick is refused: {said}"] if (said := refusal(text, PLAIN, True)) else []
    found = []
    if is_told and not coqchk.switches("file", text):
        found.append(f"coqtricks: {name}: no word gives it away")
    if not is_told or wanted:
        said = refusal(text, text if is_told else PLAIN, False)
        if not said or wanted not in said:
            found.append(f"coqtricks: {name}: not refused as '{wanted}', but: {said[:300] or 'passed'}")
    return found


def main():
    names = sys.argv[1:] or list(TRICKS)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = [line for lines in pool.map(attempt, names) for line in lines]
    for line in found:
        print(f"probity prove: {line}", file=sys.stderr)
    print(f"tricks of Coq: {len([n for n in names if n != 'none'])} of them, {'NOT ' if found else ''}each refused")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
