(* SPDX-License-Identifier: MIT *)
(* Alignment gives privacy, for discrete laws: docs/theory/alignment.md says it in words.

   A law is a mass function p on any type. The chance of an event is the least upper bound of the masses of
   the finite lists, without repetition, of elements of the event: for a countable type that is the sum of the
   series, in every order, and nothing is said here about how many elements there are. *)

Require Import Reals ZArith List Lra Lia.
Import ListNotations.
Open Scope R_scope.

Section Sums.
  Context {A : Type}.

  Fixpoint sum (p : A -> R) (l : list A) : R :=
    match l with [] => 0 | a :: m => p a + sum p m end.

  Definition drawn_from (E : A -> Prop) (l : list A) : Prop :=
    NoDup l /\ forall a, In a l -> E a.

  (* The chance of E is at most r. *)
  Definition at_most (p : A -> R) (E : A -> Prop) (r : R) : Prop :=
    forall l, drawn_from E l -> sum p l <= r.

  (* The chance of E is r. *)
  Definition chance (p : A -> R) (E : A -> Prop) (r : R) : Prop :=
    is_lub (fun s => exists l, drawn_from E l /\ s = sum p l) r.

  Lemma chance_at_most p E r : chance p E r -> at_most p E r.
  Proof. intros [U _] l L; apply U; exists l; auto. Qed.

  Lemma at_most_chance p E r s : chance p E r -> at_most p E s -> r <= s.
  Proof. intros [_ L] H; apply L; intros x [l [D ->]]; auto. Qed.

  Lemma sum_le p q l : (forall a, In a l -> p a <= q a) -> sum p l <= sum q l.
  Proof.
    induction l as [|a l IH]; intros H; cbn [sum]; [lra|].
    apply Rplus_le_compat; [apply H; left; auto|apply IH; intros; apply H; right; auto].
  Qed.

  Lemma sum_nonneg p l : (forall a, 0 <= p a) -> 0 <= sum p l.
  Proof. intros P; induction l as [|a l IH]; cbn [sum]; [lra|specialize (P a); lra]. Qed.

  Lemma sum_plus p q l : sum (fun a => p a + q a) l = sum p l + sum q l.
  Proof. induction l as [|a l IH]; cbn [sum]; [lra|rewrite IH; lra]. Qed.

  Lemma sum_scale c p l : sum (fun a => c * p a) l = c * sum p l.
  Proof. induction l as [|a l IH]; cbn [sum]; [lra|rewrite IH; lra]. Qed.
End Sums.

Lemma sum_map {A B : Type} (f : A -> B) q l : sum q (map f l) = sum (fun a => q (f a)) l.
Proof. induction l as [|a l IH]; cbn [sum map]; [|rewrite IH]; reflexivity. Qed.

Lemma map_distinct {A B : Type} (f : A -> B) l :
  NoDup l -> (forall a b, In a l -> In b l -> f a = f b -> a = b) -> NoDup (map f l).
Proof.
  induction 1 as [|a l N D IH]; intros I; cbn [map]; constructor.
  - intros H; apply in_map_iff in H; destruct H as [b [E M]].
    assert (b = a) by (apply I; [right|left|]; auto); subst; auto.
  - apply IH; intros; apply I; try right; auto.
Qed.

(* Two runs: noise z of mass p z makes the answer f z on one input, noise w of mass q w makes g w on its
   neighbour. The alignment phi carries the one noise to the other, but for the noise on which it fails. *)
Section Alignment.
  Context {N M O : Type}.
  Variables (p : N -> R) (q : M -> R) (f : N -> O) (g : M -> O).
  Variables (phi : N -> M) (fails : N -> bool) (c delta : R).

  Hypothesis q_nonneg : forall w, 0 <= q w.
  Hypothesis c_nonneg : 0 <= c.
  Hypothesis same : forall z, fails z = false -> g (phi z) = f z.
  (* Injective among the noise that makes one answer: the alignment may depend on the answer. *)
  Hypothesis injective : forall y z,
    fails y = false -> fails z = false -> f y = f z -> phi y = phi z -> y = z.

  (* What of the mass of z is not paid for: all of it where the alignment fails. *)
  Definition excess (z : N) : R := if fails z then p z else Rmax 0 (p z - c * q (phi z)).

  Hypothesis excess_bound : at_most excess (fun _ => True) delta.

  Let holds (z : N) : bool := negb (fails z).

  Lemma paid l : sum p l <= c * sum q (map phi (filter holds l)) + sum excess l.
  Proof.
    induction l as [|z l IH]; cbn [sum filter map]; [lra|].
    unfold excess at 1; unfold holds at 1; destruct (fails z) eqn:F; cbn [negb map sum]; [lra|].
    assert (X := Rmax_r 0 (p z - c * q (phi z))); lra.
  Qed.

  Lemma aligned_distinct l : NoDup l -> NoDup (map phi (filter holds l)).
  Proof.
    intros D; apply map_distinct; [apply NoDup_filter, D|].
    intros y z Hy Hz E; apply filter_In in Hy, Hz; destruct Hy as [_ Hy], Hz as [_ Hz].
    apply Bool.negb_true_iff in Hy, Hz; apply injective; auto.
    rewrite <- (same y Hy), <- (same z Hz), E; reflexivity.
  Qed.

  Lemma aligned_event (E : O -> Prop) l :
    drawn_from (fun z => E (f z)) l ->
    drawn_from (fun w => E (g w)) (map phi (filter holds l)).
  Proof.
    intros [D I]; split; [apply aligned_distinct, D|].
    intros w H; apply in_map_iff in H; destruct H as [z [<- H]].
    apply filter_In in H; destruct H as [H F]; apply Bool.negb_true_iff in F.
    rewrite (same z F); auto.
  Qed.

  Theorem alignment_at_most (E : O -> Prop) r :
    at_most q (fun w => E (g w)) r -> at_most p (fun z => E (f z)) (c * r + delta).
  Proof.
    intros B l L; apply Rle_trans with (1 := paid l), Rplus_le_compat.
    - apply Rmult_le_compat_l; [exact c_nonneg|]; apply B, aligned_event, L.
    - apply excess_bound; split; [apply L|auto].
  Qed.

  Theorem alignment (E : O -> Prop) P Q :
    chance p (fun z => E (f z)) P -> chance q (fun w => E (g w)) Q -> P <= c * Q + delta.
  Proof.
    intros HP HQ; apply (at_most_chance _ _ _ _ HP), alignment_at_most, chance_at_most, HQ.
  Qed.
End Alignment.

(* The usual form: a cost of epsilon wherever the alignment holds, and failures of mass delta at most. A harness in
   proofs/alignment proves the hypotheses same, injective and cost under the same names; fails there names the set of
   which rare speaks here.
   claims: Thresh/Theorem 1 *)
Theorem alignment_private {N M O : Type} (p : N -> R) (q : M -> R) (f : N -> O) (g : M -> O)
    (phi : N -> M) (fails : N -> bool) (epsilon delta : R)
    (mass : forall w, 0 <= q w)
    (same : forall z, fails z = false -> g (phi z) = f z)
    (injective : forall y z, fails y = false -> fails z = false -> f y = f z -> phi y = phi z -> y = z)
    (cost : forall z, fails z = false -> p z <= exp epsilon * q (phi z))
    (rare : at_most p (fun z => fails z = true) delta)
    (E : O -> Prop) P Q :
  chance p (fun z => E (f z)) P -> chance q (fun w => E (g w)) Q -> P <= exp epsilon * Q + delta.
Proof.
  apply (alignment p q f g phi fails); auto.
  - apply Rlt_le, exp_pos.
  - intros l [ND _]; apply Rle_trans with (sum p (filter fails l)).
    + clear ND; induction l as [|z l IH]; cbn [sum filter]; [lra|].
      unfold excess at 1; destruct (fails z) eqn:F; cbn [sum]; [lra|].
      rewrite Rmax_left by (specialize (cost z F); lra); lra.
    + apply rare; split; [apply NoDup_filter, ND|intros a H; apply filter_In in H; tauto].
Qed.

(* ---- the cost of a shift ---- *)

(* Noise whose mass changes by a factor of at most exp rate from one integer to the next. *)
Definition smooth (rate : R) (p : Z -> R) : Prop :=
  forall a b, p a <= exp (rate * IZR (Z.abs (a - b))) * p b.

Definition geometric (norm rate : R) (k : Z) : R := norm * exp (- (rate * IZR (Z.abs k))).

(* claims: Thresh/Theorem 1 *)
Theorem geometric_smooth norm rate : 0 <= norm -> 0 <= rate -> smooth rate (geometric norm rate).
Proof.
  intros HN HR a b; unfold geometric.
  replace (exp _ * (norm * _)) with (norm * exp (rate * IZR (Z.abs (a - b)) + - (rate * IZR (Z.abs b))))
    by (rewrite exp_plus; ring).
  apply Rmult_le_compat_l; [exact HN|].
  destruct (Rle_lt_or_eq_dec (- (rate * IZR (Z.abs a)))
              (rate * IZR (Z.abs (a - b)) + - (rate * IZR (Z.abs b)))) as [L|L].
  - assert (T : IZR (Z.abs b) <= IZR (Z.abs (a - b)) + IZR (Z.abs a))
      by (rewrite <- plus_IZR; apply IZR_le; lia).
    apply Rmult_le_compat_l with (r := rate) in T; [lra|exact HR].
  - apply Rlt_le, exp_increasing, L.
  - rewrite <- L; lra.
Qed.

(* Independent noise: the mass of a list is the product of the masses. *)
Fixpoint product (p : Z -> R) (l : list Z) : R :=
  match l with [] => 1 | a :: m => p a * product p m end.

Fixpoint distance (z w : list Z) : Z :=
  match z, w with a :: y, b :: v => Z.abs (a - b) + distance y v | _, _ => 0 end.

Lemma product_nonneg p l : (forall a, 0 <= p a) -> 0 <= product p l.
Proof. intros P; induction l; cbn [product]; [lra|apply Rmult_le_pos; auto]. Qed.

Lemma product_smooth rate p : (forall a, 0 <= p a) -> smooth rate p ->
  forall z w, length z = length w ->
  product p z <= exp (rate * IZR (distance z w)) * product p w.
Proof.
  intros P S; induction z as [|a z IH]; destruct w as [|b w]; cbn [length distance product];
    intros L; try discriminate.
  - rewrite Rmult_0_r, exp_0; lra.
  - rewrite plus_IZR, Rmult_plus_distr_l, exp_plus.
    replace (_ * _ * (p b * product p w)) with
      ((exp (rate * IZR (Z.abs (a - b))) * p b) * (exp (rate * IZR (distance z w)) * product p w)) by ring.
    apply Rmult_le_compat; auto using product_nonneg.
Qed.

(* A shift by at most d in all costs at most rate d: what the harnesses' clause `cost` is for.
   claims: Thresh/Theorem 1 *)
Theorem shift_cost rate p z w d :
  (forall a, 0 <= p a) -> 0 <= rate -> smooth rate p -> length z = length w -> (distance z w <= d)%Z ->
  product p z <= exp (rate * IZR d) * product p w.
Proof.
  intros P HR S L D; apply Rle_trans with (1 := product_smooth rate p P S z w L).
  apply Rmult_le_compat_r; [apply product_nonneg, P|].
  apply IZR_le in D; apply Rmult_le_compat_l with (r := rate) in D; [|exact HR].
  destruct D as [D|D]; [apply Rlt_le, exp_increasing, D|rewrite D; lra].
Qed.

(* Noise that begins at 0 bears only to be raised: from one integer to the next its mass falls by the factor
   exp rate, and below 0 it has none. *)
Definition rises (rate : R) (p : Z -> R) : Prop :=
  forall a b, (a <= b)%Z -> p a <= exp (rate * IZR (Z.abs (a - b))) * p b.

Definition one_sided (norm rate : R) (k : Z) : R :=
  if (k <? 0)%Z then 0 else geometric norm rate k.

Theorem one_sided_rises norm rate : 0 <= norm -> 0 <= rate -> rises rate (one_sided norm rate).
Proof.
  intros HN HR a b AB; unfold one_sided.
  destruct (Z.ltb_spec a 0) as [A|A].
  - apply Rmult_le_pos; [apply Rlt_le, exp_pos|].
    destruct (b <? 0)%Z; [lra|].
    unfold geometric; apply Rmult_le_pos; [exact HN|apply Rlt_le, exp_pos].
  - destruct (Z.ltb_spec b 0) as [B|B]; [lia|].
    apply geometric_smooth; assumption.
Qed.

Fixpoint raised (z w : list Z) : Prop :=
  match z, w with a :: y, b :: v => (a <= b)%Z /\ raised y v | _, _ => True end.

Lemma product_rises rate p : (forall a, 0 <= p a) -> rises rate p ->
  forall z w, length z = length w -> raised z w ->
  product p z <= exp (rate * IZR (distance z w)) * product p w.
Proof.
  intros P S; induction z as [|a z IH]; destruct w as [|b w]; cbn [length distance product raised];
    intros L U; try discriminate.
  - rewrite Rmult_0_r, exp_0; lra.
  - destruct U as [AB U].
    rewrite plus_IZR, Rmult_plus_distr_l, exp_plus.
    replace (_ * _ * (p b * product p w)) with
      ((exp (rate * IZR (Z.abs (a - b))) * p b) * (exp (rate * IZR (distance z w)) * product p w)) by ring.
    apply Rmult_le_compat; auto using product_nonneg.
Qed.

(* A shift that only raises, by at most d in all, costs at most rate d: report noisy max with one-sided noise.
   claims: Survey/Theorem 4.7 *)
Theorem raise_cost rate p z w d :
  (forall a, 0 <= p a) -> 0 <= rate -> rises rate p -> length z = length w -> raised z w ->
  (distance z w <= d)%Z -> product p z <= exp (rate * IZR d) * product p w.
Proof.
  intros P HR S L U D; apply Rle_trans with (1 := product_rises rate p P S z w L U).
  apply Rmult_le_compat_r; [apply product_nonneg, P|].
  apply IZR_le in D; apply Rmult_le_compat_l with (r := rate) in D; [|exact HR].
  destruct D as [D|D]; [apply Rlt_le, exp_increasing, D|rewrite D; lra].
Qed.

(* Two kinds of noise with rates of their own, those of thresholds and of queries: the costs add up. *)
Theorem shift_cost_two a b p q t s z w d e :
  (forall k, 0 <= p k) -> (forall k, 0 <= q k) -> 0 <= a -> 0 <= b -> smooth a p -> smooth b q ->
  length t = length s -> length z = length w -> (distance t s <= d)%Z -> (distance z w <= e)%Z ->
  product p t * product q z <= exp (a * IZR d + b * IZR e) * (product p s * product q w).
Proof.
  intros; rewrite exp_plus.
  replace (_ * _ * (_ * _)) with
    ((exp (a * IZR d) * product p s) * (exp (b * IZR e) * product q w)) by ring.
  apply Rmult_le_compat; auto using product_nonneg; apply shift_cost; auto.
Qed.
