(* SPDX-License-Identifier: MIT *)
(* The shifted truncated Laplace histogram with a public q, from its density: the noise is rounded, bars move by one, and
   what neighbours lose is (exp(eps) - 1)/(2 (exp(eps q/2) - 1)) at eps. docs/theory/stlap.md says it in words. *)

Require Import Reals ZArith List Lra Lia Bool.
From Probity Require Import Alignment Law Private Geometric Histograms.
Import ListNotations.
Open Scope R_scope.

(* ---- increments between the middles of integers ---- *)

Definition increment (V : R -> R) (k : Z) : R := V (IZR k + / 2) - V (IZR k - / 2).

Definition rising (V : R -> R) : Prop := forall u v, u <= v -> V u <= V v.

Lemma increments_from V n : forall m, sum (increment V) (upwards m n) = V (IZR m + INR n - / 2) - V (IZR m - / 2).
Proof.
  induction n as [|n IH]; intros m; [cbn [upwards sum INR]; rewrite Rplus_0_r; lra|].
  cbn [upwards sum]; rewrite IH, S_INR, plus_IZR; unfold increment.
  replace (IZR m + 1 - / 2) with (IZR m + / 2) by lra.
  replace (IZR m + 1 + INR n - / 2) with (IZR m + (INR n + 1) - / 2) by ring; lra.
Qed.

Lemma increments_at_most V a b : rising V -> (forall u, a <= V u <= b) -> at_most (increment V) any (b - a).
Proof.
  intros Rise Range l [D _]; destruct (around_covers l) as [n C].
  apply Rle_trans with (sum (increment V) (upwards (- Z.of_nat n) (S (2 * n)))).
  - apply sum_incl; [intros k; unfold increment; assert (X := Rise (IZR k - / 2) (IZR k + / 2)); lra|exact D|].
    intros k K; apply C, around_In in K; apply upwards_In; lia.
  - rewrite increments_from.
    assert (A := Range (IZR (- Z.of_nat n) + INR (S (2 * n)) - / 2)); assert (B := Range (IZR (- Z.of_nat n) - / 2)); lra.
Qed.

(* A function falls from a to c if it does from a to b and from b to c. *)
Definition falls (H : R -> R) (a b : R) : Prop := forall u v, a <= u -> u <= v -> v <= b -> H v <= H u.

Lemma falls_join H a b c : a <= b -> b <= c -> falls H a b -> falls H b c -> falls H a c.
Proof.
  intros AB BC F G u v U UV V; destruct (Rle_dec v b); [apply F; lra|].
  destruct (Rle_dec u b); [|apply G; lra].
  apply Rle_trans with (H b); [apply G; lra|apply F; lra].
Qed.

Section Stlap.
  Variables (e q : R).
  Hypothesis e_positive : 0 < e.
  Hypothesis q_large : 2 <= q.

  (* The cdf of the noise, whose density is e exp(- e |u + q/2|)/(2 (1 - exp(- e q/2))) on [-q, 0]. *)
  Let C : R := / (2 * (exp (e * q / 2) - 1)).
  Definition rise (u : R) : R := C * (exp (e * (u + q)) - 1).
  Definition rest (u : R) : R := 1 - C * (exp (- (e * u)) - 1).
  Definition cdf (u : R) : R :=
    if Rle_dec u (- q) then 0 else if Rle_dec u (- (q / 2)) then rise u else if Rle_dec u 0 then rest u else 1.

  Lemma C_positive : 0 < C.
  Proof.
    unfold C; apply Rinv_0_lt_compat; assert (1 < exp (e * q / 2)); [|lra].
    rewrite <- exp_0; apply exp_increasing; unfold Rdiv; repeat apply Rmult_lt_0_compat; lra.
  Qed.

  Lemma middle : rise (- (q / 2)) = / 2 /\ rest (- (q / 2)) = / 2.
  Proof.
    assert (X : 1 < exp (e * q / 2)).
    { rewrite <- exp_0; apply exp_increasing; unfold Rdiv; repeat apply Rmult_lt_0_compat; lra. }
    unfold rise, rest, C.
    replace (e * (- (q / 2) + q)) with (e * q / 2) by field; replace (- (e * - (q / 2))) with (e * q / 2) by field.
    split; field; lra.
  Qed.

  Lemma rise_start : rise (- q) = 0.
  Proof. unfold rise; replace (e * (- q + q)) with 0 by ring; rewrite exp_0; ring. Qed.

  Lemma rest_end : rest 0 = 1.
  Proof. unfold rest; replace (- (e * 0)) with 0 by ring; rewrite exp_0; ring. Qed.

  (* The four pieces, ends included. *)
  Lemma cdf_low u : u <= - q -> cdf u = 0.
  Proof. intros H; unfold cdf; destruct (Rle_dec u (- q)); [reflexivity|contradiction]. Qed.

  Lemma cdf_rise u : - q <= u <= - (q / 2) -> cdf u = rise u.
  Proof.
    intros H; unfold cdf; destruct (Rle_dec u (- q)).
    - replace u with (- q) by lra; rewrite rise_start; reflexivity.
    - destruct (Rle_dec u (- (q / 2))); [reflexivity|lra].
  Qed.

  Lemma cdf_rest u : - (q / 2) <= u <= 0 -> cdf u = rest u.
  Proof.
    intros H; unfold cdf; destruct (Rle_dec u (- q)); [lra|].
    destruct (Rle_dec u (- (q / 2))).
    - replace u with (- (q / 2)) by lra; destruct middle as [-> ->]; reflexivity.
    - destruct (Rle_dec u 0); [reflexivity|lra].
  Qed.

  Lemma cdf_high u : 0 <= u -> cdf u = 1.
  Proof.
    intros H; unfold cdf; destruct (Rle_dec u (- q)); [lra|]; destruct (Rle_dec u (- (q / 2))); [lra|].
    destruct (Rle_dec u 0); [|reflexivity]; replace u with 0 by lra; apply rest_end.
  Qed.

  Lemma cdf_rising : rising cdf.
  Proof.
    intros u v UV; assert (K := C_positive).
    assert (F : falls (fun w => - cdf w) u v).
    { assert (All : forall a b, a <= - q -> 0 <= b -> falls (fun w => - cdf w) a b).
      { intros a b A B; apply (falls_join _ _ (- q)); [lra|lra| |].
        - intros x y X XY Y; rewrite !cdf_low by lra; lra.
        - apply (falls_join _ _ (- (q / 2))); [lra|lra| |].
          + intros x y X XY Y; rewrite !cdf_rise by lra; unfold rise.
            assert (exp (e * (x + q)) <= exp (e * (y + q))) by (apply exp_le; nra); nra.
          + apply (falls_join _ _ 0); [lra|lra| |].
            * intros x y X XY Y; rewrite !cdf_rest by lra; unfold rest.
              assert (exp (- (e * y)) <= exp (- (e * x))) by (apply exp_le; nra); nra.
            * intros x y X XY Y; rewrite !cdf_high by lra; lra. }
      intros x y X XY Y; apply (All (Rmin x (- q)) (Rmax y 0)); try (apply Rmin_r || apply Rmax_r); try exact XY;
        [apply Rmin_l|apply Rmax_l]. }
    assert (X := F u v (Rle_refl u) UV (Rle_refl v)); lra.
  Qed.

  Lemma cdf_range u : 0 <= cdf u <= 1.
  Proof.
    split.
    - rewrite <- (cdf_low (Rmin u (- q)) (Rmin_r _ _)); apply cdf_rising, Rmin_l.
    - rewrite <- (cdf_high (Rmax u 0) (Rmax_r _ _)); apply cdf_rising, Rmax_l.
  Qed.

  (* The rounded noise. *)
  Lemma rounded_nonneg k : 0 <= increment cdf k.
  Proof. unfold increment; assert (X := cdf_rising (IZR k - / 2) (IZR k + / 2)); lra. Qed.

  Lemma rounded_total : at_most (increment cdf) any 1.
  Proof. replace 1 with (1 - 0) by lra; apply increments_at_most; [exact cdf_rising|exact cdf_range]. Qed.

  Definition rounded : law Z := Law Z (increment cdf) rounded_nonneg rounded_total.

  Definition least : R := C * (exp e - 1).

  (* What P = R exceeds Q = R + 1 by, and the other way round: the increments of these. *)
  Let up (u : R) : R := cdf u - exp e * cdf (u - 1).
  Let down (u : R) : R := cdf (u - 1) - exp e * cdf u.

  Lemma two_ends x y : 1 <= x -> x <= y -> x + / x <= y + / y.
  Proof.
    intros X XY; assert (0 < x * y) by nra.
    apply Rmult_le_reg_r with (x * y); [assumption|].
    replace ((x + / x) * (x * y)) with (x * x * y + y) by (field; lra).
    replace ((y + / y) * (x * y)) with (x * y * y + x) by (field; lra).
    assert (0 <= (y - x) * (x * y - 1)) by (apply Rmult_le_pos; nra); lra.
  Qed.

  (* exp(r) + exp(-r) rises from r = 0 on. *)
  Lemma cosh_rises r s : 0 <= r -> r <= s -> exp r + exp (- r) <= exp s + exp (- s).
  Proof. intros R0 RS; rewrite !exp_Ropp; apply two_ends; [apply exp_ge_1, R0|apply exp_le, RS]. Qed.

  Lemma up_falls b : 1 <= b -> falls up (1 - q) b.
  Proof.
    intros B; assert (K := C_positive); assert (E := exp_ge_1 e (Rlt_le _ _ e_positive)); unfold up.
    apply (falls_join _ _ (- (q / 2))); [lra|lra| |].
    { intros x y X XY Y; rewrite !cdf_rise by lra; unfold rise.
      assert (S : forall w, exp e * exp (e * (w - 1 + q)) = exp (e * (w + q)))
        by (intros w; rewrite <- exp_plus; f_equal; ring).
      assert (SX := S x); assert (SY := S y); nra. }
    apply (falls_join _ _ (1 - q / 2)); [lra|lra| |].
    { intros x y X XY Y; rewrite (cdf_rest x), (cdf_rest y), (cdf_rise (x - 1)), (cdf_rise (y - 1)) by lra; unfold rest, rise.
      assert (S : forall w, exp e * exp (e * (w - 1 + q)) = exp (e * (w + q)))
        by (intros w; rewrite <- exp_plus; f_equal; ring).
      assert (SX := S x); assert (SY := S y).
      (* Around the middle: exp(e (w + q)) and exp(- e w) are exp(e q/2) times two ends. *)
      assert (T : forall w, exp (e * (w + q)) + exp (- (e * w)) =
        exp (e * q / 2) * (exp (e * (w + q / 2)) + exp (- (e * (w + q / 2)))))
        by (intros w; rewrite (Rmult_plus_distr_l (exp (e * q / 2))), <- !exp_plus; f_equal; f_equal; field).
      assert (TX := T x); assert (TY := T y).
      assert (G := cosh_rises (e * (x + q / 2)) (e * (y + q / 2)) ltac:(nra) ltac:(nra)).
      apply Rmult_le_compat_l with (r := exp (e * q / 2)) in G; [|apply Rlt_le, exp_pos].
      rewrite <- TX, <- TY, <- SX, <- SY in G; apply Rmult_le_compat_l with (r := C) in G; lra. }
    apply (falls_join _ _ 0); [lra|lra| |].
    { intros x y X XY Y; rewrite !cdf_rest by lra; unfold rest.
      assert (S : forall w, exp (- (e * (w - 1))) = exp e * exp (- (e * w)))
        by (intros w; rewrite <- exp_plus; f_equal; ring).
      rewrite !S; assert (M : exp (- (e * y)) <= exp (- (e * x))) by (apply exp_le; nra).
      assert (D : 0 <= C * (exp e * exp e - 1)) by (apply Rmult_le_pos; nra).
      apply Rmult_le_compat_l with (r := C * (exp e * exp e - 1)) in M; lra. }
    apply (falls_join _ _ 1); [lra|lra| |].
    { intros x y X XY Y; rewrite !(cdf_high _ X), !(cdf_high y) by lra.
      assert (M := cdf_rising (x - 1) (y - 1) ltac:(lra)).
      apply Rmult_le_compat_l with (r := exp e) in M; lra. }
    intros x y X XY Y; rewrite !cdf_high by lra; lra.
  Qed.

  Lemma up_rises u v : u <= v -> v <= 1 - q -> up u <= up v.
  Proof. intros UV V; unfold up; rewrite !(cdf_low (_ - 1)) by lra; assert (M := cdf_rising u v UV); lra. Qed.

  Lemma up_top : up (1 - q) = least.
  Proof.
    unfold up, least; rewrite (cdf_low (1 - q - 1)), cdf_rise by lra; unfold rise.
    replace (e * (1 - q + q)) with e by ring; ring.
  Qed.

  Lemma down_falls a : a <= - q -> falls down a 0.
  Proof.
    intros A; assert (K := C_positive); assert (E := exp_ge_1 e (Rlt_le _ _ e_positive)); unfold down.
    apply (falls_join _ _ (- q)); [lra|lra| |].
    { intros x y X XY Y; rewrite !cdf_low by lra; lra. }
    apply (falls_join _ _ (1 - q)); [lra|lra| |].
    { intros x y X XY Y; rewrite !(cdf_low (_ - 1)) by lra; assert (M := cdf_rising x y XY).
      apply Rmult_le_compat_l with (r := exp e) in M; lra. }
    apply (falls_join _ _ (- (q / 2))); [lra|lra| |].
    { intros x y X XY Y; rewrite !cdf_rise by lra; unfold rise.
      assert (S : forall w, exp (e * (w + q)) = exp e * exp (e * (w - 1 + q)))
        by (intros w; rewrite <- exp_plus; f_equal; ring).
      rewrite (S x), (S y); assert (M : exp (e * (x - 1 + q)) <= exp (e * (y - 1 + q))) by (apply exp_le; nra).
      assert (D : 0 <= C * (exp e * exp e - 1)) by (apply Rmult_le_pos; nra).
      apply Rmult_le_compat_l with (r := C * (exp e * exp e - 1)) in M; lra. }
    apply (falls_join _ _ (1 - q / 2)); [lra|lra| |].
    { intros x y X XY Y; rewrite (cdf_rest x), (cdf_rest y), (cdf_rise (x - 1)), (cdf_rise (y - 1)) by lra; unfold rest, rise.
      assert (T : forall w, exp (e * (w - 1 + q)) + exp e * exp (- (e * w)) =
        exp (e * q / 2) * (exp (e * (1 - q / 2 - w)) + exp (- (e * (1 - q / 2 - w))))).
      { intros w; rewrite (Rmult_plus_distr_l (exp (e * q / 2))), <- !exp_plus, Rplus_comm; f_equal; f_equal; field. }
      assert (TX := T x); assert (TY := T y).
      assert (G := cosh_rises (e * (1 - q / 2 - y)) (e * (1 - q / 2 - x)) ltac:(nra) ltac:(nra)).
      apply Rmult_le_compat_l with (r := exp (e * q / 2)) in G; [|apply Rlt_le, exp_pos].
      rewrite <- TX, <- TY in G; apply Rmult_le_compat_l with (r := C) in G; lra. }
    intros x y X XY Y; rewrite !cdf_rest by lra; unfold rest.
    assert (S : forall w, exp (- (e * (w - 1))) = exp e * exp (- (e * w)))
      by (intros w; rewrite <- exp_plus; f_equal; ring).
    rewrite !S; lra.
  Qed.

  Lemma down_rises u v : 0 <= u -> u <= v -> down u <= down v.
  Proof. intros U UV; unfold down; rewrite !(cdf_high u), !(cdf_high v) by lra; assert (M := cdf_rising (u - 1) (v - 1) ltac:(lra)); lra. Qed.

  Lemma down_top : down 0 = 1 - exp e - least.
  Proof.
    unfold down, least; rewrite (cdf_high 0), cdf_rest by lra; unfold rest.
    replace (- (e * (0 - 1))) with e by ring; ring.
  Qed.

  Lemma shifted_mass x k : mass (push rounded (fun z => (x + z)%Z)) k = increment cdf (k - x).
  Proof.
    cbn [mass push]; rewrite (Pr_same _ _ (fun z => In z [(k - x)%Z])) by (intros z; cbn [In]; lia).
    rewrite Pr_list by (repeat constructor; auto); cbn [sum mass rounded]; lra.
  Qed.

  (* A bar with its noise, against a bar with one record more, in both orders. *)
  Theorem stlap_bar_private (x : Z) :
    private e least (push rounded (fun z => (x + z)%Z)) (push rounded (fun z => (x + 1 + z)%Z)) /\
    private e least (push rounded (fun z => (x + 1 + z)%Z)) (push rounded (fun z => (x + z)%Z)).
  Proof.
    assert (E := exp_ge_1 e (Rlt_le _ _ e_positive)).
    assert (Shift : forall (f : R -> R) k, (f (IZR (k - (x + 1)) + / 2) = f (IZR (k - x) + / 2 - 1)) /\
      (f (IZR (k - (x + 1)) - / 2) = f (IZR (k - x) - / 2 - 1))).
    { intros f k; rewrite !minus_IZR, plus_IZR; split; f_equal; ring. }
    assert (Moved : forall (g : Z -> R) r, at_most g any r -> at_most (fun k => g (k - x)%Z) any r).
    { intros g r G l [D _]; rewrite <- (sum_map (fun k => (k - x)%Z) g); apply G; split; [|exact (fun _ _ => I)].
      apply map_distinct; [exact D|intros; lia]. }
    split; apply private_unpaid.
    - (* up, which rises to 1 - q and falls behind *)
      set (V := fun u => up (Rmin u (1 - q))).
      assert (Rise : rising V).
      { intros u v UV; apply up_rises; [apply Rle_min_compat_r, UV|apply Rmin_r]. }
      assert (Range : forall u, 0 <= V u <= least).
      { intros u; rewrite <- up_top; split; [|apply up_rises; [apply Rmin_r|lra]].
        apply Rle_trans with (up (Rmin (Rmin u (1 - q)) (- q))).
        - unfold up; rewrite !cdf_low; [lra|assert (X := Rmin_r (Rmin u (1 - q)) (- q)); lra|apply Rmin_r].
        - apply up_rises; [apply Rmin_l|apply Rmin_r]. }
      assert (B := Moved _ _ (increments_at_most V 0 least Rise Range)); rewrite Rminus_0_r in B.
      intros l L; apply Rle_trans with (2 := B l L), sum_le; intros k _.
      unfold unpaid; rewrite !shifted_mass; destruct (Shift cdf k) as [S1 S2]; unfold increment.
      rewrite S1, S2; set (a := IZR (k - x) - / 2) in *; set (b := IZR (k - x) + / 2) in *.
      assert (AB : a <= b) by (unfold a, b; lra).
      replace (cdf b - cdf a - exp e * (cdf (b - 1) - cdf (a - 1))) with (up b - up a) by (unfold up; ring).
      assert (VV := Rise a b AB); apply Rmax_lub; [lra|]; unfold V.
      destruct (Rle_dec b (1 - q)) as [H|H].
      + rewrite !Rmin_left by lra; lra.
      + rewrite (Rmin_right b) by lra.
        assert (F := up_falls (Rmax b 1) (Rmax_r _ _)).
        destruct (Rle_dec a (1 - q)) as [J|J].
        * rewrite Rmin_left by lra; assert (X := F (1 - q) b (Rle_refl _) ltac:(lra) (Rmax_l _ _)); lra.
        * rewrite Rmin_right by lra; assert (X := F a b ltac:(lra) AB (Rmax_l _ _)); lra.
    - (* down, which falls to 0 and rises behind *)
      set (V := fun u => down (Rmax u 0)).
      assert (Rise : rising V).
      { intros u v UV; apply down_rises; [apply Rmax_r|apply Rle_max_compat_r, UV]. }
      assert (Range : forall u, 1 - exp e - least <= V u <= 1 - exp e).
      { intros u; rewrite <- down_top; split; [apply down_rises; [lra|apply Rmax_r]|].
        unfold V, down; rewrite (cdf_high (Rmax u 0)) by apply Rmax_r.
        assert (X := cdf_range (Rmax u 0 - 1)); lra. }
      assert (B := Moved _ _ (increments_at_most V _ _ Rise Range)).
      replace (1 - exp e - (1 - exp e - least)) with least in B by ring.
      intros l L; apply Rle_trans with (2 := B l L), sum_le; intros k _.
      unfold unpaid; rewrite !shifted_mass; destruct (Shift cdf k) as [S1 S2]; unfold increment.
      rewrite S1, S2; set (a := IZR (k - x) - / 2) in *; set (b := IZR (k - x) + / 2) in *.
      assert (AB : a <= b) by (unfold a, b; lra).
      replace (cdf (b - 1) - cdf (a - 1) - exp e * (cdf b - cdf a)) with (down b - down a) by (unfold down; ring).
      assert (VV := Rise a b AB); apply Rmax_lub; [lra|]; unfold V.
      assert (F := down_falls (Rmin a (- q)) (Rmin_r _ _)).
      destruct (Rle_dec 0 a) as [H|H].
      + rewrite !Rmax_left by lra; lra.
      + rewrite (Rmax_right a) by lra; destruct (Rle_dec 0 b) as [J|J].
        * rewrite Rmax_left by lra; assert (X := F a 0 (Rmin_l _ _) ltac:(lra) (Rle_refl _)); lra.
        * rewrite Rmax_right by lra; assert (X := F a b (Rmin_l _ _) AB ltac:(lra)); lra.
  Qed.

  (* The release: an occupied bar is published with its noise, from 0 on; an empty bar stays empty and draws nothing. *)
  Definition shrunk (x : Z) : law Z :=
    if (x <=? 0)%Z then push nothing (fun _ => 0%Z) else push rounded (fun z => Z.max 0 (x + z)).

  Lemma rounded_negative k : (0 < k)%Z -> mass rounded k = 0.
  Proof.
    intros K; cbn [mass rounded]; unfold increment; apply (Z.lt_le_pred 0) in K.
    assert (1 <= IZR k) by (apply IZR_le; lia); rewrite !cdf_high by lra; lra.
  Qed.

  Lemma rounded_certain : Pr rounded any = 1.
  Proof.
    apply Rle_antisym; [apply Pr_one|].
    destruct (archimed (q + 1)) as [N _]; assert (N0 : (0 < Rdefinitions.up (q + 1))%Z) by (apply lt_IZR; lra).
    set (m := Rdefinitions.up (q + 1)) in *; set (l := upwards (- m) (Z.to_nat (m + 1))).
    apply Rle_trans with (sum (increment cdf) l).
    - unfold l; rewrite increments_from, opp_IZR, INR_IZR_INZ, Z2Nat.id, plus_IZR by lia.
      rewrite cdf_high, cdf_low by lra; lra.
    - apply (Pr_above rounded any l); split; [apply upwards_distinct|exact (fun _ _ => I)].
  Qed.

  Lemma empty_bar E : Pr (push nothing (fun _ => 0%Z)) E = Pr (push rounded (fun z => Z.max 0 (0 + z))) E.
  Proof.
    assert (Out : Pr rounded (fun z => (0 < z)%Z) = 0).
    { apply Rle_antisym; [|apply Pr_nonneg]; apply Pr_least; intros l [_ I]; apply Req_le.
      induction l as [|k l IH]; cbn [sum]; [reflexivity|].
      rewrite IH, rounded_negative by (try (apply I; left; reflexivity); intros; apply I; right; assumption); lra. }
    assert (In0 : Pr rounded (fun z => (z <= 0)%Z) = 1).
    { rewrite <- rounded_certain, (Pr_parts rounded any (fun z => (0 < z)%Z)).
      assert (Z1 : Pr rounded (fun z => any z /\ (0 < z)%Z) <= 0)
        by (rewrite <- Out; apply Pr_monotone; intros z [_ H]; exact H).
      assert (Z2 := Pr_nonneg rounded (fun z => any z /\ (0 < z)%Z)).
      rewrite (Pr_same rounded (fun z => (z <= 0)%Z) (fun z => any z /\ ~ (0 < z)%Z)) by (intros z; unfold any; lia); lra. }
    rewrite (push_Pr rounded); destruct (Classical_Prop.classic (E 0%Z)) as [H|H].
    - rewrite nothing_Pr by exact H; apply Rle_antisym; [|apply Pr_one].
      rewrite <- In0; apply Pr_monotone; intros z L; rewrite Z.max_l by lia; exact H.
    - rewrite nothing_Pr_not by exact H; apply Rle_antisym; [apply Pr_nonneg|].
      rewrite <- Out; apply Pr_monotone; intros z L; destruct (Z_le_dec z 0) as [D|D]; [|lia].
      rewrite Z.max_l in L by lia; contradiction.
  Qed.

  Lemma shrunk_Pr x E : (0 <= x)%Z -> Pr (shrunk x) E = Pr (push rounded (fun z => Z.max 0 (x + z))) E.
  Proof.
    intros X; unfold shrunk; destruct (Z.leb_spec x 0); [|reflexivity].
    replace x with 0%Z by lia; apply empty_bar.
  Qed.

  (* A histogram whose bars are released so, where one record moves one bar by one. *)
  Theorem stlap_private {K : Type} (keys : list K) delta : NoDup keys -> least <= delta ->
    differentially_private one_record e delta (fun x => bars (map (fun k => shrunk (x k)) keys)).
  Proof.
    intros N D; assert (L0 : 0 <= least).
    { unfold least; apply Rmult_le_pos; [apply Rlt_le, C_positive|assert (E := exp_ge_1 e (Rlt_le _ _ e_positive)); lra]. }
    assert (Same : forall x, private e delta (shrunk x) (shrunk x)).
    { intros x E; assert (X := exp_ge_1 e (Rlt_le _ _ e_positive)); assert (B := Pr_nonneg (shrunk x) E).
      assert (Pr (shrunk x) E * 1 <= Pr (shrunk x) E * exp e) by (apply Rmult_le_compat_l; assumption); lra. }
    assert (Step : forall x, (0 <= x)%Z ->
      private e delta (shrunk x) (shrunk (x + 1)) /\ private e delta (shrunk (x + 1)) (shrunk x)).
    { intros x X; destruct (stlap_bar_private x) as [F G].
      split; intros E; rewrite !shrunk_Pr by lia; rewrite !push_Pr;
        [specialize (F (fun y => E (Z.max 0 y)))|specialize (G (fun y => E (Z.max 0 y)))];
        rewrite !push_Pr in *; lra. }
    apply (one_record_private shrunk); [exact N|lra|lra|].
    intros x y [X [Y XY]]; assert (Cases : (y = x \/ y = x + 1 \/ x = y + 1)%Z) by lia.
    destruct Cases as [-> |[-> | ->]]; [split; apply Same|apply Step, X|].
    destruct (Step y Y); split; assumption.
  Qed.
End Stlap.
