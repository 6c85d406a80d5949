/* SPDX-License-Identifier: MIT */
/* The weights from n + 1 on are below those of a geometric law: k^2 >= n k. So their sum is between the first
 * n weights and these with the rest of that law, which is below exp(-LEVEL) for the n that is chosen. */
#include "law/gauss_formal.h"

#include <arb.h>

#include "law/gauss_sum.h"
#include "number/scoped.h"

/* The sum is known to SLACK units of 2^-PLACES. */
enum { LEVEL = 104, PLACES = 160, SLACK = 1 << 20, GUARD = 40, NARROW = 16 };

static const char weights[] =
    "(* Discrete Gaussian noise: the mass at k is in proportion to its weight. *)\n"
    "Definition sigma2 : R := %s.\n"
    "Definition weight (k : Z) : R := exp (- (IZR (k * k) / (2 * sigma2))).\n"
    "\n"
    "(* The weights of 1 to n. From `many` on they are below those of a geometric law. *)\n"
    "Fixpoint some (n : nat) : R := match n with O => 0 | S m => some m + weight (Z.of_nat n) end.\n"
    "Definition many : nat := %s.\n"
    "Definition step : R := exp (- (INR many / (2 * sigma2))).\n"
    "Definition rest (n : nat) : R := exp (- (INR many * INR n / (2 * sigma2))) / (1 - step).\n";

static const char bounds[] =
    "\n"
    "Lemma grows : Un_growing some.\n"
    "Proof.\n"
    "  intros n; change (some (S n)) with (some n + weight (Z.of_nat (S n))); unfold weight.\n"
    "  match goal with |- context [exp ?e] => assert (P := exp_pos e) end; lra.\n"
    "Qed.\n"
    "\n"
    "Lemma falls : step < 1.\n"
    "Proof. unfold step, sigma2, many; rewrite INR_IZR_INZ; simpl; interval with (i_prec 64). Qed.\n"
    "\n"
    "Lemma next (n : nat) : (many <= S n)%nat -> some (S n) + rest (S (S n)) <= some n + rest (S n).\n"
    "Proof.\n"
    "  intros L; assert (F := falls); assert (D : 0 < sigma2) by (unfold sigma2; lra).\n"
    "  set (g := exp (- (INR many * INR (S n) / (2 * sigma2)))).\n"
    "  assert (W : weight (Z.of_nat (S n)) <= g).\n"
    "  { unfold weight, g; apply Raux.exp_le, Ropp_le_contravar, Rmult_le_compat_r.\n"
    "    - apply Rlt_le, Rinv_0_lt_compat; lra.\n"
    "    - rewrite mult_IZR, <- INR_IZR_INZ; apply Rmult_le_compat_r; [apply pos_INR|apply le_INR, L]. }\n"
    "  assert (E : rest (S (S n)) = g * step / (1 - step)).\n"
    "  { unfold rest, g, step; rewrite <- exp_plus; do 2 f_equal; rewrite (S_INR (S n)); field; lra. }\n"
    "  rewrite E; unfold rest; fold g; change (some (S n)) with (some n + weight (Z.of_nat (S n))).\n"
    "  replace (g / (1 - step)) with (g + g * step / (1 - step)) by (field; lra); lra.\n"
    "Qed.\n"
    "\n"
    "Lemma bounded (n : nat) : some n <= some many + rest (S many).\n"
    "Proof.\n"
    "  assert (U : forall m, some (many + m) + rest (S (many + m)) <= some many + rest (S many)).\n"
    "  { induction m as [|m I]; [rewrite Nat.add_0_r; lra|].\n"
    "    rewrite <- plus_n_Sm; eapply Rle_trans; [apply next; lia|exact I]. }\n"
    "  assert (M : some n <= some (many + n)) by (apply (tech9 some grows); lia).\n"
    "  assert (P : 0 < rest (S (many + n))).\n"
    "  { assert (F := falls); apply Rdiv_lt_0_compat; [apply exp_pos|lra]. }\n"
    "  specialize (U n); lra.\n"
    "Qed.\n"
    "\n"
    "(* The weights of all positive numbers. *)\n"
    "Lemma converges : { all : R | Un_cv some all }.\n"
    "Proof.\n"
    "  apply growing_cv; [exact grows|].\n"
    "  exists (some many + rest (S many)); intros x [n ->]; apply bounded.\n"
    "Qed.\n"
    "\n"
    "Definition all : R := proj1_sig converges.\n"
    "Definition limit : Un_cv some all := proj2_sig converges.\n"
    "\n"
    "Lemma least (n : nat) : some n <= all.\n"
    "Proof. exact (growing_ineq some all grows limit n). Qed.\n"
    "\n"
    "Lemma most : all <= some many + rest (S many).\n"
    "Proof.\n"
    "  apply Rnot_lt_le; intros H; destruct (limit (all - (some many + rest (S many)))) as [n A]; [lra|].\n"
    "  specialize (A n (Nat.le_refl n)); assert (B := bounded n); assert (L := least n).\n"
    "  unfold R_dist in A; rewrite Rabs_left1 in A by lra; lra.\n"
    "Qed.\n"
    "\n";

static const char between[] =
    "Definition places : R := %s.\n"
    "Lemma between :\n"
    "  %s / places <= all <=\n"
    "  %s / places.\n"
    "Proof.\n"
    "  split.\n"
    "  - apply Rle_trans with (some many); [numbers; interval with (i_prec 160)|apply least].\n"
    "  - apply Rle_trans with (some many + rest (S many)); [apply most|].\n"
    "    unfold rest, step; rewrite !INR_IZR_INZ; numbers; interval with (i_prec 160).\n"
    "Qed.\n";

static const char law[] =
    "\n"
    "Definition law (k : Z) : R := weight k / (1 + 2 * all).\n"
    "Definition cdf (k : Z) : R :=\n"
    "  if (k <? 0)%Z then (all - some (Z.to_nat (- k - 1))) / (1 + 2 * all)\n"
    "  else (1 + all + some (Z.to_nat k)) / (1 + 2 * all).\n"
    "\n"
    "Lemma mass (k : Z) : cdf k - cdf (k - 1) = law k.\n"
    "Proof.\n"
    "  assert (P : 0 <= all) by exact (least 0); unfold cdf, law.\n"
    "  destruct (Z.ltb_spec k 0), (Z.ltb_spec (k - 1) 0); try lia.\n"
    "  - replace (Z.to_nat (- (k - 1) - 1)) with (S (Z.to_nat (- k - 1))) by lia.\n"
    "    change (some (S ?n)) with (some n + weight (Z.of_nat (S n))).\n"
    "    replace (weight (Z.of_nat (S (Z.to_nat (- k - 1))))) with (weight k); [field; lra|].\n"
    "    unfold weight; do 4 f_equal; nia.\n"
    "  - replace k with 0%Z by lia; simpl; unfold weight; simpl.\n"
    "    replace (- (0 / (2 * sigma2))) with 0 by (unfold sigma2; field); rewrite exp_0; field; lra.\n"
    "  - replace (Z.to_nat k) with (S (Z.to_nat (k - 1))) by lia.\n"
    "    change (some (S ?n)) with (some n + weight (Z.of_nat (S n))).\n"
    "    replace (Z.of_nat (S (Z.to_nat (k - 1)))) with k by lia; field; lra.\n"
    "Qed.\n"
    "\n"
    "Opaque all.\n"
    "Ltac given ::= assert (B := between); unfold places in B.\n";

/* Sets sum to about the sum of the weights of 1, 2, ... in units of 2^-PLACES; Coq proves the bounds that it
 * needs. */
static void about(fmpz_t sum, const fmpq_t sigma2)
{
    PBY_ARB(total);
    pby_gauss_total(total, sigma2, PLACES + GUARD);
    arb_sub_ui(total, total, 1, PLACES + GUARD);
    arb_mul_2exp_si(total, total, PLACES - 1);
    arf_get_fmpz(sum, arb_midref(total), ARF_RND_NEAR);
}

static void put_between(FILE *out, const fmpq_t sigma2)
{
    PBY_FMPZ(sum, one);
    fmpz_one_2exp(one, PLACES);
    about(sum, sigma2);
    fmpz_sub_ui(sum, sum, SLACK);
    char *places = fmpz_get_str(NULL, 10, one), *low = fmpz_get_str(NULL, 10, sum);
    fmpz_add_ui(sum, sum, 2 * SLACK);
    char *high = fmpz_get_str(NULL, 10, sum);
    fprintf(out, between, places, low, high);
    flint_free(high);
    flint_free(low);
    flint_free(places);
}

static bool is_narrow(const fmpq_t sigma2)
{
    PBY_FMPQ(least);
    fmpq_set_si(least, 1, NARROW);
    return fmpq_cmp(sigma2, least) < 0;
}

bool pby_gauss_formal(FILE *out, const fmpq_t sigma2)
{
    if (is_narrow(sigma2))
        return false;
    PBY_FMPZ(many);
    pby_gauss_reach(many, sigma2, LEVEL);
    char *s = fmpq_get_str(NULL, 10, sigma2), *n = fmpz_get_str(NULL, 10, many);
    fprintf(out, weights, s, n);
    fputs(bounds, out);
    put_between(out, sigma2);
    fputs(law, out);
    flint_free(n);
    flint_free(s);
    return true;
}
