/* SPDX-License-Identifier: MIT */
/* A certificate as a theorem of Coq.
 *
 * For a finite law the file needs nothing but Coq and its library Interval. It defines (epsilon,
 * delta)-privacy of two laws over a list of outcomes, proves that the sum of max(0, p - exp(epsilon) q)
 * bounds delta, defines the law of the mechanism, and states the certified number for the law at truth 0 and
 * at each truth that a neighbour may have, in both orders. max(0, y) is written (y + |y|)/2, so that outcomes
 * of ratio exactly exp(epsilon) need no decision. It shows that the listed outcomes have all mass of each
 * law: what is missing could not be told apart.
 *
 * For an infinite law, or a supremum over inputs, the file builds on the theory of proofs/coq, which defines
 * the mechanism and proves its closed form for every two neighbours; what is left to it is a comparison of
 * numbers.
 *
 * Each file ends with the theorem `certified`, about the spec, the neighbours, epsilon and delta.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/printed.h"
#include "certificate/certificate.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/experimental/certified.h"
#include "probity/rational.h"

/* The most outcomes, of all theorems together: a minute of Coq. */
enum { OUTCOMES_MAX = 400, BITS = 100 };

static const char preamble[] =
    "Require Import String Reals List ZArith Bool Lra.\n"
    "From Interval Require Import Tactic.\n"
    "Import ListNotations.\n"
    "Open Scope R_scope.\n"
    "\n"
    "Fixpoint sum {A : Type} (f : A -> R) (l : list A) : R :=\n"
    "  match l with [] => 0 | a :: m => f a + sum f m end.\n"
    "\n"
    "(* The chance of an event. *)\n"
    "Definition chance {A : Type} (o : list A) (p : A -> R) (E : A -> bool) : R :=\n"
    "  sum (fun a => if E a then p a else 0) o.\n"
    "\n"
    "(* (epsilon, delta)-privacy, in this order of the two laws. *)\n"
    "Definition private {A : Type} (o : list A) (epsilon delta : R) (p q : A -> R) : Prop :=\n"
    "  forall E, chance o p E <= exp epsilon * chance o q E + delta.\n"
    "\n"
    "(* max(0, p - exp(epsilon) q) *)\n"
    "Definition excess {A : Type} (epsilon : R) (p q : A -> R) (a : A) : R :=\n"
    "  (p a - exp epsilon * q a + Rabs (p a - exp epsilon * q a)) / 2.\n"
    "\n"
    "Lemma hockey_stick {A : Type} (o : list A) epsilon delta (p q : A -> R) :\n"
    "  sum (excess epsilon p q) o <= delta -> private o epsilon delta p q.\n"
    "Proof.\n"
    "  intros H E; apply Rle_trans with (exp epsilon * chance o q E + sum (excess epsilon p q) o); [|lra].\n"
    "  clear H; unfold chance; induction o as [|a o IH]; cbn [sum]; [lra|].\n"
    "  assert (B : (if E a then p a else 0)\n"
    "              <= exp epsilon * (if E a then q a else 0) + excess epsilon p q a).\n"
    "  { unfold excess; destruct (E a).\n"
    "    - pose proof (Rle_abs (p a - exp epsilon * q a)); lra.\n"
    "    - pose proof (Rle_abs (- (p a - exp epsilon * q a))); rewrite Rabs_Ropp in *; lra. }\n"
    "  rewrite Rmult_plus_distr_l; lra.\n"
    "Qed.\n"
    "\n";

static const char theory[] =
    "Require Import String Reals List ZArith Lra Lia.\n"
    "From Interval Require Import Tactic.\n"
    "From Probity Require Import Law Private Geometric Histograms Stlap Choices Whole.\n"
    "Open Scope R_scope.\n"
    "\n"
    "(* What is certified. *)\n";

static void put_theorem(FILE *out, const char *name, int64_t truth, const char *first, const char *second)
{
    fprintf(out,
            "\nTheorem %s_%lld : private outcomes epsilon delta (law %s) (law %s).\n"
            "Proof.\n"
            "  apply hockey_stick; cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv Rabs exp IZR Rle];\n"
            "  interval with (i_prec %d).\n"
            "Qed.\n",
            name, (long long)truth, first, second, BITS);
}

/* No negative mass, and all of it in the outcomes. */
static const char masses[] =
    "\n(* No mass is negative, and the outcomes have all of it. *)\n"
    "Definition whole (p : Z -> R) : Prop := Forall (fun k => 0 <= p k) outcomes /\\ sum p outcomes = 1.\n"
    "\n"
    "Ltac masses :=\n"
    "  split;\n"
    "  [ let o := eval vm_compute in outcomes in change outcomes with o;\n"
    "    repeat (apply Forall_cons;\n"
    "            [cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv exp IZR Rle];\n"
    "             first [interval with (i_prec 100)|interval with (i_prec 1000)]|]); apply Forall_nil\n"
    "  | cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv exp IZR];\n"
    "    first [ring|field; apply Rgt_not_eq; interval with (i_prec 100)] ].\n"
    "\n";

/* The statement of all theorems together, and their proofs. */
static void put_certificate(FILE *out, int64_t distance)
{
    for (int64_t truth = 0; truth <= distance; truth++)
        fprintf(out, "Lemma whole_%lld : whole (law %lld). Proof. masses. Qed.\n", (long long)truth,
                (long long)truth);
    fputs(PBY_CERTIFICATE_DEFINITION, out);
    for (int64_t truth = 0; truth <= distance; truth++)
        fprintf(out, "  whole (law %lld) /\\\n", (long long)truth);
    for (int64_t truth = 1; truth <= distance; truth++)
        fprintf(out,
                "  private outcomes epsilon delta (law 0) (law %lld) /\\\n"
                "  private outcomes epsilon delta (law %lld) (law 0)%s",
                (long long)truth, (long long)truth, truth < distance ? " /\\\n" : ".\n");
    fputs("\nLemma proved : certificate \"\" \"\" epsilon delta.\nProof.\n  exact (", out);
    for (int64_t truth = 0; truth <= distance; truth++)
        fprintf(out, "conj whole_%lld (", (long long)truth);
    for (int64_t truth = 1; truth < distance; truth++)
        fprintf(out, "conj forward_%lld (conj backward_%lld (", (long long)truth, (long long)truth);
    fprintf(out, "conj forward_%lld backward_%lld", (long long)distance, (long long)distance);
    for (int64_t closed = 0; closed < 3 * distance - 1; closed++)
        fputc(')', out);
    fputs(").\nQed.\n", out);
}

/* The last theorem of every file: the numbers of the certificate stand in it themselves. */
static void put_certified(FILE *out, const pby_certificate *c, mpq_srcptr delta)
{
    char *const epsilon = mpq_get_str(NULL, 10, c->epsilon), *const bound = mpq_get_str(NULL, 10, delta);
    fprintf(out,
            "\n(* The certificate. *)\n"
            "Theorem certified : certificate \"%s\" \"%s\" (%s) (%s).\n"
            "Proof. exact proved. Qed.\n",
            pby_spec_text(c->spec), pby_neighbours_text(c->relation), epsilon, bound);
    free(bound);
    free(epsilon);
}

static void put_rational(FILE *out, const char *name, mpq_srcptr value)
{
    char *text = mpq_get_str(NULL, 10, value);
    fprintf(out, "Definition %s : R := %s.\n", name, text);
    free(text);
}

/* The number of outcomes of all truths from 0 to the distance. */
static int64_t outcomes(const pby_formal *f)
{
    return f->hi + f->distance - f->lo + 1;
}

static void put_statement(FILE *out, const pby_formal *f, const pby_certificate *c, mpq_srcptr delta)
{
    fprintf(out,
            "\n(* What may come out at these truths. *)\n"
            "Definition outcomes : list Z := map (fun i => (Z.of_nat i + (%lld))%%Z) (seq 0 %lld).\n"
            "\n(* What is certified. *)\n",
            (long long)f->lo, (long long)outcomes(f));
    put_rational(out, "epsilon", c->epsilon);
    put_rational(out, "delta", delta);
    for (int64_t truth = 1; truth <= f->distance; truth++) {
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)truth);
        put_theorem(out, "forward", truth, "0", text);
        put_theorem(out, "backward", truth, text, "0");
    }
    fputs(masses, out);
    put_certificate(out, f->distance);
}

static pby_status check(const pby_formal *f, pby_error *err)
{
    if (2 * f->distance * outcomes(f) > OUTCOMES_MAX)
        return pby_fail(err, PBY_BAD, "SPEC: expected at most %d outcomes in all theorems of it",
                        OUTCOMES_MAX);
    return PBY_OK;
}

static void put_title(FILE *out, const pby_certificate *c)
{
    fprintf(out,
            "(* %s at epsilon %s, %s neighbours: delta is at most %s.\n"
            "   Written by probity certify --coq; coqc checks it. ",
            pby_spec_text(c->spec), c->epsilon_text, pby_neighbours_text(c->relation), c->hi_text);
}

/* A theorem about all neighbours, where the lemmas know it. The numbers are compared by intervals. */
static pby_status write_closed(FILE *out, const pby_certificate *c, const pby_mechanism *m, mpq_srcptr delta,
                               pby_error *err)
{
    char *said;
    pby_printed printed;
    fmpq_t epsilon;
    FILE *theorem = pby_printed_begin(&printed);
    if (theorem == NULL)
        return pby_no_memory(err);
    fmpq_init(epsilon);
    fmpq_set_mpq(epsilon, c->epsilon);
    pby_status status = m->family->theorem(theorem, m, c->relation, epsilon, err);
    fmpq_clear(epsilon);
    status = pby_printed_end(&said, &printed, status, err);
    if (status == PBY_OK) {
        put_title(out, c);
        fputs("The mechanism and the lemmas are those of\n"
              "   Probity's theory, which is installed in share/probity/coq and compiled there. *)\n",
              out);
        fputs(theory, out);
        put_rational(out, "epsilon", c->epsilon);
        put_rational(out, "delta", delta);
        fprintf(out,
                "\n(* Sums of integers are computed, and the reals compared by intervals. *)\n"
                "Ltac numbers :=\n"
                "  repeat match goal with |- context [IZR (?j - ?k)] =>\n"
                "    let n := eval vm_compute in (j - k)%%Z in change (j - k)%%Z with n end;\n"
                "  repeat match goal with |- context [IZR (?j + ?k)] =>\n"
                "    let n := eval vm_compute in (j + k)%%Z in change (j + k)%%Z with n end;\n"
                "  unfold epsilon, delta; interval with (i_prec %d).\n\n",
                BITS);
        fputs(said, out);
    }
    free(said);
    return status;
}

/* The definition first, as its numbers are known only then; the file is put together behind it. */
static pby_status write_finite(FILE *out, const pby_certificate *c, const pby_mechanism *m, mpq_srcptr delta,
                               pby_error *err)
{
    char *law;
    pby_printed printed;
    pby_formal formal;
    FILE *definition = pby_printed_begin(&printed);
    if (definition == NULL)
        return pby_no_memory(err);
    pby_status status = m->family->formal(definition, &formal, m, c->relation, err);
    status = pby_printed_end(&law, &printed, status, err);
    if (status == PBY_OK)
        status = check(&formal, err);
    if (status == PBY_OK) {
        put_title(out, c);
        fprintf(
            out,
            "The theorems are about truths that\n"
            "   differ by at most %lld; that no neighbours do worse is proved on paper, in docs/theory. *)\n",
            (long long)formal.distance);
        fputs(preamble, out);
        fputs(law, out);
        put_statement(out, &formal, c, delta);
    }
    free(law);
    return status;
}

/* Tries the closed form first; a mechanism that the lemmas do not cover may still have a finite law. */
static pby_status write_theorem(FILE *out, const pby_certificate *c, const pby_mechanism *m, mpq_srcptr delta,
                                pby_error *err)
{
    pby_status status = PBY_BAD;
    if (m->family->theorem != NULL)
        status = write_closed(out, c, m, delta, err);
    if (status == PBY_BAD && m->family->formal != NULL)
        status = write_finite(out, c, m, delta, err);
    return status;
}

pby_status pby_certificate_theorem(char **text, const pby_certificate *c, pby_error *err)
{
    const pby_mechanism *m;
    pby_printed printed;
    *text = NULL;
    if (c->question != PBY_ASK_DELTA)
        return pby_fail(err, PBY_BAD,
                        "certificate: expected one of epsilon and delta, of version 1, for a theorem");
    pby_status status = pby_spec_single(&m, c->spec, "a theorem", err);
    if (status != PBY_OK)
        return status;
    if (m->family->formal == NULL && m->family->theorem == NULL)
        return pby_family_lacks(m, "a theorem", err);
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    PBY_MPQ(delta);
    status = pby_rational_parse(delta, "delta", c->hi_text, err);
    if (status == PBY_OK && mpq_sgn(delta) == 0)
        status =
            pby_fail(err, PBY_BAD,
                     "epsilon: expected one where delta is above 0: intervals do not prove that it is 0");
    if (status == PBY_OK)
        status = write_theorem(out, c, m, delta, err);
    if (status == PBY_OK)
        put_certified(out, c, delta);
    return pby_printed_end(text, &printed, status, err);
}
