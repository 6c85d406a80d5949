#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the readers of Coq's and coqchk's answers, on answers that were recorded or made up: a line that is not understood
is a refusal. proofs/coqtricks.py has the tricks that Coq itself must refuse.   usage: judged.py"""
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "proofs"))
sys.dont_write_bytecode = True
import coq
import coqchk
import coqtricks
import theorem

SUMMARY = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative
  
* Axioms:
    Coq.Reals.ClassicalDedekindReals.sig_not_dec
    Coq.Reals.Rdefinitions.RbaseSymbolsImpl.Rlt
  
* Constants/Inductives relying on type-in-type: <none>
  
* Constants/Inductives relying on unsafe (co)fixpoints: <none>
  
* Inductives whose positivity is assumed: <none>
  
"""
ASSUMED = """Axioms:
ClassicalDedekindReals.sig_not_dec : forall P : Prop, sumbool (not (not P)) (not P)
FunctionalExtensionality.functional_extensionality_dep
  : forall (A : Type) (B : forall _ : A, Type) (f g : forall x : A, B x)
      (_ : forall x : A, @eq (B x) (f x) (g x)), @eq (forall x : A, B x) f g"""
MODULE = """Module
Law
:= Struct
     Parameter exp_le :
       forall (a b : R) (_ : Rle a b), Rle (exp a) (exp b).
     Definition any : forall (A : Type) (_ : A), Prop.
     Variant law (A : Type) : Type :=
         Law : forall (mass : forall _ : A, R), law A.
   End"""


class Answers(unittest.TestCase):
    def doubted(self, said, call, *words):
        with self.assertRaises(coqchk.Doubt, msg=words) as caught:
            call(*words)
        self.assertIn(said, str(caught.exception))

    def test_a_summary_of_coqchk_is_read_line_by_line(self):
        self.assertEqual(coqchk.summary(SUMMARY, "a"), ["Coq.Reals.ClassicalDedekindReals.sig_not_dec", "Coq.Reals.Rdefinitions.RbaseSymbolsImpl.Rlt"])
        self.assertEqual(coqchk.summary(SUMMARY.replace(":\n    Coq.Reals.ClassicalDedekindReals.sig_not_dec\n    Coq.Reals.Rdefinitions.RbaseSymbolsImpl.Rlt", ": <none>"), "a"), [])
        for old, new, said in (
                ("type-in-type: <none>", "type-in-type:\n    a.T", "type-in-type: a.T"), ("(co)fixpoints: <none>", "(co)fixpoints:\n    a.loop", "fixpoints: a.loop"),
                ("assumed: <none>", "assumed:\n    a.bad", "assumed: a.bad"), ("Set is predicative", "Set is impredicative", "impredicative"),
                ("Set is predicative", "Set is predicative\n  Type hierarchy is collapsed", "collapsed"), ("* Inductives whose positivity is assumed: <none>\n", "", "not understood"),
                ("* Axioms:", "* Rewrite rules: <none>\n* Axioms:", "not understood"), ("sig_not_dec\n", "sig_not_dec is odd!\n", "not understood"),
                ("\nCONTEXT", "Warning: a library was not checked\nCONTEXT", "not understood"), ("* Axioms:", "* Axioms", "not understood")):
            self.assertIn(old, SUMMARY)
            self.doubted(said, coqchk.summary, SUMMARY.replace(old, new, 1), "a")
        self.doubted("not understood", coqchk.summary, "", "a")

    def test_assumptions_are_read_line_by_line(self):
        self.assertEqual(coqchk.axioms_of("Closed under the global context", "a"), [])
        self.assertEqual(coqchk.axioms_of(ASSUMED, "a"), ["ClassicalDedekindReals.sig_not_dec", "FunctionalExtensionality.functional_extensionality_dep"])
        for line in ("guard.loop is assumed to be guarded.", "univ.bad is assumed to be positive.", "univ.T relies on an unsafe hierarchy.", "Section Variables:", "Theory: Set is impredicative"):
            self.doubted("not understood", coqchk.axioms_of, f"{ASSUMED}\n{line}", "a")
            self.doubted("not understood", coqchk.axioms_of, f"{line}\n{ASSUMED}", "a")
        self.doubted("not understood", coqchk.axioms_of, "", "a")

    def test_a_module_holds_what_is_understood(self):
        self.assertEqual(coqchk.entries("Law", MODULE), {"exp_le": "Parameter", "any": "Definition", "law": "Variant"})
        for odd in ("Module Inner.", "Axiom free : False.", "Module Type S Module M", "Parameter exp_le : False."):
            self.doubted("not understood", coqchk.entries, "Law", MODULE.replace("Definition any", f"{odd}\n     Definition any"))
        self.doubted("not understood", coqchk.entries, "Law", "Module Law = Other")

    def test_a_theorem_is_no_definition(self):
        held = {"t": ("Parameter", "@L.t : forall (a : R) (_ : forall n : nat, P n) (_ : Q a) (_ : forall _ : nat, P a), Q a", ["a", "mass", "rare", "same"]), "d": ("Definition", "L.d = I : True", [])}
        self.assertEqual(coqchk.hypotheses(held, "t"), ["mass", "same"])
        self.assertTrue(coqchk.statement("L", held, "t").startswith("@L.t : forall"))
        self.assertEqual(coqchk.definitions(held), "Definition L.d = I : True")
        self.doubted("ends in Qed", coqchk.statement, "L", held, "d")
        self.doubted("not in the compiled file", coqchk.statement, "L", held, "none")

    def test_trust_is_what_the_page_lists(self):
        trust = coqchk.Trust((ROOT / "docs/trust.md").read_text())
        known = ["Coq.Logic.Classical_Prop.classic", "Coq.Reals.Rdefinitions.RinvImpl.Rinv", "Coq.Numbers.Cyclic.Int63.Uint63.to_Z"]
        self.assertEqual(trust.objections(known, "a"), [])
        for name in ("Probity.Law.free", "Judged.Classical_Prop.classic", "Coq.Logic.ProofIrrelevance.proof_irrelevance", "Coq.Reals.Rdefinitions.RinvImpl2.x", "Judged.classic"):
            self.assertEqual(len(trust.objections([name], "a")), 1, name)
        self.assertEqual(trust.strangers(["Classical_Prop.classic", "Uint63.to_Z_inj", "PrimInt63.add"]), [])
        strange = ["classic", "Judged.classic", "Probity.x", "FloatAxioms.add_spec", "PrimFloat.add", "BigOp.bigop", "RinvImpl.Rinv"]
        self.assertEqual(len(trust.strangers(strange)), len(strange))

    def test_words_that_switch_off_a_check_are_refused(self):
        for text in ("Unset Guard Checking.", "Local Unset\n  Universe\n Checking.", "#[global] Unset Positivity Checking.", "#[bypass_check(guard)] Fixpoint", "Admitted.", "Axiom a : False.",
                     "Parameters a b : False.", "Declare ML Module \"p\".", "Load \"f\".", "Redirect \"f\" Print nat.", "Extraction \"f\" a.", "Add LoadPath \"d\".", "Set Type In Type.", "Module M.",
                     "(* Guard Checking *)", "Definition \u0430 := 1.", "a\rb", "Conjecture c : False.", "give_up", "Cd \"/\"."):
            self.assertNotEqual(coqchk.switches("a", text), [], text)
        for path in coq.sources(ROOT):
            self.assertEqual(coqchk.switches(path.name, path.read_text()), [])

    def test_no_library_comes_from_the_surroundings(self):
        os.environ["COQPATH"] = "/elsewhere"
        try:
            found = coqchk.environment("/clean")
        finally:
            os.environ.pop("COQPATH")
        self.assertEqual({k: v for k, v in found.items() if k not in ("PATH", "LC_ALL", "TMPDIR", "CCACHE_DISABLE", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS")},
                         {"HOME": "/clean", "XDG_DATA_HOME": "/clean", "XDG_CONFIG_HOME": "/clean"})

    def test_tricks_change_the_plain_file(self):
        for name, (edits, _, is_told) in coqtricks.TRICKS.items():
            text = coqtricks.edited(edits)
            self.assertEqual((text == coqtricks.PLAIN, bool(coqchk.switches("a", text))), (name == "none", is_told), name)

    def test_the_theory_is_whole(self):
        self.assertLessEqual({"Law", "Private", "Geometric", "Histograms", "Stlap", "Choices"}, {p.stem for p in theorem.order(ROOT)})


if __name__ == "__main__":
    unittest.main(verbosity=0)
