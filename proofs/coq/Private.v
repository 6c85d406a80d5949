(* SPDX-License-Identifier: MIT *)
(* Differential privacy of discrete laws, from its definition: what it says of the masses, and what keeps it. Maps of
   the answer, mechanisms that are chosen by what was seen, groups, random maps of the input, alignments. *)

Require Import Reals List Lra Lia.
From Probity Require Import Alignment Law.
Import ListNotations.
Open Scope R_scope.

(* ---- privacy ---- *)

(* Of two laws, in this order. *)
Definition private {A : Type} (epsilon delta : R) (P Q : law A) : Prop :=
  forall E, Pr P E <= exp epsilon * Pr Q E + delta.

(* Of a mechanism, which has a law for every input: neighbours in both orders. *)
Definition differentially_private {X A : Type} (near : X -> X -> Prop) (epsilon delta : R) (M : X -> law A) : Prop :=
  forall x y, near x y -> private epsilon delta (M x) (M y) /\ private epsilon delta (M y) (M x).

(* The part of P that exp epsilon times Q does not pay for. Its sum is the hockey-stick divergence. *)
Definition unpaid {A : Type} (epsilon : R) (P Q : law A) (a : A) : R :=
  Rmax 0 (mass P a - exp epsilon * mass Q a).

Lemma unpaid_nonneg {A : Type} epsilon (P Q : law A) a : 0 <= unpaid epsilon P Q a.
Proof. apply Rmax_l. Qed.

(* All events at once: privacy is a bound on one sum. *)
Theorem private_unpaid {A : Type} epsilon delta (P Q : law A) :
  private epsilon delta P Q <-> at_most (unpaid epsilon P Q) any delta.
Proof.
  split; intros H.
  - intros l [D _].
    destruct (parted (unpaid epsilon P Q) (fun a => 0 < mass P a - exp epsilon * mass Q a) l D)
      as [u [v [U [_ [HU [HV ->]]]]]].
    assert (V : sum (unpaid epsilon P Q) v = 0).
    { clear - HV; assert (Z : forall a, In a v -> unpaid epsilon P Q a = 0)
        by (intros a H; apply HV in H; unfold unpaid; apply Rmax_left; lra).
      clear HV; induction v as [|a v IH]; cbn [sum]; [reflexivity|].
      rewrite Z, IH by (try left; auto; intros; apply Z; right; auto); lra. }
    assert (S : sum (unpaid epsilon P Q) u = sum (mass P) u - exp epsilon * sum (mass Q) u).
    { assert (Z : forall a, In a u -> unpaid epsilon P Q a = mass P a - exp epsilon * mass Q a)
        by (intros a K; apply HU in K; unfold unpaid; apply Rmax_right; lra).
      clear - Z; induction u as [|a u IH]; cbn [sum]; [lra|].
      rewrite Z, IH by (try left; auto; intros; apply Z; right; auto); lra. }
    assert (B := H (fun a => In a u)); rewrite !Pr_list in B by exact U; lra.
  - intros E; apply Pr_least; intros l L.
    assert (S : sum (mass P) l <= exp epsilon * sum (mass Q) l + sum (unpaid epsilon P Q) l).
    { rewrite <- sum_scale, <- sum_plus; apply sum_le; intros a _; unfold unpaid.
      assert (X := Rmax_r 0 (mass P a - exp epsilon * mass Q a)); lra. }
    assert (B := Pr_above Q E l L); assert (W := exp_pos epsilon).
    apply Rmult_le_compat_l with (r := exp epsilon) in B; [|lra].
    assert (T : sum (unpaid epsilon P Q) l <= delta) by (apply H; split; [apply L|exact (fun _ _ => I)]); lra.
Qed.

(* Of a law with finitely many outcomes, which the list holds, the sum over the list is all: the theorems of certificates
   bound it. *)
Theorem private_finite {A : Type} epsilon delta (P Q : law A) o : NoDup o -> (forall a, ~ In a o -> mass P a = 0) ->
  private epsilon delta P Q <-> sum (unpaid epsilon P Q) o <= delta.
Proof.
  intros D Out; rewrite private_unpaid; split; [intros H; apply H; split; [exact D|exact (fun _ _ => I)]|].
  intros H l [L _]; apply Rle_trans with (2 := H).
  destruct (parted (unpaid epsilon P Q) (fun a => In a o) l L) as [u [v [U [_ [HU [HV ->]]]]]].
  assert (Z : sum (unpaid epsilon P Q) v = 0).
  { assert (O : forall a, In a v -> unpaid epsilon P Q a = 0).
    { intros a V; apply HV in V; unfold unpaid; rewrite (Out a) by apply V; apply Rmax_left.
      assert (X := exp_pos epsilon); assert (M := mass_nonneg Q a); nra. }
    clear - O; induction v as [|a v IH]; cbn [sum]; [reflexivity|].
    rewrite O, IH by (try left; auto; intros; apply O; right; auto); lra. }
  rewrite Z, Rplus_0_r; apply sum_incl; [apply unpaid_nonneg|exact U|intros a A'; apply HU, A'].
Qed.

Lemma private_weaken {A : Type} e d e' d' (P Q : law A) : e <= e' -> d <= d' -> private e d P Q -> private e' d' P Q.
Proof.
  intros HE HD H E; apply Rle_trans with (1 := H E); apply Rplus_le_compat; [|exact HD].
  apply Rmult_le_compat_r; [apply Pr_nonneg|apply exp_le, HE].
Qed.

(* The event on which P exceeds exp epsilon times Q shows most, and so decides the least delta. *)
Theorem private_best {A : Type} epsilon (P Q : law A) (F : A -> Prop) :
  (forall a, F a -> exp epsilon * mass Q a <= mass P a) -> (forall a, ~ F a -> mass P a <= exp epsilon * mass Q a) ->
  forall delta, private epsilon delta P Q <-> Pr P F - exp epsilon * Pr Q F <= delta.
Proof.
  intros More Less delta; split; [intros H; specialize (H F); lra|].
  intros H E; set (c := exp epsilon) in *; assert (C : 0 < c) by apply exp_pos.
  assert (O : Pr P (fun a => E a /\ ~ F a) <= c * Pr Q (fun a => E a /\ ~ F a))
    by (apply Pr_scale; [lra|intros a [_ N]; apply Less, N]).
  assert (L : Pr Q (fun a => F a /\ ~ E a) <= / c * Pr P (fun a => F a /\ ~ E a)).
  { apply Pr_scale; [apply Rlt_le, Rinv_0_lt_compat, C|]; intros a [K _].
    apply Rmult_le_reg_l with c; [exact C|]; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra; apply More, K. }
  apply Rmult_le_compat_l with (r := c) in L; [|lra].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in L by lra.
  assert (PE := Pr_parts P E F); assert (QE := Pr_parts Q E F).
  assert (PF := Pr_parts P F E); assert (QF := Pr_parts Q F E).
  rewrite (Pr_same P (fun a => F a /\ E a) (fun a => E a /\ F a)) in PF by tauto.
  rewrite (Pr_same Q (fun a => F a /\ E a) (fun a => E a /\ F a)) in QF by tauto.
  rewrite PE, QE; rewrite PF, QF in H; lra.
Qed.

Lemma differentially_private_weaken {X A : Type} (near : X -> X -> Prop) e d e' d' (M : X -> law A) :
  e <= e' -> d <= d' -> differentially_private near e d M -> differentially_private near e' d' M.
Proof. intros HE HD H x y N; destruct (H x y N); split; apply (private_weaken e d); assumption. Qed.

(* ---- maps of the answer ---- *)

Theorem private_map {A B : Type} (f : A -> B) epsilon delta (P Q : law A) :
  private epsilon delta P Q -> private epsilon delta (push P f) (push Q f).
Proof. intros H E; rewrite !push_Pr; apply H. Qed.

(* ---- composition ---- *)

(* A second mechanism that may depend on what the first one gave. *)
Theorem private_pair {A B : Type} e1 d1 e2 d2 (P Q : law A) (K H : A -> law B) :
  0 <= d2 -> private e1 d1 P Q -> (forall a, 0 < mass P a -> private e2 d2 (K a) (H a)) ->
  private (e1 + e2) (d1 + d2) (chain P K) (chain Q H).
Proof.
  intros D2 F G; rewrite private_unpaid in F.
  apply private_unpaid; intros l [D _].
  set (r := fun a => mass P a * d2 + unpaid e1 P Q a).
  destruct (sum_pairs (unpaid (e1 + e2) (chain P K) (chain Q H)) r l (unpaid_nonneg _ _ _)) as [m [M S]]; [|exact D|].
  - intros a v V; unfold r.
    apply Rle_trans with (sum (fun b => mass P a * unpaid e2 (K a) (H a) b + unpaid e1 P Q a * mass (K a) b) v).
    + apply sum_le; intros b _; unfold unpaid; cbn [mass chain fst snd]; rewrite exp_plus.
      assert (XP := mass_nonneg P a); assert (XQ := mass_nonneg Q a).
      assert (XK := mass_nonneg (K a) b); assert (XH := mass_nonneg (H a) b).
      assert (E1 := exp_pos e1); assert (E2 := exp_pos e2).
      set (p := mass P a) in *; set (q := exp e1 * mass Q a) in *.
      set (k := mass (K a) b) in *; set (h := exp e2 * mass (H a) b) in *.
      replace (exp e1 * exp e2 * (mass Q a * mass (H a) b)) with (q * h) by (unfold q, h; ring).
      assert (HQ : 0 <= q) by (unfold q; apply Rmult_le_pos; lra).
      assert (HH : 0 <= h) by (unfold h; apply Rmult_le_pos; lra).
      assert (U := Rmax_l 0 (k - h)); assert (U' := Rmax_r 0 (k - h)).
      assert (W := Rmax_l 0 (p - q)); assert (W' := Rmax_r 0 (p - q)).
      apply Rmax_lub; [nra|].
      destruct (Rle_dec p q) as [L|L].
      * assert (p * k - q * h <= p * (k - h)) by nra.
        assert (p * (k - h) <= p * Rmax 0 (k - h)) by (apply Rmult_le_compat_l; lra).
        assert (0 <= Rmax 0 (p - q) * k) by (apply Rmult_le_pos; lra); lra.
      * assert ((p - q) * k <= Rmax 0 (p - q) * k) by (apply Rmult_le_compat_r; lra).
        assert (q * (k - h) <= q * Rmax 0 (k - h)) by (apply Rmult_le_compat_l; lra).
        assert (q * Rmax 0 (k - h) <= p * Rmax 0 (k - h)) by (apply Rmult_le_compat_r; lra).
        replace (p * k - q * h) with ((p - q) * k + q * (k - h)) by ring; lra.
    + rewrite sum_plus, !sum_scale.
      apply Rplus_le_compat.
      * destruct (mass_nonneg P a) as [M|M]; [|rewrite <- M; lra].
        apply Rmult_le_compat_l; [lra|]; apply (proj1 (private_unpaid e2 d2 (K a) (H a)) (G a M)), V.
      * rewrite <- (Rmult_1_r (unpaid e1 P Q a)) at 2.
        apply Rmult_le_compat_l; [apply unpaid_nonneg|apply (mass_total (K a)), V].
  - apply Rle_trans with (1 := S); unfold r; rewrite sum_plus.
    rewrite Rplus_comm; apply Rplus_le_compat; [apply F; split; [exact M|exact (fun _ _ => I)]|].
    replace (sum (fun a => mass P a * d2) m) with (d2 * sum (mass P) m)
      by (rewrite <- sum_scale; clear; induction m as [|a m IH]; cbn [sum]; [reflexivity|rewrite IH; ring]).
    rewrite <- (Rmult_1_r d2) at 2; apply Rmult_le_compat_l; [exact D2|].
    apply (mass_total P); split; [exact M|exact (fun _ _ => I)].
Qed.

(* A random map of the answer: a second mechanism that does not see the input.
   claims: Survey/Proposition 3.7; Thresh/Fact 2 *)
Theorem private_postprocessing {A B : Type} (K : A -> law B) epsilon delta (P Q : law A) :
  private epsilon delta P Q -> private epsilon delta (push (chain P K) snd) (push (chain Q K) snd).
Proof.
  intros H; apply private_map.
  rewrite <- (Rplus_0_r epsilon), <- (Rplus_0_r delta).
  apply private_pair; [lra|exact H|]; intros a _ E; rewrite exp_0; lra.
Qed.

(* k mechanisms, each chosen by all the answers before it; the last answer stands in front. *)
Fixpoint rounds {A : Type} (K : nat -> list A -> law A) (k : nat) : law (list A) :=
  match k with
  | O => push nothing (fun _ => [])
  | S i => push (chain (rounds K i) (K i)) (fun ha => snd ha :: fst ha)
  end.

(* The i-th mechanism is (e i, d i)-private whatever was seen. With d = 0 and equal e this is simple composition.
   claims: Survey/Theorem 3.9; Survey/Theorem 3.10; Survey/Corollary 3.11; Survey/Lemma 3.12; Survey/Theorem 3.13 *)
Theorem private_composition {A : Type} (e d : nat -> R) (K H : nat -> list A -> law A) k : (forall i, 0 <= d i) ->
  (forall i h, private (e i) (d i) (K i h) (H i h)) ->
  private (sum e (seq 0 k)) (sum d (seq 0 k)) (rounds K k) (rounds H k).
Proof.
  intros D F; induction k as [|k IH].
  - cbn [rounds seq sum]; intros E; rewrite exp_0; lra.
  - rewrite seq_S, !sum_app; cbn [rounds sum plus]; rewrite !Rplus_0_r; apply private_map, private_pair; auto.
Qed.

(* ---- groups ---- *)

(* Two steps, in this order: the second delta is paid at the first epsilon.
   claims: Survey/Section 3.4.3, triangle inequality *)
Theorem private_chain {A : Type} e1 d1 e2 d2 (P Q T : law A) :
  private e1 d1 P Q -> private e2 d2 Q T -> private (e1 + e2) (d1 + exp e1 * d2) P T.
Proof.
  intros F G E; apply Rle_trans with (1 := F E); specialize (G E); rewrite exp_plus.
  apply Rmult_le_compat_l with (r := exp e1) in G; [lra|apply Rlt_le, exp_pos].
Qed.

(* A chain of laws, each private against the next. delta = 0 is the theorem of the survey.
   claims: Survey/Theorem 3.8 *)
Theorem private_group {A : Type} epsilon delta (P : nat -> law A) k :
  (forall i, (i < k)%nat -> private epsilon delta (P i) (P (S i))) ->
  private (INR k * epsilon) (delta * sum (fun i => exp epsilon ^ i) (seq 0 k)) (P 0%nat) (P k).
Proof.
  induction k as [|k IH]; intros H.
  - intros E; cbn [INR seq sum]; rewrite Rmult_0_l, exp_0; lra.
  - rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, seq_S, sum_app; cbn [sum plus].
    replace (delta * _) with (delta * sum (fun i => exp epsilon ^ i) (seq 0 k) + exp (INR k * epsilon) * delta).
    + apply (private_chain _ _ epsilon delta _ (P k)); [apply IH; intros|]; apply H; lia.
    + replace (exp (INR k * epsilon)) with (exp epsilon ^ k); [ring|].
      clear; induction k as [|k IH]; [cbn [pow INR]; rewrite Rmult_0_l, exp_0; reflexivity|].
      rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, <- IH; cbn [pow]; ring.
Qed.

(* ---- random maps of the input ---- *)

(* C draws together what a random map makes of two neighbours, and gives neighbours alone; M is private between
   neighbours.
   claims: Flex/Theorem 2; Thresh/Corollary 2 *)
Theorem private_preprocessing {B A : Type} (near : B -> B -> Prop) (C : law (B * B)) (M : B -> law A) epsilon delta :
  0 <= delta -> (forall ab, 0 < mass C ab -> near (fst ab) (snd ab)) ->
  (forall a b, near a b -> private epsilon delta (M a) (M b)) ->
  private epsilon delta (push (chain (push C fst) M) snd) (push (chain (push C snd) M) snd).
Proof.
  intros D N H.
  assert (F : private (0 + epsilon) (0 + delta) (chain C (fun ab => M (fst ab))) (chain C (fun ab => M (snd ab)))).
  { apply private_pair; [exact D|intros E; rewrite exp_0; lra|]; intros ab P; apply H, N, P. }
  rewrite !Rplus_0_l in F; intros E; rewrite !push_Pr, !chain_push; cbn [snd].
  exact (F (fun abc => E (snd abc))).
Qed.

(* ---- pure privacy ---- *)

(* Pure privacy is a bound on the ratio of masses, outcome by outcome: the divergence of order infinity.
   claims: Survey/Theorem 8.3 *)
Theorem private_pointwise {A : Type} epsilon (P Q : law A) :
  (forall a, mass P a <= exp epsilon * mass Q a) <-> private epsilon 0 P Q.
Proof.
  split.
  - intros H E; rewrite Rplus_0_r; apply Pr_scale; [apply Rlt_le, exp_pos|auto].
  - intros H a; specialize (H (fun b => In b [a])).
    rewrite !Pr_list in H by (repeat constructor; auto); cbn [sum] in H; lra.
Qed.

(* ---- alignment ---- *)

(* The theorem of Alignment.v in these words: noise of law P makes the answer f on one input, noise of law Q makes g on
   its neighbour. *)
Theorem private_aligned {N M O : Type} (P : law N) (Q : law M) (f : N -> O) (g : M -> O)
    (phi : N -> M) (fails : N -> bool) (epsilon delta : R)
    (same : forall z, fails z = false -> g (phi z) = f z)
    (injective : forall y z, fails y = false -> fails z = false -> f y = f z -> phi y = phi z -> y = z)
    (cost : forall z, fails z = false -> mass P z <= exp epsilon * mass Q (phi z))
    (rare : Pr P (fun z => fails z = true) <= delta) :
  private epsilon delta (push P f) (push Q g).
Proof.
  intros E; rewrite !push_Pr.
  apply (alignment_private (mass P) (mass Q) f g phi fails epsilon delta) with (E := E);
    auto using mass_nonneg, Pr_chance.
  intros l L; apply Rle_trans with (2 := rare), Pr_above, L.
Qed.
