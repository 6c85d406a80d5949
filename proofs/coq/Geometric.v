(* SPDX-License-Identifier: MIT *)
(* The geometric law: its masses add up to 1, its tails, and the exact privacy of one count that it hides. *)

Require Import Reals ZArith List Lra Lia.
From Probity Require Import Alignment Law Private.
Import ListNotations.
Open Scope R_scope.

Section Geometric.
  Variable rate : R.
  Hypothesis rate_positive : 0 < rate.

  Let t : R := exp (- rate).
  Let norm : R := (1 - t) / (1 + t).

  Lemma t_range : 0 < t < 1.
  Proof. split; [apply exp_pos|]; unfold t; rewrite <- exp_0; apply exp_increasing; lra. Qed.

  Lemma norm_positive : 0 < norm.
  Proof. destruct t_range; unfold norm; apply Rdiv_lt_0_compat; lra. Qed.

  Lemma mass_power k : geometric norm rate (Z.of_nat k) = norm * t ^ k.
  Proof.
    unfold geometric; f_equal; rewrite Z.abs_eq by lia; rewrite <- INR_IZR_INZ; unfold t.
    induction k as [|k IH]; [cbn [INR pow]; rewrite Rmult_0_r, Ropp_0; apply exp_0|].
    cbn [pow]; rewrite <- IH, <- exp_plus, S_INR; f_equal; ring.
  Qed.

  Lemma mass_opposite k : geometric norm rate (- k) = geometric norm rate k.
  Proof. unfold geometric; rewrite Z.abs_opp; reflexivity. Qed.

  Lemma geometric_nonneg k : 0 <= geometric norm rate k.
  Proof. unfold geometric; apply Rmult_le_pos; [apply Rlt_le, norm_positive|apply Rlt_le, exp_pos]. Qed.

  (* The integers at most n from 0. *)
  Fixpoint around (n : nat) : list Z :=
    match n with O => [0%Z] | S m => Z.of_nat n :: (- Z.of_nat n)%Z :: around m end.

  Lemma around_In n k : In k (around n) <-> (Z.abs k <= Z.of_nat n)%Z.
  Proof. induction n as [|n IH]; cbn [around In]; [|rewrite IH]; lia. Qed.

  Lemma around_distinct n : NoDup (around n).
  Proof.
    induction n as [|n IH]; cbn [around]; [repeat constructor; auto|].
    constructor; [|constructor; [|exact IH]]; cbn [In]; rewrite ?around_In; lia.
  Qed.

  Lemma around_sum n : sum (geometric norm rate) (around n) = 1 - 2 * t ^ S n / (1 + t).
  Proof.
    destruct t_range; induction n as [|n IH]; cbn [around].
    - cbn [sum]; change 0%Z with (Z.of_nat 0); rewrite mass_power; unfold norm; cbn [pow]; field; lra.
    - set (k := Z.of_nat (S n)); cbn [sum]; unfold k; rewrite mass_opposite, mass_power, IH; unfold norm.
      cbn [pow]; field; lra.
  Qed.

  Lemma around_covers (l : list Z) : exists n, incl l (around n).
  Proof.
    induction l as [|a l [n H]]; [exists O; intros b []|].
    exists (Nat.max n (Z.abs_nat a)); intros b [<-|B]; apply around_In; [lia|].
    apply H, around_In in B; lia.
  Qed.

  Lemma geometric_total : at_most (geometric norm rate) any 1.
  Proof.
    intros l [D _]; destruct (around_covers l) as [n C], t_range.
    apply Rle_trans with (sum (geometric norm rate) (around n)).
    - apply sum_incl; auto using geometric_nonneg.
    - rewrite around_sum; assert (0 <= 2 * t ^ S n / (1 + t)); [|lra].
      apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; lra].
      apply Rmult_le_pos; [lra|apply pow_le; lra].
  Qed.

  Definition geometric_law : law Z := Law Z (geometric norm rate) geometric_nonneg geometric_total.

  Lemma power_small e : 0 < e -> exists n, t ^ S n < e.
  Proof.
    intros HE; destruct t_range, (pow_lt_1_zero t ltac:(rewrite Rabs_right; lra) e HE) as [n H1].
    exists n; specialize (H1 (S n) ltac:(lia)); rewrite Rabs_right in H1; auto; apply Rle_ge, pow_le; lra.
  Qed.

  (* Nothing is missing. *)
  Theorem geometric_certain : Pr geometric_law any = 1.
  Proof.
    apply Rle_antisym; [apply Pr_one|].
    apply le_epsilon; intros e HE; destruct t_range as [T T'], (power_small (e / 2) ltac:(lra)) as [n H].
    assert (B := Pr_above geometric_law any (around n) (conj (around_distinct n) (fun _ _ => I))).
    cbn [mass geometric_law] in B; rewrite around_sum in B.
    assert (2 * t ^ S n / (1 + t) <= 2 * t ^ S n); [|lra].
    assert (0 <= t ^ S n) by (apply pow_le; lra).
    apply Rmult_le_reg_r with (1 + t); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
  Qed.

  (* ---- tails ---- *)

  Fixpoint upwards (m : Z) (n : nat) : list Z :=
    match n with O => [] | S n => m :: upwards (m + 1) n end.

  Lemma upwards_In n : forall m k, In k (upwards m n) <-> (m <= k < m + Z.of_nat n)%Z.
  Proof. induction n as [|n IH]; intros m k; cbn [upwards In]; [lia|rewrite IH; lia]. Qed.

  Lemma upwards_distinct n : forall m, NoDup (upwards m n).
  Proof. induction n as [|n IH]; intros m; constructor; auto; rewrite upwards_In; lia. Qed.

  Lemma upwards_sum n : forall m, sum (geometric norm rate) (upwards (Z.of_nat m) n) = t ^ m * (1 - t ^ n) / (1 + t).
  Proof.
    destruct t_range; induction n as [|n IH]; intros m; cbn [upwards sum pow]; [field; lra|].
    replace (Z.of_nat m + 1)%Z with (Z.of_nat (S m)) by lia.
    rewrite mass_power, IH; unfold norm; cbn [pow]; field; lra.
  Qed.

  (* The chance of m and more, for m >= 0. *)
  Theorem geometric_tail m : Pr geometric_law (fun k => (Z.of_nat m <= k)%Z) = t ^ m / (1 + t).
  Proof.
    destruct t_range as [T T']; apply Rle_antisym.
    - apply Pr_least; intros l [D I]; destruct (around_covers l) as [n C].
      apply Rle_trans with (sum (geometric norm rate) (upwards (Z.of_nat m) (S n))).
      + apply sum_incl; auto using geometric_nonneg; intros k K; apply upwards_In.
        assert (A := C k K); apply around_In in A; specialize (I k K); cbn in I; lia.
      + rewrite upwards_sum; unfold Rdiv; apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
        assert (0 <= t ^ m) by (apply pow_le; lra); assert (0 <= t ^ S n) by (apply pow_le; lra); nra.
    - apply le_epsilon; intros e HE; destruct (power_small e HE) as [n H].
      assert (B := Pr_above geometric_law (fun k => (Z.of_nat m <= k)%Z) (upwards (Z.of_nat m) (S n))
        (conj (upwards_distinct _ _) (fun k K => proj1 (proj1 (upwards_In _ _ k) K)))).
      cbn [mass geometric_law] in B; rewrite upwards_sum in B.
      assert (P0 : 0 <= t ^ m <= 1).
      { split; [apply pow_le; lra|]; rewrite <- (pow1 m); apply pow_incr; lra. }
      assert (0 <= t ^ S n) by (apply pow_le; lra).
      assert (t ^ m * (1 - t ^ S n) / (1 + t) = t ^ m / (1 + t) - t ^ m * t ^ S n / (1 + t)) by (field; lra).
      assert (t ^ m * t ^ S n / (1 + t) <= t ^ S n); [|lra].
      apply Rmult_le_reg_r with (1 + t); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
  Qed.

  Lemma geometric_reflected (E : Z -> Prop) :
    Pr geometric_law (fun k => E (- k)%Z) = Pr geometric_law E.
  Proof.
    assert (H : forall F, Pr geometric_law (fun k => F (- k)%Z) <= Pr geometric_law F).
    { intros F; apply Pr_least; intros l [D I].
      apply Rle_trans with (sum (mass geometric_law) (map Z.opp l)).
      - rewrite sum_map; apply sum_le; intros k _; cbn [mass geometric_law]; rewrite mass_opposite; apply Rle_refl.
      - apply Pr_above; split; [apply map_distinct; [exact D|intros; lia]|].
        intros k K; apply in_map_iff in K; destruct K as [j [<- J]]; apply I, J. }
    apply Rle_antisym; [apply H|].
    apply Rle_trans with (2 := H (fun k => E (- k)%Z)); apply Req_le, Pr_same; intros k; rewrite Z.opp_involutive; tauto.
  Qed.

  (* ---- one count ---- *)

  Definition noisy (x : Z) : law Z := push geometric_law (fun z => (x + z)%Z).

  Lemma noisy_Pr x E : Pr (noisy x) E = Pr geometric_law (fun z => E (x + z)%Z).
  Proof. apply push_Pr. Qed.

  Lemma noisy_mass x k : mass (noisy x) k = geometric norm rate (k - x).
  Proof.
    cbn [mass noisy push].
    rewrite (Pr_same _ _ (fun z => In z [(k - x)%Z])) by (intros z; cbn [In]; lia).
    rewrite Pr_list by (repeat constructor; auto); cbn [sum mass geometric_law]; lra.
  Qed.

  Theorem noisy_private x y : private (rate * IZR (Z.abs (x - y))) 0 (noisy x) (noisy y).
  Proof.
    apply private_pointwise; intros k; rewrite !noisy_mass.
    assert (S := geometric_smooth norm rate (Rlt_le _ _ norm_positive) (Rlt_le _ _ rate_positive) (k - x)%Z (k - y)%Z).
    replace (k - x - (k - y))%Z with (- (x - y))%Z in S by lia; rewrite Z.abs_opp in S; lra.
  Qed.

  (* The chance of K and less, for K >= 0, and of less than 0 by m and more. *)
  Lemma below m : Pr geometric_law (fun z => (z <= Z.of_nat m)%Z) = 1 - t ^ S m / (1 + t).
  Proof.
    assert (U := Pr_union geometric_law (fun z => (z <= Z.of_nat m)%Z) (fun z => (Z.of_nat (S m) <= z)%Z)
      ltac:(intros z; cbn beta; lia)).
    rewrite geometric_tail in U; rewrite (Pr_same _ _ any), geometric_certain in U; [lra|].
    intros z; unfold any; split; [tauto|intros _; lia].
  Qed.

  Lemma far_below m : Pr geometric_law (fun z => (z <= - Z.of_nat m)%Z) = t ^ m / (1 + t).
  Proof.
    rewrite <- geometric_tail, <- (geometric_reflected (fun z => (Z.of_nat m <= z)%Z)).
    apply Pr_same; intros z; lia.
  Qed.

  (* Counts d apart, at an epsilon of at most d rate: the least delta is met by the event "at most k more". *)
  Theorem noisy_exact (d k : nat) epsilon x delta : (k < d)%nat ->
    (INR d - 2 * INR k - 2) * rate <= epsilon <= (INR d - 2 * INR k) * rate ->
    private epsilon delta (noisy x) (noisy (x + Z.of_nat d)) <->
    1 - (t ^ S k + exp epsilon * t ^ (d - k)) / (1 + t) <= delta.
  Proof.
    intros KD [Low High].
    rewrite (private_best epsilon _ _ (fun j => (j - x <= Z.of_nat k)%Z)).
    - rewrite !noisy_Pr.
      rewrite (Pr_same _ _ (fun z => (z <= Z.of_nat k)%Z)) by (intros z; lia).
      rewrite (Pr_same _ (fun z => (x + Z.of_nat d + z - x <= Z.of_nat k)%Z)
        (fun z => (z <= - Z.of_nat (d - k))%Z)) by (intros z; lia).
      rewrite below, far_below; destruct t_range.
      replace (1 - t ^ S k / (1 + t) - exp epsilon * (t ^ (d - k) / (1 + t)))
        with (1 - (t ^ S k + exp epsilon * t ^ (d - k)) / (1 + t)) by (field; lra); tauto.
    - intros j J; rewrite !noisy_mass; unfold geometric.
      replace (exp epsilon * (norm * exp (- (rate * IZR (Z.abs (j - (x + Z.of_nat d)))))))
        with (norm * exp (epsilon + - (rate * IZR (Z.abs (j - (x + Z.of_nat d)))))) by (rewrite exp_plus; ring).
      apply Rmult_le_compat_l; [apply Rlt_le, norm_positive|].
      assert (G : (Z.of_nat d - 2 * Z.of_nat k <= Z.abs (j - (x + Z.of_nat d)) - Z.abs (j - x))%Z) by lia.
      apply IZR_le in G; rewrite !minus_IZR, mult_IZR, <- !INR_IZR_INZ in G.
      apply Rmult_le_compat_l with (r := rate) in G; [|lra].
      apply exp_le; nra.
    - intros j J; rewrite !noisy_mass; unfold geometric.
      replace (exp epsilon * (norm * exp (- (rate * IZR (Z.abs (j - (x + Z.of_nat d)))))))
        with (norm * exp (epsilon + - (rate * IZR (Z.abs (j - (x + Z.of_nat d)))))) by (rewrite exp_plus; ring).
      apply Rmult_le_compat_l; [apply Rlt_le, norm_positive|].
      assert (G : (Z.abs (j - (x + Z.of_nat d)) - Z.abs (j - x) <= Z.of_nat d - 2 * Z.of_nat k - 2)%Z) by lia.
      apply IZR_le in G; rewrite !minus_IZR, mult_IZR, <- !INR_IZR_INZ in G.
      apply Rmult_le_compat_l with (r := rate) in G; [|lra].
      apply exp_le; nra.
  Qed.

  (* The other order loses as much. *)
  Theorem noisy_reversed x y epsilon delta :
    private epsilon delta (noisy x) (noisy y) -> private epsilon delta (noisy y) (noisy x).
  Proof.
    assert (M : forall u v E, Pr (noisy u) E = Pr (noisy v) (fun k => E (u + v - k)%Z)).
    { intros u v E; rewrite !noisy_Pr, <- geometric_reflected; apply Pr_same; intros z.
      replace (u + v - (v + z))%Z with (u + - z)%Z by lia; tauto. }
    intros H E; rewrite (M y x E), (M x y E); specialize (H (fun k => E (y + x - k)%Z)).
    rewrite (Pr_same (noisy y) (fun k => E (x + y - k)%Z) (fun k => E (y + x - k)%Z)); [exact H|].
    intros k; rewrite (Z.add_comm x y); tauto.
  Qed.

  (* Counts that are nearer lose no more. *)
  Theorem noisy_nearer (d s : Z) x epsilon delta : (0 <= d <= s)%Z ->
    private epsilon delta (noisy x) (noisy (x + s)) -> private epsilon delta (noisy x) (noisy (x + d)).
  Proof.
    intros [D0 DS] H.
    set (F := fun j => exp epsilon * mass (noisy (x + d)) j <= mass (noisy x) j).
    apply (private_best epsilon _ _ F); [intros j J; exact J|intros j J; apply Rlt_le, Rnot_le_lt, J|].
    assert (Down : forall i j, (i <= j)%Z -> F j -> F i).
    { intros i j IJ; unfold F; rewrite !noisy_mass; unfold geometric.
      assert (N := norm_positive).
      assert (R : forall k, exp epsilon * (norm * exp (- (rate * IZR (Z.abs (k - (x + d)))))) =
        norm * exp (epsilon - rate * IZR (Z.abs (k - (x + d)))))
        by (intros k; unfold Rminus; rewrite exp_plus; ring).
      rewrite !R; clear R; intros J; apply Rmult_le_reg_l in J; [|exact N].
      apply Rmult_le_compat_l; [lra|].
      assert (L : epsilon - rate * IZR (Z.abs (j - (x + d))) <= - (rate * IZR (Z.abs (j - x)))).
      { apply Rnot_lt_le; intros C; apply exp_increasing in C; lra. }
      assert (G : (Z.abs (j - (x + d)) - Z.abs (j - x) <= Z.abs (i - (x + d)) - Z.abs (i - x))%Z) by lia.
      apply IZR_le in G; rewrite !minus_IZR in G; apply Rmult_le_compat_l with (r := rate) in G; [|lra].
      apply exp_le; nra. }
    assert (Q : Pr (noisy (x + s)) F <= Pr (noisy (x + d)) F).
    { rewrite !noisy_Pr; apply Pr_monotone; intros z; apply Down; lia. }
    specialize (H F); assert (C := exp_pos epsilon); apply Rmult_le_compat_l with (r := exp epsilon) in Q; lra.
  Qed.

  Lemma power_exp (k : Z) : (0 <= k)%Z -> t ^ Z.to_nat k = exp (- (rate * IZR k)).
  Proof.
    intros K; assert (M := mass_power (Z.to_nat k)); unfold geometric in M; apply Rmult_eq_reg_l in M;
      [|assert (N := norm_positive); lra].
    rewrite <- M, Z2Nat.id, Z.abs_eq by exact K; reflexivity.
  Qed.

  (* A count that one record moves by at most d, as integers: k is the floor of (d - epsilon/rate)/2. *)
  Theorem noisy_count_private (d k : Z) epsilon delta : (0 <= k < d)%Z ->
    (IZR d - 2 * IZR k - 2) * rate <= epsilon <= (IZR d - 2 * IZR k) * rate ->
    1 - (exp (- (rate * IZR (k + 1))) + exp (epsilon - rate * IZR (d - k))) / (1 + exp (- rate)) <= delta ->
    differentially_private (fun x y => (Z.abs (x - y) <= d)%Z) epsilon delta noisy.
  Proof.
    intros KD E D.
    assert (Up : forall x y, (x <= y <= x + d)%Z -> private epsilon delta (noisy x) (noisy y)).
    { intros x y XY; replace y with (x + (y - x))%Z by lia.
      apply (noisy_nearer (y - x) d); [lia|].
      replace d with (Z.of_nat (Z.to_nat d)) by lia; apply (noisy_exact (Z.to_nat d) (Z.to_nat k)); [lia| |].
      - rewrite !INR_IZR_INZ, !Z2Nat.id by lia; exact E.
      - replace (S (Z.to_nat k)) with (Z.to_nat (k + 1)) by lia.
        replace (Z.to_nat d - Z.to_nat k)%nat with (Z.to_nat (d - k)) by lia.
        rewrite !power_exp by lia; rewrite <- exp_plus; exact D. }
    intros x y N; destruct (Z_le_dec x y); split; try (apply Up; lia); apply noisy_reversed, Up; lia.
  Qed.

  (* The same where one record moves it by at most one: epsilon up to rate, with the least delta there. *)
  Theorem count_private epsilon delta : 0 <= epsilon <= rate -> (1 - exp epsilon * t) / (1 + t) <= delta ->
    differentially_private (fun x y => (Z.abs (x - y) <= 1)%Z) epsilon delta noisy.
  Proof.
    intros E D; apply (noisy_count_private 1 0); [lia|lra|].
    destruct t_range; apply Rle_trans with (2 := D), Req_le; fold t.
    change (0 + 1)%Z with 1%Z; change (1 - 0)%Z with 1%Z; rewrite Rmult_1_r.
    unfold Rminus at 2; rewrite exp_plus; fold t; field; lra.
  Qed.
End Geometric.
