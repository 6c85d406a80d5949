(* SPDX-License-Identifier: MIT *)
(* A law is defined by masses that add up to at most 1; here nothing is missing. The theorems of certificates say so of their
   mechanism: a law without all its mass would be private too easily. *)

Require Import Reals ZArith List Lra Lia.
From Probity Require Import Alignment Law Private Geometric Histograms Stlap Choices.
Import ListNotations.
Open Scope R_scope.

Definition certain {A : Type} (P : law A) : Prop := Pr P any = 1.

Lemma certain_push {A B : Type} (P : law A) (f : A -> B) : certain P -> certain (push P f).
Proof. unfold certain; intros C; rewrite push_Pr; exact C. Qed.

Lemma certain_no_draw {A : Type} (a : A) : certain (push nothing (fun _ => a)).
Proof. apply nothing_Pr; exact I. Qed.

Lemma apart_distinct {A : Type} (l m : list A) :
  NoDup l -> NoDup m -> (forall a, In a l -> ~ In a m) -> NoDup (l ++ m).
Proof.
  induction 1 as [|a l N D IH]; intros M H; cbn [app]; [exact M|]; constructor.
  - intros B; apply in_app_iff in B; destruct B as [B|B]; [exact (N B)|exact (H a (or_introl eq_refl) B)].
  - apply IH; [exact M|]; intros b B; apply H; right; exact B.
Qed.

Lemma product_distinct {A B : Type} (l : list A) (m : list B) : NoDup l -> NoDup m -> NoDup (list_prod l m).
Proof.
  intros L M; induction L as [|a l N D IH]; cbn [list_prod]; [constructor|].
  apply apart_distinct; [|exact IH|].
  - apply map_distinct; [exact M|]; intros u v _ _ S; injection S; auto.
  - intros [u b] U V; apply in_map_iff in U; destruct U as [c [E _]]; injection E as <- _.
    apply in_prod_iff in V; exact (N (proj1 V)).
Qed.

(* Two laws that are drawn one beside the other. *)
Lemma certain_pair {A B : Type} (P : law A) (Q : law B) : certain P -> certain Q -> certain (chain P (fun _ => Q)).
Proof.
  unfold certain; intros C D; apply Rle_antisym; [apply Pr_one|].
  apply le_epsilon; intros e E.
  destruct (Pr_near P any (e / 2)) as [l [L SL]]; [lra|].
  destruct (Pr_near Q any (e / 2)) as [m [M SM]]; [lra|].
  assert (UL := mass_total P l L); assert (UM := mass_total Q m M).
  apply Rle_trans with (sum (mass (chain P (fun _ => Q))) (list_prod l m) + e).
  - rewrite sum_list_prod; cbn [mass chain fst snd].
    assert (S : sum (fun a => sum (fun b => mass P a * mass Q b) m) l = sum (mass Q) m * sum (mass P) l).
    { clear; induction l as [|a l IH]; cbn [sum]; [lra|]; rewrite IH, sum_scale; lra. }
    rewrite S; rewrite C in SL; rewrite D in SM; nra.
  - apply Rplus_le_compat_r, Pr_above; split; [|exact (fun _ _ => I)].
    apply product_distinct; [apply L|apply M].
Qed.

Lemma certain_bars {K A : Type} (M : K -> law A) (keys : list K) : (forall k, certain (M k)) -> certain (bars (map M keys)).
Proof.
  intros C; induction keys as [|k keys IH]; cbn [map bars]; [apply certain_no_draw|].
  apply certain_push, certain_pair; [apply C|exact IH].
Qed.

Theorem noisy_certain rate (positive : 0 < rate) x : certain (noisy rate positive x).
Proof. apply certain_push, geometric_certain. Qed.

Theorem gated_certain rate (positive : 0 < rate) T x : certain (gated rate positive T x).
Proof.
  unfold gated; destruct (x <=? 0)%Z; [apply certain_no_draw|apply certain_push, geometric_certain].
Qed.

Theorem shrunk_certain e q (positive : 0 < e) (large : 2 <= q) x : certain (shrunk e q positive large x).
Proof.
  unfold shrunk; destruct (x <=? 0)%Z; [apply certain_no_draw|apply certain_push, rounded_certain].
Qed.

Theorem exponential_certain n (score : nat -> R) rate (some : (0 < n)%nat) : certain (exponential n score rate some).
Proof.
  apply Rle_antisym; [apply Pr_one|]; rewrite <- (chosen_sum n score rate some).
  apply (Pr_above (exponential n score rate some) any (seq 0 n)); split; [apply seq_NoDup|exact (fun _ _ => I)].
Qed.
