/* SPDX-License-Identifier: MIT */
#include "law/law_theorem.h"
#include "base/printed.h"

#include <inttypes.h>
#include <stdlib.h>

/* 64 digits of a cut, as many behind it, and some for the sums. */
enum { BITS = 160, IN_A_LINE = 5 };

static const char preamble[] =
    "Require Import String Reals List ZArith Bool Lra Lia.\n"
    "From Interval Require Import Tactic.\n"
    "Import ListNotations.\n"
    "Open Scope R_scope.\n"
    "\n"
    "Definition floor (x : R) : Z := Int_part x.\n"
    "\n"
    "Lemma one_more (x : R) (c : Z) (l m : list Z) :\n"
    "  IZR c <= x < IZR c + 1 -> l = m -> floor x :: l = c :: m.\n"
    "Proof.\n"
    "  intros B ->; f_equal; unfold floor, Int_part.\n"
    "  assert (U : (c + 1)%Z = up x) by (apply tech_up; rewrite plus_IZR; lra); lia.\n"
    "Qed.\n"
    "\n"
    "(* Only numbers and what intervals know. *)\n"
    "Ltac numbers := cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv exp IZR Rle Rlt].\n"
    "\n"
    "(* What they must be told; a law may say more. *)\n"
    "Ltac given := idtac.\n"
    "\n";

static const char proof[] =
    "\n"
    "(* A cut that is 2^64 times the cdf, which no interval shows. *)\n"
    "Ltac exactly :=\n"
    "  match goal with |- IZR ?c <= ?x < _ => replace x with (IZR c); [lra|];\n"
    "    repeat match goal with |- context [exp ?e] => replace e with 0 by lra; rewrite exp_0 end;\n"
    "    field; repeat split; apply Rgt_not_eq; interval with (i_prec %d) end.\n"
    "\n"
    "Ltac cut :=\n"
    "  apply one_more; [numbers; first [split; [apply Rlt_le|]; interval with (i_prec %d)|exactly]|].\n"
    "\n"
    "Theorem table_of_the_law : 0%%Z :: map (fun k => floor (cdf k * words)) values = table.\n"
    "Proof.\n"
    "  given; unfold values, table; cbn [seq map Z.of_nat]; f_equal; repeat cut; reflexivity.\n"
    "Qed.\n";

/* The last theorem names the spec. */
static const char last[] = "\n"
                           "(* A table of the noise of a mechanism, by its name. *)\n"
                           "Definition drawn_from (spec : string) (t : list Z) : Prop :=\n"
                           "  0%%Z :: map (fun k => floor (cdf k * words)) values = t.\n"
                           "\n"
                           "Theorem certified : drawn_from \"%s\" table.\n"
                           "Proof. exact table_of_the_law. Qed.\n";

static void put_table(FILE *out, const pby_sampler *s)
{
    fprintf(out,
            "\n(* How many words of 64 binary digits there are. *)\n"
            "Definition words : R := 18446744073709551616.\n"
            "\n(* The values that a cut stands behind. *)\n"
            "Definition values : list Z := map (fun i => (Z.of_nat i + (%" PRId64 "))%%Z) (seq 0 %zu).\n"
            "\n(* Where the cells of the table begin. *)\n"
            "Definition table : list Z := [",
            s->first, s->cells - 1);
    for (size_t i = 0; i < s->cells; i++)
        fprintf(out, "%s%" PRIu64, i == 0 ? "" : i % IN_A_LINE == 0 ? ";\n  " : "; ", s->table[i]);
    fputs("]%Z.\n", out);
}

static pby_status no_theorem(pby_error *err)
{
    return pby_fail(
        err, PBY_BAD,
        "SPEC: expected geometric noise, or that of dgauss (sigma2 from 1/16 on), stlap, rr or krr, "
        "for a theorem");
}

static pby_status check(const pby_sampler *s, pby_error *err)
{
    if (s->law->class->formal == NULL)
        return no_theorem(err);
    return s->cells - 1 <= PBY_THEOREM_CUTS_MAX
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "SPEC: expected a table of at most %d cuts for a theorem, not %zu",
                          PBY_THEOREM_CUTS_MAX, s->cells - 1);
}

pby_status pby_sampler_theorem(char **text, const pby_sampler *s, const char *spec, pby_error *err)
{
    pby_printed printed;
    *text = NULL;
    const pby_status status = check(s, err);
    if (status != PBY_OK)
        return status;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    fprintf(out,
            "(* %s: the cut table that its noise is drawn from.\n"
            "   Written by probity draw --coq; coqc checks it. *)\n",
            spec);
    fputs(preamble, out);
    const bool stated = s->law->class->formal(out, s->law);
    put_table(out, s);
    fprintf(out, proof, BITS, BITS);
    fprintf(out, last, spec);
    return pby_printed_end(text, &printed, stated ? PBY_OK : no_theorem(err), err);
}
