#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The judge of the proofs, attacked with evidence that is made up: what is right passes, and each fault is refused in words that
name it. Nothing is proved here, and no program runs.   usage: evidence.py"""
import copy
import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "proofs"))
sys.dont_write_bytecode = True
import claimed
import gate
import judge
import mutants
import replay
import texts

HYPOTHESES = ["same", "injective", "cost"]
CLAIMS = {"toy": ["injective", "cost", "first", "second", "same"]}
FLAGS = ["frama-c", *judge.READ, "/b/run-1/texts/{cut}/unit.i", "-print", "-ocode", "/b/n.c", "-then", "-no-print", "-session", "/b/s", *judge.OPTIONS,
         "-wp-par", "2", "-wp-cache", "update", "-wp-cache-dir", "/b/goals"]
PHASE = ["-wp", "-wp-prover", "cvc4", "-wp-timeout", "4", "-wp-smoke-tests", "-then", "-wp", "-wp-prover", "z3", "-wp-timeout", "20", "-then"]
CONTRACT = ("ensures_value", "assigns", "terminates")
KERNEL = {"pby_toy": ("ensures_value", "assigns", "terminates", "assert_rte_signed_overflow", "loop_invariant_range_preserved")}
HARNESS = {"align_toy": ("ensures_first", "ensures_second", "ensures_same", "ensures_injective", "ensures_cost", "assigns", "terminates",
                         "call_pby_toy_requires_valid"),
           "private_toy": ("assert_injective", "assert_cost", "assert_first", "assert_second", "assert_same", "ensures_reached", "assigns", "terminates"),
           "witness_private_toy": ("ensures_reached", "assigns", "terminates", "call_private_toy_requires_neighbour"),
           "witness_toy": ("ensures_reached", "assigns", "terminates", "call_align_toy_requires_valid", "call_align_toy_requires_neighbour")}


def said(functions, calls, requires, **more):
    return {"contracts": {name: ["terminates \\true;"] for name in functions}, "bodies": {name: ["{", "}"] for name in functions},
            "calls": calls, "logic": {"acsl/toy.h: Toy": "logic integer Toy(integer x) = x;"}, "requires": requires, "endless": [],
            "unfounded": [], "variables": []} | more


def printed(functions, tests, extern=(), by="CVC4 1.8", cut="a" * 16, statuses=None):
    """Returns the lines that Frama-C prints of a unit: functions, {name: clauses}; the smoke tests of some; functions
    without a body."""
    statuses = statuses or {}
    goals = [f"{name}_{clause}" for name, clauses in functions.items() for clause in clauses]
    valid = sum(statuses.get(goal, "Valid") == "Valid" for goal in goals) + len(tests)
    lines = [f"[kernel] Parsing build/run-1/texts/{cut}/unit.i (no preprocessing)", "[wp] Running WP plugin..."]
    lines += [f"[rte:annot] annotating function {name}" for name in functions]
    lines += [f"[wp] {len(goals) + len(tests)} goals scheduled"]
    lines += [f"[wp] [Passed] Smoke-test typed_{name}_wp_smoke_default_requires" for name in tests]
    lines += [f"[wp] [{by}] Goal typed_{goal} : {statuses.get(goal, 'Valid')} (Qed:3ms) (120ms) (18243)" for goal in goals]
    lines += ["[wp] [Cache] updated:3", f"[wp] Proved goals: {valid:4} / {len(goals) + len(tests)}", "  Qed:            28  (1ms-12ms-45ms)",
              "[report] Dumping properties in 'b.csv'", "[report] Computing properties status...", "", "-" * 80]
    for name in extern:
        lines += [f"--- Properties of Function '{name}'", "-" * 80, "[ Extern  ] Post-condition 'value'", "            Unverifiable but considered Valid."]
    return lines + ["--- Status Report Summary", "-" * 80, "    13 Completely validated",
                    *([f"    {len(extern)} Considered valid"] if extern else []), "    51 Total", "-" * 80]


def unit(path, functions, calls, requires, extern=(), **more):
    text = "sha256:" + "a" * 64
    command = [word.replace("{cut}", "a" * 16) for word in (*FLAGS, *PHASE, "-report", "-report-csv", "/b/p.csv")]
    run = {"kind": "first", "text": text, "command": command, "status": 0, "functions": [], "lines": printed(functions, requires, extern)}
    return {"unit": path, "text": text, "runs": [run], "said": said(functions, calls, requires, **more)}


def library():
    """A kernel function, and a harness with its witness."""
    return [unit("src/kernel/toy.c", KERNEL, {"pby_toy": []}, ["pby_toy"]),
            unit("proofs/alignment/toy.c", HARNESS, {"align_toy": ["pby_toy"], "witness_toy": ["align_toy"], "private_toy": ["align_toy"],
                                                     "witness_private_toy": ["private_toy"]}, ["align_toy", "private_toy"], ["pby_toy"])]


def floor_of(results):
    return {name: {c: f[c] for c in judge.COLUMNS} for r in results for name, f in r["functions"].items()}


def replace(run, old, new, count=1):
    """The lines of a run with one text in place of another, which must be there."""
    whole = "\n".join(run["lines"])
    assert old in whole, old
    run["lines"] = whole.replace(old, new, count).split("\n")


class Library(unittest.TestCase):
    def judged(self, change=None, listed=(), whole=True, wrong=(), floor=None, claims=None):
        """The objections to the library after a change of its evidence, which is a function of both units."""
        before = [judge.unit(e) for e in library()]
        evidence = library()
        if change:
            change(*evidence)
        results = [judge.unit(e) for e in evidence]
        found = [what for r in results for what in judge.unsound_texts(r)]
        found += [*judge.circles(results), *judge.clashes(results), *judge.clashes(results, "logic")]
        found += judge.library(results, wrong, HYPOTHESES, CLAIMS if claims is None else claims, floor or floor_of(before), set(listed), whole, "the baseline")
        return found, results

    def refused(self, words, change, **options):
        found, results = self.judged(change, **options)
        self.assertTrue(any(words in line for line in found), f"{words!r} is not in {found}")
        return results

    def test_what_is_right_passes(self):
        found, results = self.judged()
        self.assertEqual(found, [])
        self.assertEqual([len(judge.counted(r)) for r in results], [5, 25])
        self.assertEqual(results[1]["functions"]["align_toy"]["alignment"], 3)

    def test_a_goal_that_is_not_valid_is_not_proved(self):
        for status in ("Timeout", "Unknown", "Failed", "Stepout", "Invalid", "valid", "Validity", "NotValid"):
            def change(kernel, _, status=status):
                kernel["runs"][0]["lines"] = printed(KERNEL, ["pby_toy"], statuses={"pby_toy_ensures_value": status})
            results = self.refused("unproved: pby_toy_ensures_value", change)
            self.assertNotIn("pby_toy_ensures_value", judge.counted(results[0]))

    def test_a_timeout_that_the_sum_counts_as_proved(self):
        self.refused("unproved: pby_toy_ensures_value", lambda kernel, _: replace(kernel["runs"][0], "ensures_value : Valid", "ensures_value : Timeout"))

    def test_a_failed_goal_without_a_status(self):
        self.refused("unproved: pby_toy_assigns", lambda kernel, _: replace(
            kernel["runs"][0], "[wp] [CVC4 1.8] Goal typed_pby_toy_assigns : Valid (Qed:3ms) (120ms) (18243)", "[wp] [Failed] Goal typed_pby_toy_assigns"))

    def test_a_goal_that_is_missing(self):
        def change(kernel, _):
            kernel["runs"][0]["lines"] = [line for line in kernel["runs"][0]["lines"] if "signed_overflow" not in line]
        self.refused("WP counts 6 goals, and prints 5", change)

    def test_a_goal_that_is_missing_and_not_counted(self):
        def change(kernel, _):
            kernel["runs"][0]["lines"] = printed({"pby_toy": KERNEL["pby_toy"][:3]}, ["pby_toy"])
        found, _ = self.judged(change)
        self.assertTrue(any("pby_toy: 1 safety goals, the floor is 2" in line for line in found), found)

    def test_no_goals_at_all(self):
        def change(kernel, _):
            kernel["runs"][0]["lines"] = printed({}, [])
        self.refused("goals read as proved, proved and goals in WP's own sums: [(0, 0, 0)]", change)

    def test_a_function_with_a_body_and_no_goals(self):
        def change(kernel, _):
            kernel["said"]["bodies"]["pby_more"] = ["{", "}"]
        self.refused("pby_more: it has a body and no goals", change)

    def test_nothing_was_run(self):
        for runs in ([], None):
            def change(kernel, _, runs=runs):
                kernel["runs"] = runs if runs is not None else [kernel["runs"][0] | {"kind": "smoke"}]
            self.assertEqual(judge.counted(self.refused("nothing was run", change)[0]), [])

    def test_a_goal_of_another_function(self):
        def change(kernel, _):
            kernel["runs"][0]["lines"] = [line.replace("typed_pby_toy_assigns", "typed_pby_other_assigns") for line in kernel["runs"][0]["lines"]]
        results = self.refused("goal of no function: pby_other_assigns", change)
        self.assertNotIn("pby_other_assigns", judge.counted(results[0]))

    def test_a_goal_of_a_longer_name_is_not_that_of_a_shorter(self):
        self.assertEqual(judge.owner("pby_toy_more_ensures_value", ["pby_toy", "pby_toy_more"]), "pby_toy_more")
        self.assertEqual(judge.owner("pby_toymore_ensures", ["pby_toy"]), "")

    def test_a_line_that_is_not_known(self):
        for line in ("[wp] All goals are fine", "[wp] [CVC4 1.8] Goal typed_pby_toy_assigns : Valid because I say so", "Segmentation fault",
                     "[wp] [Passed] Smoke-test typed_pby_toy_wp_smoke_x (Timeout, but well)", "[kernel] Assuming pby_toy is right",
                     "[wp] [Alt-Ergo 2] Goals typed_pby_toy_a : Valid"):
            results = self.refused("a line that is not understood", lambda kernel, _, line=line: kernel["runs"][0]["lines"].insert(5, line))
            self.assertEqual(judge.counted(results[0]), [])

    def test_a_warning_or_an_error(self):
        for line in ("[wp] Warning: Memory model hypotheses for function 'pby_toy':", "[kernel] User Error: stopping", "[wp] Warning: No goal generated"):
            self.refused(line, lambda kernel, _, line=line: kernel["runs"][0]["lines"].insert(5, line))

    def test_a_smoke_test_that_fails(self):
        self.refused("smoke test failed: pby_toy_wp_smoke_default_requires",
                     lambda kernel, _: replace(kernel["runs"][0], "[Passed] Smoke-test", "[Failed] Smoke-test"))

    def test_no_smoke_test_of_a_function_that_assumes(self):
        def change(kernel, _):
            kernel["runs"][0]["lines"] = printed(KERNEL, [])
        self.refused("pby_toy: it assumes something, and has no smoke test", change)

    def test_a_smoke_test_of_something_else(self):
        """A dead branch is looked for behind what is assumed, and says nothing of that."""
        def change(kernel, _):
            kernel["runs"][0]["lines"] = [line.replace("smoke_default_requires", "smoke_dead_code_s7") for line in printed(KERNEL, ["pby_toy"])]
        self.refused("pby_toy: it assumes something, and has no smoke test", change)

    def test_another_prover_without_a_smoke_test(self):
        def change(kernel, _):
            kernel["runs"][0]["lines"] = printed(KERNEL, ["pby_toy"], by="Z3 4.8.12")
        self.refused("pby_toy: no smoke test by the other provers", change)

    def with_smoke(self, kernel, lines, **more):
        kernel["runs"][0]["lines"] = printed(KERNEL, ["pby_toy"], by="Z3 4.8.12")
        kernel["runs"].append(kernel["runs"][0] | {"kind": "smoke", "functions": ["pby_toy"], "lines": lines} | more)

    def test_smoke_tests_by_another_prover(self):
        passed = printed({"pby_toy": ()}, ["pby_toy"])
        self.assertEqual(self.judged(lambda kernel, _: self.with_smoke(kernel, passed))[0], [])
        self.refused("the smoke tests of pby_toy were not run", lambda kernel, _: self.with_smoke(kernel, printed({"pby_toy": ()}, [])))
        failed = [line.replace("[Passed]", "[Failed]") for line in passed]
        self.refused("smoke test failed", lambda kernel, _: self.with_smoke(kernel, failed))
        self.refused("no smoke test by the other provers", lambda kernel, _: self.with_smoke(kernel, passed, functions=[]))
        ends = printed({"pby_toy": ("terminates",)}, ["pby_toy"])
        self.assertEqual(self.judged(lambda kernel, _: self.with_smoke(kernel, ends))[0], [])
        more = printed({"pby_toy": ("terminates", "ensures_value")}, ["pby_toy"])
        self.refused("the smoke tests of pby_toy were not run", lambda kernel, _: self.with_smoke(kernel, more))
        dead = [line.replace("smoke_default_requires", "smoke_dead_code_s7") for line in passed]
        self.refused("the smoke tests of pby_toy were not run", lambda kernel, _: self.with_smoke(kernel, dead))
        self.refused("another text", lambda kernel, _: self.with_smoke(kernel, passed, text="sha256:" + "b" * 64))

    def test_a_function_without_anything_to_test(self):
        """A lemma that assumes nothing has no smoke test, by no prover: Frama-C then reports nothing at all."""
        quiet = ["[kernel] Parsing build/run-1/texts/" + "a" * 16 + "/unit.i (no preprocessing)", "[wp] Running WP plugin...",
                 "[rte:annot] annotating function pby_toy", "[wp] Warning: No goal generated", "[report] Computing properties status...", "-" * 80,
                 "--- No status to report", "-" * 80]

        def change(kernel, _, tests=()):
            self.with_smoke(kernel, quiet)
            kernel["runs"][0]["lines"] = printed(KERNEL, tests, by="Z3 4.8.12")
            kernel["said"]["requires"] = []
        self.assertEqual(self.judged(change)[0], [])
        self.refused("the smoke tests of pby_toy were not run", lambda k, h: change(k, h, ["pby_toy"]))
        self.refused("the smoke tests of pby_toy were not run", lambda kernel, _: self.with_smoke(kernel, quiet))
        self.refused("no report", lambda kernel, _: kernel["runs"][0].update(lines=printed(KERNEL, ["pby_toy"])[:-7]))

    def test_a_prover_that_was_not_asked(self):
        for by in ("Coq 8.16", "Script", "Tactical", "CVC5 1.0", "Alt-Ergo 2.4"):
            def change(kernel, _, by=by):
                replace(kernel["runs"][0], "[CVC4 1.8] Goal typed_pby_toy_assigns", f"[{by}] Goal typed_pby_toy_assigns")
            self.refused(f"pby_toy_assigns: proved by {by}, which was not asked", change)

    def test_another_text(self):
        for change in (lambda kernel, _: kernel.update(text="sha256:" + "b" * 64), lambda kernel, _: kernel["runs"][0].update(text="sha256:" + "b" * 64),
                       lambda kernel, _: replace(kernel["runs"][0], "a" * 16, "b" * 16),
                       lambda kernel, _: kernel["runs"][0]["lines"].insert(0, kernel["runs"][0]["lines"][0]),
                       lambda kernel, _: kernel["runs"][0]["lines"].pop(0)):
            results = self.refused("Frama-C has read another text", change)
            self.assertEqual(judge.counted(results[0]), [])

    def test_a_text_that_was_preprocessed_by_frama_c(self):
        self.refused("a line that is not understood: [kernel] Parsing", lambda kernel, _: replace(kernel["runs"][0], "(no preprocessing)", "(with preprocessing)"))

    def test_a_stale_result(self):
        results = [judge.unit(e) for e in library()]
        now = {r["unit"]: r["text"] for r in results}
        self.assertEqual(list(judge.texts_differ(results, now)), [])
        self.assertEqual(list(judge.texts_differ(results, now | {"src/kernel/toy.c": "sha256:" + "c" * 64})),
                         ["src/kernel/toy.c: proved of another text than the one that is compiled"])

    def test_options(self):
        for gone in (*judge.READ, *judge.OPTIONS):
            self.refused(f"Frama-C was not asked with {gone}", lambda kernel, _, gone=gone: kernel["runs"][0]["command"].remove(gone))
        for more in ("-wp-no-rte", "-wp-assume-complete", "-wp-dynamic", "-eva", "-wp-model=raw", "-cpp-extra-args=-Dx", "-wp-admit", "-no-warn-x"):
            self.refused(f"{more.partition('=')[0]}, which is not known", lambda kernel, _, more=more: kernel["runs"][0]["command"].append(more))
        for part in (["-wp-fct", "pby_other"], ["-wp-prop", "value"], ["-wp-prop=-@assigns"]):
            self.refused("Frama-C was asked for a part", lambda kernel, _, part=part: kernel["runs"][0]["command"].extend(part))

    def test_a_status_that_is_not_zero(self):
        self.refused("Frama-C ended with 1", lambda kernel, _: kernel["runs"][0].update(status=1))

    def test_a_transcript_that_was_cut_off(self):
        for keep in range(len(library()[0]["runs"][0]["lines"]) - 1):
            def change(kernel, _, keep=keep):
                kernel["runs"][0]["lines"] = kernel["runs"][0]["lines"][:keep]
            found, results = self.judged(change)
            self.assertTrue(found, keep)
            if keep < len(library()[0]["runs"][0]["lines"]) - 2:
                self.assertEqual(judge.counted(results[0]), [], keep)

    def test_a_goal_that_is_printed_twice(self):
        def change(kernel, _):
            lines = kernel["runs"][0]["lines"]
            lines[lines.index(next(line for line in lines if "rte_signed" in line))] = next(line for line in lines if "ensures_value" in line)
        self.refused("pby_toy_ensures_value is printed 2 times in one phase", change)

    def test_a_sum_that_is_not_what_was_read(self):
        for wrong in ("5 / 6", "6 / 7", "7 / 7"):
            self.refused("toy.c: ", lambda kernel, _, wrong=wrong: replace(kernel["runs"][0], "   6 / 6", f"   {wrong}"))

    def test_a_unit_that_is_judged_twice(self):
        results = [judge.unit(e) for e in (*library(), library()[0])]
        self.assertIn("src/kernel/toy.c: judged 2 times", judge.library(results, [], HYPOTHESES, CLAIMS, floor_of(results), set(), True, "b"))

    # ---- assumptions --------------------------------------------------------------------------------

    def test_an_assumption_that_is_not_listed(self):
        for line, name in (("[ Extern  ] Axiom 'everything'", "axiom:everything"), ("[ Extern  ] Admit 'this'", "admit:this"),
                           ("[ Extern  ] Post-condition 'value'", "extern:leak")):
            def change(kernel, _, line=line):
                lines = printed(KERNEL, ["pby_toy"], ["leak"])
                kernel["runs"][0]["lines"] = [line if part.startswith("[ Extern") else part for part in lines]
            self.refused(f"trusted but not listed in docs/trust.md: {name}", change)
            found, _ = self.judged(change, listed=[name])
            self.assertEqual(found, [])

    def test_an_assumption_that_is_listed_for_nothing(self):
        self.refused("docs/trust.md lists axiom:never, which is not used", None, listed=["axiom:never"])

    def test_a_report_that_hides_an_assumption(self):
        def change(_, harness):
            harness["runs"][0]["lines"] = [line for line in harness["runs"][0]["lines"] if not line.startswith("[ Extern")]
        self.refused("1 properties are taken as valid, and 0 of them were read", change)

    def test_no_report(self):
        def change(kernel, _):
            lines = kernel["runs"][0]["lines"]
            kernel["runs"][0]["lines"] = lines[:lines.index("[report] Computing properties status...")]
        self.refused("no report of what is taken as valid", change)

    def test_a_property_that_is_dead_or_unknown_to_us(self):
        for status in ("Dead", "Unreachable", "Bug"):
            self.refused("a line that is not understood", lambda kernel, _, status=status: replace(
                kernel["runs"][0], "--- Status", f"[  {status}   ] Post-condition 'value'\n--- Status"))

    # ---- contracts and texts --------------------------------------------------------------------------

    def test_contracts_without_a_clause(self):
        for gone in CONTRACT:
            def change(kernel, _, gone=gone):
                kernel["runs"][0]["lines"] = printed({"pby_toy": tuple(c for c in KERNEL["pby_toy"] if c != gone)}, ["pby_toy"])
            self.refused(f"pby_toy: no {gone.partition('_')[0]} clause is proved", change)

    def test_clauses_of_loops_and_calls_are_no_contract(self):
        def change(kernel, _):
            kernel["runs"][0]["lines"] = printed({"pby_toy": ("loop_assigns", "call_f_ensures_x", "terminates", "ensures_value")}, ["pby_toy"])
        self.refused("pby_toy: no assigns clause is proved", change)

    def test_two_contracts_of_one_name(self):
        self.refused("pby_toy: two contracts of this name", lambda _, harness: harness["said"]["contracts"].update(pby_toy=["ensures \\false;"]))

    def test_two_definitions_of_one_word(self):
        self.refused("acsl/toy.h: Toy: two definitions", lambda _, harness: harness["said"]["logic"].update({"acsl/toy.h: Toy": "other"}))

    def test_calls_in_a_circle(self):
        self.refused("calls go in a circle: align_toy -> pby_toy -> align_toy", lambda kernel, _: kernel["said"]["calls"].update(pby_toy=["align_toy"]))

    def test_functions_and_definitions_that_need_not_end(self):
        self.refused("pby_toy: nothing says that it ends", lambda kernel, _: kernel["said"]["endless"].append("pby_toy"))
        self.refused("Odd: a definition that need not end", lambda kernel, _: kernel["said"]["unfounded"].append("Odd"))

    # ---- harnesses --------------------------------------------------------------------------------------

    def test_a_harness_without_a_hypothesis_or_a_run(self):
        for gone in ("same", "injective", "cost", "first", "second"):
            def change(_, harness, gone=gone):
                functions = HARNESS | {"align_toy": tuple(c for c in HARNESS["align_toy"] if c != f"ensures_{gone}")}
                harness["runs"][0]["lines"] = printed(functions, ["align_toy", "private_toy"], ["pby_toy"])
            self.refused(f"align_toy: no clause {gone}", change)

    def test_a_harness_that_does_not_run_its_subject(self):
        self.refused("align_toy: no run of pby_toy", lambda _, harness: harness["said"]["calls"].update(align_toy=["pby_other"]))

    def test_a_harness_without_a_witness(self):
        self.refused("no function witness_toy calls it", lambda _, harness: harness["said"]["calls"].update(witness_toy=[]))
        self.refused("witness_toy: a witness assumes nothing", lambda _, harness: harness["said"]["requires"].append("witness_toy"))

        def change(_, harness):
            functions = HARNESS | {"witness_toy": ("ensures_reached", "assigns", "terminates")}
            harness["runs"][0]["lines"] = printed(functions, ["align_toy", "private_toy"], ["pby_toy"])
        self.refused("witness_toy: no hypothesis of align_toy is proved at its call", change)

    def test_a_harness_without_its_statement(self):
        """`ensures same: \\true` in a harness leaves an assertion of the statement unproved, whatever the baseline accepts."""
        def weak(_, harness):
            harness["runs"][0]["lines"] = printed(HARNESS, ["align_toy", "private_toy"], ["pby_toy"], statuses={"private_toy_assert_same": "Timeout"})
        self.refused("unproved: private_toy_assert_same", weak)
        for gone in CLAIMS["toy"]:
            def change(_, harness, gone=gone):
                functions = HARNESS | {"private_toy": tuple(c for c in HARNESS["private_toy"] if c != f"assert_{gone}")}
                harness["runs"][0]["lines"] = printed(functions, ["align_toy", "private_toy"], ["pby_toy"])
            self.refused(f"private_toy: no goal {gone}", change)
        self.refused("align_toy: no statement of it in the table", None, claims={})
        self.refused("private_toy: it does not call align_toy", lambda _, harness: harness["said"]["calls"].update(private_toy=[]))

        def vacuous(_, harness):
            functions = HARNESS | {"witness_private_toy": ("ensures_reached", "assigns", "terminates")}
            harness["runs"][0]["lines"] = printed(functions, ["align_toy", "private_toy"], ["pby_toy"])
        self.refused("witness_private_toy: no hypothesis is proved at its call", vacuous)

    def test_a_unit_of_harnesses_without_one(self):
        def change(_, harness):
            harness["runs"][0]["lines"] = printed({"other": CONTRACT}, [])
            harness["said"] = said({"other": CONTRACT}, {"other": []}, [])
        self.refused("proofs/alignment/toy.c: no harness", change)

    # ---- a second try -----------------------------------------------------------------------------------

    def second_try(self, kernel, second, **more):
        kernel["runs"][0]["lines"] = printed(KERNEL, ["pby_toy"], statuses={"pby_toy_ensures_value": "Timeout"})
        kernel["runs"].append(kernel["runs"][0] | {"kind": "again", "functions": ["pby_toy"], "lines": second} | more)

    def test_a_second_try(self):
        right = printed({"pby_toy": ("ensures_value",)}, [])
        self.assertEqual(self.judged(lambda kernel, _: self.second_try(kernel, right))[0], [])
        for second, more in ((printed({"pby_toy": ("ensures_value",)}, [], statuses={"pby_toy_ensures_value": "Unknown"}), {}),
                             (printed({"pby_toy": ("ensures_other",)}, []), {}), (printed({"pby_toy": ()}, []), {}),
                             (printed({"pby_other": ("ensures_value",)}, []), {})):
            self.refused("unproved: pby_toy_ensures_value", lambda kernel, _, second=second, more=more: self.second_try(kernel, second, **more))
        self.refused("again: Frama-C has read another text", lambda kernel, _: self.second_try(kernel, printed({"pby_toy": ("ensures_value",)}, [], cut="c" * 16)))
        self.refused("a run of no known kind", lambda kernel, _: self.second_try(kernel, right, kind="favour"))

    def test_a_second_try_with_fewer_parts(self):
        functions = {"pby_toy": (*CONTRACT, "ensures_more_part1", "ensures_more_part2")}

        def change(kernel, _):
            kernel["runs"][0]["lines"] = printed(functions, ["pby_toy"], statuses={"pby_toy_ensures_more_part1": "Timeout"})
            kernel["runs"].append(kernel["runs"][0] | {"kind": "again", "lines": printed({"pby_toy": ("ensures_more_part1",)}, [])})
        self.refused("unproved: pby_toy_ensures_more_part1", change)

    # ---- the baseline and wrong variants ------------------------------------------------------------------

    def test_goals_that_are_fewer_or_unknown(self):
        before = floor_of([judge.unit(e) for e in library()])
        more = copy.deepcopy(before)
        more["align_toy"]["alignment"] += 1
        self.refused("align_toy: 3 alignment goals, the floor is 4", None, floor=more)
        del more["align_toy"]
        self.refused("align_toy: not in the baseline", None, floor=more)
        fewer = copy.deepcopy(before)
        fewer["align_toy"]["alignment"] -= 1
        self.refused("the floor is only 2", None, floor=fewer)

    def test_a_wrong_variant(self):
        def variant(statuses):
            evidence = library()[1]
            evidence["runs"][0]["lines"] = printed(HARNESS, [], ["pby_toy"], statuses=statuses)
            return judge.unit(evidence)
        self.assertEqual(list(judge.wrong_variant(variant({"align_toy_ensures_same": "Timeout"}))), [])
        for statuses, words in (({}, "a wrong variant was proved"), ({"witness_toy_ensures_reached": "Timeout"}, "a wrong variant was proved"),
                                ({"align_toy_ensures_same": "Timeout", "align_toy_assigns": "Timeout"}, "not only the alignment")):
            self.assertTrue(any(words in line for line in judge.wrong_variant(variant(statuses))), words)


class Mechanisms(unittest.TestCase):
    """A mechanism that is not ours: mine.c, and the statement that the driver wrote."""
    STATEMENT = {"align_mine": ("ensures_first", "ensures_second", "ensures_same", "ensures_injective", "ensures_cost", "assigns", "terminates"),
                 "private_mine": ("ensures_reached", "assigns", "terminates", "assert_injective", "assert_cost", "assert_first", "assert_same"),
                 "witness_mine": ("ensures_reached", "assigns", "terminates", "call_private_mine_requires_law")}

    def about(self, **more):
        shipped = {"goals": {"lemma_cost": {}}, "contract": {"lemma_cost": ["ensures cost: \\true;"]}, "logic": {"acsl/toy.h: Toy": "logic integer Toy(integer x) = x;"}}
        return {"name": "mine", "units": ["mine.c"], "externs": [], "fails": False, "statement": "probity_statement.c", "clauses": ["injective", "cost"],
                "static": set(), "lemmas": {"lemma_cost"}, "shipped": shipped} | more

    def evidence(self):
        found = [unit("mine.c", {"mine": CONTRACT}, {"mine": []}, []),
                 unit("probity_statement.c", self.STATEMENT, {"private_mine": ["align_mine", "mine"], "witness_mine": ["private_mine"]},
                      ["private_mine", "align_mine"], ["mine", "lemma_cost"])]
        found[1]["said"]["contracts"]["lemma_cost"] = ["ensures cost: \\true;"]
        return found

    def judged(self, change=None, **more):
        evidence = self.evidence()
        if change:
            change(*evidence)
        return list(judge.mechanism(self.about(**more), [judge.unit(e) for e in evidence]))

    def refused(self, words, change=None, **more):
        found = self.judged(change, **more)
        self.assertTrue(any(words in line for line in found), f"{words!r} is not in {found}")

    def test_what_is_right_passes(self):
        self.assertEqual(self.judged(), [])

    def test_parts_of_the_statement(self):
        for function, gone, words in (("private_mine", "assert_same", "private_mine: no goal assert_same"), ("private_mine", "assert_cost", "no goal assert_cost"),
                                      ("private_mine", "assert_first", "no goal assert_first"), ("private_mine", "assert_injective", "no goal assert_injective"),
                                      ("align_mine", "ensures_second", "align_mine: no clause second"),
                                      ("witness_mine", "call_private_mine_requires_law", "no hypothesis is proved")):
            def change(_, statement, function=function, gone=gone):
                functions = self.STATEMENT | {function: tuple(c for c in self.STATEMENT[function] if c != gone)}
                statement["runs"][0]["lines"] = printed(functions, ["private_mine", "align_mine"], ["mine", "lemma_cost"])
            self.refused(words, change)
        self.refused("private_mine: no goal assert_fails", fails=True)
        self.refused("the statement was not proved", lambda _, statement: statement.update(unit="other.c"))
        self.refused("mine: defined in no unit", lambda mine, _: mine.update(unit="other.c"))

    def test_assumptions(self):
        self.refused("externs: extern:mine", static={"mine"})
        self.refused("has leak, which is not used", externs=["leak"])
        self.refused("lemma_cost: another contract than the one that the library proved",
                     lambda _, statement: statement["said"]["contracts"].update(lemma_cost=["ensures \\false;"]))
        self.refused("another definition than the one that the library proved with",
                     lambda mine, _: mine["said"]["logic"].update({"acsl/toy.h: Toy": "logic integer Toy(integer x) = 0;"}))
        self.refused("Toy: two definitions, in", lambda mine, _: mine["said"]["logic"].update({"mine.h: Toy": "logic integer Toy(integer x) = 0;"}))
        self.refused("last: a variable that is not constant", lambda mine, _: mine["said"]["variables"].append("last"))
        self.refused("extern:lemma_cost", lemmas=set())


class Baseline(unittest.TestCase):
    """A baseline holds text: a weaker clause is shown."""

    def test_a_weaker_clause_is_shown_as_text(self):
        before = {"contract": {"align_toy": texts.clauses("ensures same: \\forall integer i; a[i] == b[i]; ensures cost: c <= 1;")}, "goals": {}}
        now = {"contract": {"align_toy": texts.clauses("ensures same: \\true; ensures cost: c <= 1;")}, "body": {}, "logic": {}, "options": {}, "goals": {}}
        wanted = ["  - ensures same: \\forall integer i; a[i] == b[i];", "  + ensures same: \\true;"]
        said = list(gate.changed(now, before, True))
        self.assertEqual(said[0].split("\n")[1:], wanted)
        self.assertEqual(list(gate.accepted(before, now)), ["contract of align_toy: changed", *wanted])

    def test_texts_are_split_at_clauses(self):
        text = "requires a: \\valid(p);\n  behavior b:\n    assumes x > 0;\n    ensures \\forall integer i; 0 <= i ==> p[i] == 1;\n  complete behaviors b;\n"
        self.assertEqual(texts.clauses(text), ["requires a: \\valid(p);", "behavior b:", "assumes x > 0;", "ensures \\forall integer i; 0 <= i ==> p[i] == 1;",
                                               "complete behaviors b;"])
        self.assertTrue(texts.same(texts.short(text), texts.clauses(text))) # a baseline of digests is still read
        self.assertFalse(texts.same(texts.short(text + "x"), texts.clauses(text)))

    def test_the_librarys_baseline_has_no_digest_of_c(self):
        baseline = json.loads((ROOT / gate.BASELINE).read_text())
        digests = [name for kind in ("contract", "body", "logic") for name, said in baseline[kind].items()
                   if isinstance(said, str) and re.fullmatch("[0-9a-f]{16}", said) and not name.startswith("proofs/coq/")]
        theorems = {name for path in (ROOT / "proofs/coq").glob("*.v") for name in re.findall(r"Theorem\s+(\w+)", path.read_text())}
        self.assertEqual([name for name in digests if name not in theorems], [])


class Replay(unittest.TestCase):
    """A record and what Frama-C says again; nothing is run."""
    SAID = {"text": "sha256:aa", "goals": {"f_ensures_a": {"prover": "CVC4", "version": "1.8", "seconds": 0.1, "digest": "sha256:11"},
                                           "f_ensures_b": {"prover": "Z3", "version": "4.8.12", "seconds": 2, "digest": "sha256:22"},
                                           "f_assigns": {"prover": "Qed", "version": "", "seconds": 0, "digest": None}}}
    RECORDS = {"f_ensures_a": {"status": "Failed", "by": "Failed"}, "f_ensures_b": {"status": "Failed", "by": "Failed"},
               "f_assigns": {"status": "Valid", "by": "Qed"}}
    MADE = {"f_ensures_a": {"CVC4_1_8": "sha256:11", "Z3_4_8_12": "sha256:12"}, "f_ensures_b": {"CVC4_1_8": "sha256:21", "Z3_4_8_12": "sha256:22"}}

    def test_what_is_the_same_has_no_difference(self):
        self.assertEqual(list(replay.differences("f.c", self.SAID, "sha256:aa", self.RECORDS, self.MADE)), [])

    def test_each_difference_is_told(self):
        other = lambda goal, **new: self.SAID | {"goals": self.SAID["goals"] | {goal: self.SAID["goals"][goal] | new}}
        for said, text, records, made, words in (
                (self.SAID, "sha256:bb", self.RECORDS, self.MADE, "another text"),
                (self.SAID, "sha256:aa", {k: v for k, v in self.RECORDS.items() if k != "f_assigns"}, self.MADE, "f_assigns: in the record and not here"),
                (self.SAID, "sha256:aa", self.RECORDS | {"f_more": {"status": "Valid", "by": "Qed"}}, self.MADE, "f_more: here and not in the record"),
                (self.SAID, "sha256:aa", self.RECORDS | {"f_assigns": {"status": "Failed", "by": "Failed"}}, self.MADE, "f_assigns: proved by Qed in the record"),
                (self.SAID, "sha256:aa", self.RECORDS, {}, "f_ensures_a: another goal for CVC4 1.8"),
                (other("f_ensures_a", digest="sha256:12"), "sha256:aa", self.RECORDS, self.MADE, "f_ensures_a: another goal for CVC4 1.8"),
                (other("f_ensures_b", version="4.9"), "sha256:aa", self.RECORDS, self.MADE, "f_ensures_b: another goal for Z3 4.9"),
                (other("f_ensures_a", digest=None), "sha256:aa", self.RECORDS, self.MADE, "f_ensures_a: another goal")):
            found = list(replay.differences("f.c", said, text, records, made))
            self.assertEqual(len([line for line in found if words in line]), 1, (words, found))

    def test_a_seed_chooses_a_tenth(self):
        record = {"units": {f"u{i}.c": {"goals": {f"g{j}": {"prover": "CVC4" if j % 2 else "Qed"} for j in range(10)}} for i in range(7)}}
        one, two, three = (replay.chosen(record, seed) for seed in (1, 1, 2))
        self.assertEqual((len(one), one), (4, two)) # of 35, rounded up
        self.assertNotEqual(one, three)
        self.assertTrue(all(record["units"][unit]["goals"][goal]["prover"] == "CVC4" for unit, goal in one))

    def test_the_record_has_the_goals_that_count(self):
        result = judge.unit(library()[0]) | {"tasks": {"pby_toy_assigns": {"CVC4_1_8": "sha256:33"}}}
        record = replay.goals(result)
        self.assertEqual(set(record), set(judge.counted(result)))
        self.assertEqual(record["pby_toy_assigns"], {"prover": "CVC4", "version": "1.8", "seconds": 0.123, "digest": "sha256:33"})
        self.assertEqual(replay.goals(result | {"broken": ["x"]}), {})


class Claims(unittest.TestCase):
    """The statements of the library's harnesses, as proofs/claimed.py writes them."""

    def test_the_files_are_those_of_the_table(self):
        self.assertEqual(list(claimed.problems(ROOT)), [])
        harnesses = {name.removeprefix("align_") for name, goals in json.loads((ROOT / gate.BASELINE).read_text())["goals"].items()
                     if name.startswith("align_") and goals["alignment"]}
        self.assertEqual(set(claimed.wanted(ROOT)), harnesses)

    def test_a_statement_asserts_each_hypothesis_of_the_table(self):
        text = claimed.claims(ROOT)["perturb"].text()
        for said in ("requires neighbour: Distance(x, y, n) <= charge;", "assert same: \\forall integer i; 0 <= i < n ==> a[i] == b[i];",
                     "assert second: \\forall integer i; 0 <= i < n ==> b[i] == Saturated(\\at(y[i] + w[i], Pre));", "align_perturb(x, y, z, w, n, charge, a, b);"):
            self.assertIn(said, text)
        text = claimed.claims(ROOT)["above"].text()
        for said in ("first = pby_above(x, z, 0, n, t);", "second = pby_above(y, w, 0, n, s);", "assert same: first == second;"):
            self.assertIn(said, text)

    def test_a_table_that_is_not_understood(self):
        for said in ({}, {"neighbour": "x", "cost": "y", "witness": {}}, {"neighbour": "x", "cost": "y", "witness": {}, "first": "a", "run": "b"},
                     {"neighbour": "x", "cost": "y", "witness": {}, "first": "a", "price": "b"}):
            with self.assertRaises(ValueError):
                claimed.Claim(ROOT, "perturb", said)


class Faults(unittest.TestCase):
    def test_each_finds_its_place_once(self):
        for fault in mutants.read(ROOT):
            for edit in mutants.edits_of(fault):
                if "find" in edit:
                    self.assertEqual((ROOT / edit["file"]).read_text().count(edit["find"]), 1, f"{fault['name']}: {edit['file']}")


class Size(unittest.TestCase):
    def test_the_judge_can_be_read_in_one_sitting(self):
        text = (ROOT / "proofs/judge.py").read_text()
        self.assertLess(text.count("\n"), 600)
        self.assertEqual(re.findall(r"^(?:import|from) (\w+)", text, re.M), ["re", "collections"]) # no file, no program, no clock


if __name__ == "__main__":
    unittest.main(verbosity=0)
