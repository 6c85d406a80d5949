(* SPDX-License-Identifier: MIT *)
(* Histograms: bars with noise of their own, noise that ends, bars that appear. The harnesses of proofs/alignment prove
   the same alignments on the C code. *)

Require Import Reals ZArith List Lra Lia Classical Bool.
From Probity Require Import Alignment Law Private Geometric.
Import ListNotations.
Open Scope R_scope.

(* ---- many bars, each with noise of its own ---- *)

Fixpoint bars {A : Type} (l : list (law A)) : law (list A) :=
  match l with
  | [] => push nothing (fun _ => [])
  | P :: m => push (chain P (fun _ => bars m)) (fun az => fst az :: snd az)
  end.

(* What the bars cost adds up; a bar that both inputs share costs nothing. *)
Theorem bars_private {I A : Type} (f g : I -> law A) (epsilon delta : I -> R) l :
  (forall i, In i l -> 0 <= delta i) -> (forall i, In i l -> private (epsilon i) (delta i) (f i) (g i)) ->
  private (sum epsilon l) (sum delta l) (bars (map f l)) (bars (map g l)).
Proof.
  intros D; induction l as [|i l IH]; intros H; cbn [sum map bars].
  - intros E; rewrite exp_0; lra.
  - apply private_map, private_pair.
    + assert (forall j, In j l -> 0 <= delta j) by (intros; apply D; right; assumption).
      clear - H0; induction l as [|j l IH]; cbn [sum]; [apply Rle_refl|].
      apply Rplus_le_le_0_compat; [apply H0; left; reflexivity|apply IH; intros; apply H0; right; assumption].
    + apply H; left; reflexivity.
    + intros a _; apply IH; [intros; apply D|intros; apply H]; right; assumption.
Qed.

(* Inputs that differ in one bar lose what that bar loses. *)
Theorem one_bar_private {K A : Type} (M : K -> law A) (N : K -> law A) epsilon delta key l : NoDup l ->
  0 <= epsilon -> 0 <= delta -> (forall k, k <> key -> M k = N k) -> private epsilon delta (M key) (N key) ->
  private epsilon delta (bars (map M l)) (bars (map N l)).
Proof.
  intros D E0 D0 Other H; induction D as [|k l NI D IH]; cbn [map bars].
  - intros E; assert (B := Pr_nonneg (push nothing (fun _ => @nil A)) E).
    assert (X := exp_ge_1 epsilon E0); nra.
  - apply private_map; destruct (classic (k = key)) as [-> |Y].
    + replace (map N l) with (map M l).
      * rewrite <- (Rplus_0_r epsilon), <- (Rplus_0_r delta); apply private_pair; [lra|exact H|].
        intros a _ E; rewrite exp_0; lra.
      * apply map_ext_in; intros k I; apply Other; intros ->; contradiction.
    + rewrite (Other k Y), <- (Rplus_0_l epsilon), <- (Rplus_0_l delta); apply private_pair; [exact D0| |].
      * intros E; rewrite exp_0; lra.
      * intros _ _; exact IH.
Qed.

(* A histogram has a count for every key; neighbours are at most d apart in all. *)
Theorem geometric_histogram_private {K : Type} rate (positive : 0 < rate) (x y : K -> Z) (keys : list K) d :
  sum (fun k => IZR (Z.abs (x k - y k))) keys <= d ->
  private (rate * d) 0 (bars (map (fun k => noisy rate positive (x k)) keys))
                       (bars (map (fun k => noisy rate positive (y k)) keys)).
Proof.
  intros H.
  apply private_weaken with (e := sum (fun k => rate * IZR (Z.abs (x k - y k))) keys) (d := sum (fun _ => 0) keys).
  - rewrite sum_scale; apply Rmult_le_compat_l; lra.
  - apply Req_le; clear; induction keys as [|k l IH]; cbn [sum]; [reflexivity|rewrite IH; lra].
  - apply (bars_private (fun k => noisy rate positive (x k)) (fun k => noisy rate positive (y k))
      (fun k => rate * IZR (Z.abs (x k - y k))) (fun _ => 0)); intros; [lra|apply noisy_private].
Qed.

(* ---- noise with an end ---- *)

(* Inside, a step changes the mass by at most the factor exp rate; a shift that leaves the inside is a failure. *)
Theorem bounded_private (P : law Z) (inside : Z -> bool) rate x y :
  (forall a b, inside b = true -> mass P a <= exp (rate * IZR (Z.abs (a - b))) * mass P b) ->
  private (rate * IZR (Z.abs (x - y))) (Pr P (fun z => inside (z + (x - y))%Z = false))
    (push P (fun z => (x + z)%Z)) (push P (fun z => (y + z)%Z)).
Proof.
  intros S.
  apply (private_aligned P P _ _ (fun z => (z + (x - y))%Z) (fun z => negb (inside (z + (x - y))%Z))).
  - intros; lia.
  - intros; lia.
  - intros z H; apply negb_false_iff in H.
    specialize (S z (z + (x - y))%Z H); replace (z - (z + (x - y)))%Z with (- (x - y))%Z in S by lia.
    rewrite Z.abs_opp in S; exact S.
  - apply Req_le, Pr_same; intros z; rewrite negb_true_iff; tauto.
Qed.

(* ---- a threshold ---- *)

(* A bar is published with its noise if that reaches tau; an empty bar never is. *)
Definition publish (x tau z : Z) : option Z := if (tau <=? x + z)%Z then Some (x + z)%Z else None.

Definition gated rate (positive : 0 < rate) (tau x : Z) : law (option Z) :=
  if (x <=? 0)%Z then push nothing (fun _ => None) else push (geometric_law rate positive) (publish x tau).

Lemma nothing_Pr {A : Type} (a : A) (E : A -> Prop) : E a -> Pr (push nothing (fun _ => a)) E = 1.
Proof.
  intros H; rewrite push_Pr; apply Rle_antisym; [apply Pr_one|].
  apply Rle_trans with (sum (mass nothing) [tt]); [cbn [sum mass nothing]; lra|].
  apply Pr_above; split; [repeat constructor; auto|intros u _; exact H].
Qed.

Lemma nothing_Pr_not {A : Type} (a : A) (E : A -> Prop) : ~ E a -> Pr (push nothing (fun _ => a)) E = 0.
Proof. intros H; rewrite push_Pr; apply Pr_none; auto. Qed.

(* One record more or fewer, at an epsilon of at most rate: two occupied bars lose what a noisy count loses, and a bar
   that appears shows with the chance of the tail. *)
Theorem gated_private rate (positive : 0 < rate) (m : nat) epsilon delta : 0 <= epsilon <= rate ->
  (1 - exp epsilon * exp (- rate)) / (1 + exp (- rate)) <= delta -> exp (- rate) ^ m / (1 + exp (- rate)) <= delta ->
  differentially_private (fun x y => (0 <= x /\ 0 <= y /\ Z.abs (x - y) <= 1)%Z)
    epsilon delta (gated rate positive (Z.of_nat m + 1)).
Proof.
  intros [E0 E1] HG HT; set (tau := (Z.of_nat m + 1)%Z); set (G := geometric_law rate positive).
  assert (T : 0 < exp (- rate)) by apply exp_pos.
  assert (D0 : 0 <= delta).
  { apply Rle_trans with (2 := HT), Rmult_le_pos; [apply pow_le; lra|apply Rlt_le, Rinv_0_lt_compat; lra]. }
  assert (X := exp_ge_1 epsilon E0).
  assert (Tail : Pr G (fun z => (tau <= 1 + z)%Z) <= delta).
  { apply Rle_trans with (2 := HT), Req_le; unfold G; rewrite <- geometric_tail with (rate_positive := positive).
    apply Pr_same; intros z; unfold tau; lia. }
  assert (Shown : forall E : option Z -> Prop, Pr (push G (publish 1 tau)) (fun o => E o /\ o <> None) <= delta).
  { intros E; rewrite push_Pr; apply Rle_trans with (2 := Tail), Pr_monotone; intros z [_ N]; unfold publish in N.
    destruct (Z.leb_spec tau (1 + z)); [assumption|destruct N; reflexivity]. }
  assert (Appears : private epsilon delta (push G (publish 1 tau)) (push nothing (fun _ => None))).
  { intros E; rewrite (Pr_parts _ E (fun o => o <> None)).
    specialize (Shown E); destruct (classic (E None)) as [H|H].
    - rewrite nothing_Pr by exact H.
      assert (B := Pr_one (push G (publish 1 tau)) (fun o => E o /\ ~ o <> None)); lra.
    - rewrite (Pr_none _ (fun o => E o /\ ~ o <> None)); [assert (B := Pr_nonneg (push nothing (fun _ => None)) E); nra|].
      intros [k|] [K N]; [apply N; discriminate|contradiction]. }
  assert (Vanishes : private epsilon delta (push nothing (fun _ => None)) (push G (publish 1 tau))).
  { intros E; assert (B := Pr_nonneg (push G (publish 1 tau)) E); destruct (classic (E None)) as [H|H].
    - rewrite nothing_Pr by exact H.
      assert (S : 1 - delta <= Pr (push G (publish 1 tau)) E); [|nra].
      rewrite push_Pr, <- (geometric_certain rate positive), (Pr_parts _ any (fun z => (tau <= 1 + z)%Z)).
      fold G; rewrite (Pr_same _ (fun z => any z /\ (tau <= 1 + z)%Z) (fun z => (tau <= 1 + z)%Z))
        by (intros z; unfold any; tauto).
      assert (M : Pr G (fun z => any z /\ ~ (tau <= 1 + z)%Z) <= Pr G (fun z => E (publish 1 tau z))); [|lra].
      apply Pr_monotone; intros z [_ N]; unfold publish; destruct (Z.leb_spec tau (1 + z)); [contradiction|exact H].
    - rewrite nothing_Pr_not by exact H; nra. }
  assert (Both : forall x y, (Z.abs (x - y) <= 1)%Z ->
    private epsilon delta (push G (publish x tau)) (push G (publish y tau))).
  { intros x y N E.
    destruct (count_private rate positive epsilon delta (conj E0 E1) HG x y N) as [B _].
    specialize (B (fun k => E (if (tau <=? k)%Z then Some k else None))).
    rewrite !noisy_Pr in B; rewrite !push_Pr; exact B. }
  assert (One : forall x y, (0 <= x /\ 0 <= y /\ Z.abs (x - y) <= 1)%Z ->
    private epsilon delta (gated rate positive tau x) (gated rate positive tau y)).
  { intros x y [HX [HY N]]; unfold gated; fold G; destruct (Z.leb_spec x 0), (Z.leb_spec y 0).
    - intros E; assert (B := Pr_nonneg (push nothing (fun _ : unit => @None Z)) E); nra.
    - replace y with 1%Z by lia; exact Vanishes.
    - replace x with 1%Z by lia; exact Appears.
    - apply Both; lia. }
  intros x y [HX [HY N]]; split; apply One; repeat split; lia.
Qed.

(* Two histograms of which one has one record more: the keys are all that may occur. *)
Definition one_record {K : Type} (x y : K -> Z) : Prop :=
  (forall k, (0 <= x k)%Z /\ (0 <= y k)%Z) /\
  exists key, (Z.abs (x key - y key) <= 1)%Z /\ forall k, k <> key -> x k = y k.

Lemma one_record_private {K A : Type} (M : Z -> law A) epsilon delta (keys : list K) : NoDup keys ->
  0 <= epsilon -> 0 <= delta ->
  differentially_private (fun x y => (0 <= x /\ 0 <= y /\ Z.abs (x - y) <= 1)%Z) epsilon delta M ->
  differentially_private one_record epsilon delta (fun x : K -> Z => bars (map (fun k => M (x k)) keys)).
Proof.
  intros N E D H x y [Pos [key [Near Other]]].
  destruct (Pos key) as [HX HY], (H (x key) (y key) (conj HX (conj HY Near))) as [F G].
  split; apply (one_bar_private _ _ epsilon delta key); auto; intros k Y; rewrite (Other k Y); reflexivity.
Qed.

Theorem geometric_private {K : Type} rate (positive : 0 < rate) epsilon delta (keys : list K) : NoDup keys ->
  0 <= epsilon <= rate -> (1 - exp epsilon * exp (- rate)) / (1 + exp (- rate)) <= delta ->
  differentially_private one_record epsilon delta (fun x => bars (map (fun k => noisy rate positive (x k)) keys)).
Proof.
  intros N E D; assert (H := count_private rate positive epsilon delta E D).
  apply (one_record_private (noisy rate positive)); [exact N|lra| |intros x y [_ [_ L]]; apply H, L].
  destruct (H 0%Z 0%Z ltac:(cbn; lia)) as [F _]; specialize (F (fun _ => False)).
  rewrite !Pr_none in F by tauto; lra.
Qed.

Theorem threshold_private {K : Type} rate (positive : 0 < rate) (T : Z) epsilon delta (keys : list K) : NoDup keys ->
  0 <= epsilon <= rate -> (1 - exp epsilon * exp (- rate)) / (1 + exp (- rate)) <= delta ->
  (1 <= T)%Z -> exp (- (rate * IZR (T - 1))) / (1 + exp (- rate)) <= delta ->
  differentially_private one_record epsilon delta
    (fun x => bars (map (fun k => gated rate positive T (x k)) keys)).
Proof.
  intros N E D T1 Tail; rewrite <- power_exp in Tail by (exact positive || lia).
  assert (H := gated_private rate positive (Z.to_nat (T - 1)) epsilon delta E D Tail).
  rewrite Z2Nat.id, Z.sub_add in H by lia.
  apply (one_record_private (gated rate positive T)); [exact N|lra| |exact H].
  destruct (H 0%Z 0%Z ltac:(cbn; lia)) as [F _]; specialize (F (fun _ => False)).
  rewrite !Pr_none in F by tauto; lra.
Qed.

(* ---- ranges ---- *)

(* The interval of L on either side of the noisy count is published if it holds the count. *)
Definition interval (L x z : Z) : option Z := if (Z.abs z <=? L)%Z then Some (x + z)%Z else None.

Definition ranged rate (positive : 0 < rate) (L x : Z) : law (option Z) :=
  push (geometric_law rate positive) (interval L x).

(* One record moves the noise out of reach at one end alone. *)
Theorem range_private rate (positive : 0 < rate) (L : Z) : (0 <= L)%Z ->
  differentially_private (fun x y => (Z.abs (x - y) <= 1)%Z) rate (mass (geometric_law rate positive) L)
    (ranged rate positive L).
Proof.
  intros HL; set (G := geometric_law rate positive).
  assert (One : forall x y, (Z.abs (x - y) <= 1)%Z -> private rate (mass G L) (ranged rate positive L x) (ranged rate positive L y)).
  { intros x y N; unfold ranged; fold G.
    set (phi := fun z => if (Z.abs z <=? L)%Z then (z + (x - y))%Z else z).
    set (fails := fun z => (Z.abs z <=? L)%Z && negb (Z.abs (z + (x - y)) <=? L)%Z).
    apply (private_aligned G G (interval L x) (interval L y) phi fails).
    - intros z F; unfold interval, phi, fails in *.
      destruct (Z.abs z <=? L)%Z eqn:H; [|rewrite H; reflexivity]; cbn [andb] in F; apply negb_false_iff in F.
      rewrite F; f_equal; lia.
    - intros y' z _ _ F E; unfold interval, phi in *.
      destruct (Z.leb_spec (Z.abs y') L), (Z.leb_spec (Z.abs z) L); try discriminate; [injection F; lia|exact E].
    - intros z F; unfold phi.
      assert (S := geometric_smooth ((1 - exp (- rate)) / (1 + exp (- rate))) rate
        (Rlt_le _ _ (norm_positive rate positive)) (Rlt_le _ _ positive) z (if (Z.abs z <=? L)%Z then (z + (x - y))%Z else z)).
      apply Rle_trans with (1 := S), Rmult_le_compat_r; [apply geometric_nonneg, positive|apply exp_le].
      assert (D : (Z.abs (z - (if (Z.abs z <=? L) then z + (x - y) else z)) <= 1)%Z)
        by (destruct (Z.abs z <=? L)%Z; lia).
      apply IZR_le in D; apply Rmult_le_compat_l with (r := rate) in D; lra.
    - assert (At : forall z, fails z = true -> z = (if (x <=? y)%Z then - L else L)%Z).
      { intros z F; unfold fails in F; apply andb_true_iff in F; destruct F as [F1 F2]; apply negb_true_iff in F2.
        apply Z.leb_le in F1; apply Z.leb_gt in F2; destruct (Z.leb_spec x y); lia. }
      apply Rle_trans with (Pr G (fun z => In z [(if (x <=? y)%Z then - L else L)%Z])).
      + apply Pr_monotone; intros z F; left; symmetry; apply At, F.
      + rewrite Pr_list by (repeat constructor; auto); cbn [sum mass G geometric_law]; rewrite Rplus_0_r.
        destruct (x <=? y)%Z; [rewrite mass_opposite|]; apply Rle_refl. }
  intros x y N; split; apply One; lia.
Qed.

(* ---- partition selection ---- *)

(* Whether a bar is shown: a coin. All that can be told are its two sides. *)
Section Coin.
  Variable p : R.
  Hypothesis p_range : 0 <= p <= 1.

  Definition side (b : bool) : R := if b then p else 1 - p.

  Lemma side_nonneg b : 0 <= side b.
  Proof. destruct b; cbn [side]; lra. Qed.

  Lemma side_total : at_most side any 1.
  Proof.
    intros l [D _]; apply Rle_trans with (sum side [true; false]); [|cbn [sum side]; lra].
    apply sum_incl; [exact side_nonneg|exact D|intros [|] _; cbn; auto].
  Qed.

  Definition coin : law bool := Law bool side side_nonneg side_total.
End Coin.

Theorem coin_private p q (P : 0 <= p <= 1) (Q : 0 <= q <= 1) epsilon delta : 0 <= epsilon -> 0 <= delta ->
  p <= exp epsilon * q + delta -> 1 - p <= exp epsilon * (1 - q) + delta ->
  private epsilon delta (coin p P) (coin q Q).
Proof.
  intros E0 D0 Shown Hidden; assert (X := exp_ge_1 epsilon E0).
  apply (private_finite epsilon delta (coin p P) (coin q Q) [true; false]).
  - repeat constructor; cbn; intuition discriminate.
  - intros [|] N; destruct N; cbn; auto.
  - cbn [sum]; unfold unpaid; cbn [mass coin side]; unfold Rmax.
    destruct (Rle_dec 0 (p - exp epsilon * q)), (Rle_dec 0 (1 - p - exp epsilon * (1 - q))); nra.
Qed.
