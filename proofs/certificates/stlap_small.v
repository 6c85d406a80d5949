(* stlap:eps=1/2,q=3 at epsilon 1/2, add-remove neighbours: delta is at most 0.29038552419515114729.
   Written by probity certify --coq; coqc checks it. The theorems are about truths that
   differ by at most 1; that no neighbours do worse is proved on paper, in docs/theory. *)
Require Import Reals List ZArith Bool Lra.
From Interval Require Import Tactic.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum {A : Type} (f : A -> R) (l : list A) : R :=
  match l with [] => 0 | a :: m => f a + sum f m end.

(* The chance of an event. *)
Definition chance {A : Type} (o : list A) (p : A -> R) (E : A -> bool) : R :=
  sum (fun a => if E a then p a else 0) o.

(* (epsilon, delta)-privacy, in this order of the two laws. *)
Definition private {A : Type} (o : list A) (epsilon delta : R) (p q : A -> R) : Prop :=
  forall E, chance o p E <= exp epsilon * chance o q E + delta.

(* max(0, p - exp(epsilon) q) *)
Definition excess {A : Type} (epsilon : R) (p q : A -> R) (a : A) : R :=
  (p a - exp epsilon * q a + Rabs (p a - exp epsilon * q a)) / 2.

Lemma hockey_stick {A : Type} (o : list A) epsilon delta (p q : A -> R) :
  sum (excess epsilon p q) o <= delta -> private o epsilon delta p q.
Proof.
  intros H E; apply Rle_trans with (exp epsilon * chance o q E + sum (excess epsilon p q) o); [|lra].
  clear H; unfold chance; induction o as [|a o IH]; cbn [sum]; [lra|].
  assert (B : (if E a then p a else 0)
              <= exp epsilon * (if E a then q a else 0) + excess epsilon p q a).
  { unfold excess; destruct (E a).
    - pose proof (Rle_abs (p a - exp epsilon * q a)); lra.
    - pose proof (Rle_abs (- (p a - exp epsilon * q a))); rewrite Rabs_Ropp in *; lra. }
  rewrite Rmult_plus_distr_l; lra.
Qed.

(* Laplace noise of rate eps on [-q, 0] around -q/2, truncated, rounded to the nearest integer. *)
Definition eps : R := 1/2.
Definition q : R := 3.
Definition least : R := exp (- (eps * q / 2)).
Definition at_half (k : Z) : R := eps * (IZR (2 * k + 1) / 2 + q / 2).
Definition cdf (k : Z) : R :=
  if (k <? -3)%Z then 0
  else if (0 <=? k)%Z then 1
  else if ((2 * k + 1) * 1 + 3 <=? 0)%Z then (exp (at_half k) - least) / (2 - 2 * least)
  else (2 - least - exp (- at_half k)) / (2 - 2 * least).
Definition law (truth k : Z) : R := cdf (k - truth) - cdf (k - truth - 1).

(* What may come out at these truths. *)
Definition outcomes : list Z := map (fun i => (Z.of_nat i + (-3))%Z) (seq 0 5).

(* What is certified. *)
Definition epsilon : R := 1/2.
Definition delta : R := 29038552419515114729/100000000000000000000.

Theorem forward_1 : private outcomes epsilon delta (law 0) (law 1).
Proof.
  apply hockey_stick; cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv Rabs exp IZR Rle];
  interval with (i_prec 100).
Qed.

Theorem backward_1 : private outcomes epsilon delta (law 1) (law 0).
Proof.
  apply hockey_stick; cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv Rabs exp IZR Rle];
  interval with (i_prec 100).
Qed.
