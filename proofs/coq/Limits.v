(* SPDX-License-Identifier: MIT *)
(* What no private mechanism does. *)

Require Import Reals ZArith Lra Lia.
From Probity Require Import Law Private.
Open Scope R_scope.

Section Pure.
  (* What is published on integers, with no delta; neighbours are at most one apart. *)
  Context {O : Type}.
  Variables (M : Z -> law O) (epsilon : R).
  Hypothesis pure : forall y z, (Z.abs (y - z) <= 1)%Z -> private epsilon 0 (M y) (M z).

  Lemma step y z r : (Z.abs (y - z) <= 1)%Z -> 0 < mass (M y) r -> 0 < mass (M z) r.
  Proof.
    intros L P; assert (T := proj2 (private_pointwise epsilon (M y) (M z)) (pure y z L) r).
    destruct (mass_nonneg (M z) r) as [G|G]; [exact G|]; rewrite <- G, Rmult_0_r in T; lra.
  Qed.

  (* What can be published on one input can be published on every input.
     claims: Thresh/Fact 1 *)
  Theorem private_same_support y z r : 0 < mass (M y) r -> 0 < mass (M z) r.
  Proof.
    assert (U : forall n, 0 < mass (M y) r -> 0 < mass (M (y + Z.of_nat n)%Z) r).
    { induction n as [|n IH]; intros P; [rewrite Z.add_0_r; exact P|].
      apply (step (y + Z.of_nat n)%Z); [lia|auto]. }
    assert (V : forall n, 0 < mass (M y) r -> 0 < mass (M (y - Z.of_nat n)%Z) r).
    { induction n as [|n IH]; intros P; [rewrite Z.sub_0_r; exact P|].
      apply (step (y - Z.of_nat n)%Z); [lia|auto]. }
    intros P; destruct (Z_le_dec y z).
    - replace z with (y + Z.of_nat (Z.to_nat (z - y)))%Z by lia; auto.
    - replace z with (y - Z.of_nat (Z.to_nat (y - z)))%Z by lia; auto.
  Qed.

  (* A range that always holds the true value holds every value.
     claims: Thresh/Fact 4 *)
  Theorem private_range_is_everything (lo hi : O -> Z) :
    (forall y r, 0 < mass (M y) r -> (lo r <= y <= hi r)%Z) ->
    forall y r, 0 < mass (M y) r -> forall z, (lo r <= z <= hi r)%Z.
  Proof. intros H y r P z; apply (H z), (private_same_support y z r P). Qed.
End Pure.

(* An event that is certain on one side and impossible on the other leaves no delta below 1.
   claims: Thresh/Theorem 3 *)
Theorem private_disjoint {A : Type} epsilon delta (P Q : law A) E :
  private epsilon delta P Q -> Pr P E = 1 -> Pr Q E = 0 -> 1 <= delta.
Proof. intros H S Z; specialize (H E); rewrite S, Z in H; lra. Qed.

(* Utilities that are 0 for what is not there, and move by at most du: what is new has at most du.
   claims: Thresh/Lemma 6 *)
Theorem utility_of_new_element {D R' : Type} (u : D -> nat -> R' -> R) du (x y : D) i :
  (forall r, Rabs (u x i r - u y i r) <= du) -> (forall r, u x i r = 0) -> forall r, u y i r <= du.
Proof.
  intros H Z r; specialize (H r); rewrite Z in H.
  apply Rle_trans with (2 := H); rewrite Rabs_minus_sym, Rminus_0_r; apply Rle_abs.
Qed.
