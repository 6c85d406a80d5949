(* SPDX-License-Identifier: MIT *)
(* A draw has its law exactly. docs/theory/drawing.md says it in words.

   A draw reads the digits of a uniform real, k words of b values, and with them an integer j below b^k. A cell has the ends
   lo < hi of the cdf; its cuts there are the floors of lo b^k and hi b^k. It is decided if j is neither: strictly between
   them, or below the one cut that the first cell has. What is not decided reads one more word. *)

Require Import Reals ZArith Lra Lia Bool.
From Probity Require Import Count.
Open Scope R_scope.

Definition floor (x : R) : Z := Int_part x.

Lemma floor_bounds x : IZR (floor x) <= x < IZR (floor x) + 1.
Proof. destruct (base_Int_part x); unfold floor; lra. Qed.

Lemma floor_nonneg x : 0 <= x -> (0 <= floor x)%Z.
Proof. intros H; destruct (floor_bounds x); assert (-1 < IZR (floor x)) by lra; apply lt_IZR in H2; lia. Qed.

Lemma floor_le x y : x <= y -> (floor x <= floor y)%Z.
Proof.
  intros H; destruct (floor_bounds x), (floor_bounds y).
  assert (IZR (floor x) < IZR (floor y + 1)) by (rewrite plus_IZR; lra); apply lt_IZR in H4; lia.
Qed.

Section Draw.
  Variable base : nat.
  Hypothesis base_large : (2 <= base)%nat.

  Definition prefixes (k : nat) : nat := Nat.pow base k.

  Lemma prefixes_positive k : 0 < INR (prefixes k).
  Proof. apply lt_0_INR; unfold prefixes; apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia. Qed.

  (* However few are not to decide, some number of words is enough. *)
  Lemma prefixes_grow r : exists k, r < INR (prefixes k).
  Proof.
    destruct (archimed r) as [U _]; exists (Z.to_nat (up r)); set (n := Z.to_nat (up r)).
    assert (N : r < INR n).
    { unfold n; destruct (Z_lt_le_dec (up r) 0) as [C|C].
      - apply IZR_lt in C; apply Rlt_le_trans with 0; [lra|apply pos_INR].
      - rewrite INR_IZR_INZ, Z2Nat.id by exact C; lra. }
    clearbody n; apply Rlt_le_trans with (1 := N), le_INR.
    unfold prefixes; clear - base_large.
    assert (G : (n < Nat.pow base n)%nat) by (apply Nat.pow_gt_lin_r; lia); lia.
  Qed.

  (* The prefixes that decide for a cell between two cuts, and for the first cell. *)
  Definition decided (lo hi : R) (k : nat) : Z :=
    count (fun j => (floor (lo * INR (prefixes k)) <? j)%Z && (j <? floor (hi * INR (prefixes k)))%Z) (prefixes k).

  Definition decided_first (hi : R) (k : nat) : Z :=
    count (fun j => (j <? floor (hi * INR (prefixes k)))%Z) (prefixes k).

  Lemma decided_count lo hi k : 0 <= lo < hi -> hi <= 1 ->
    decided lo hi k = Z.max 0 (floor (hi * INR (prefixes k)) - floor (lo * INR (prefixes k)) - 1).
  Proof.
    intros [L LH] H; assert (B := prefixes_positive k); unfold decided.
    set (a := floor (lo * INR (prefixes k))); set (b := floor (hi * INR (prefixes k))).
    assert (A0 : (0 <= a)%Z) by (apply floor_nonneg, Rmult_le_pos; lra).
    assert (AB : (a <= b)%Z) by (apply floor_le, Rmult_le_compat_r; lra).
    assert (BM : (b <= Z.of_nat (prefixes k))%Z).
    { apply le_IZR; rewrite <- INR_IZR_INZ; destruct (floor_bounds (hi * INR (prefixes k))); unfold b; nra. }
    destruct (Z.eq_dec a b) as [E|E].
    - rewrite (count_ext _ (fun w => (a <=? w)%Z && (w <? a)%Z)).
      + rewrite count_interval by lia; lia.
      + intros w _; destruct (Z.ltb_spec a w), (Z.ltb_spec w b), (Z.leb_spec a w), (Z.ltb_spec w a); simpl; lia.
    - rewrite (count_ext _ (fun w => (a + 1 <=? w)%Z && (w <? b)%Z)).
      + rewrite count_interval by lia; lia.
      + intros w _; destruct (Z.ltb_spec a w), (Z.leb_spec (a + 1) w); simpl; lia.
  Qed.

  Lemma decided_first_count hi k : 0 < hi <= 1 -> decided_first hi k = floor (hi * INR (prefixes k)).
  Proof.
    intros [L H]; assert (B := prefixes_positive k); unfold decided_first.
    set (b := floor (hi * INR (prefixes k))).
    assert (B0 : (0 <= b)%Z) by (apply floor_nonneg, Rmult_le_pos; lra).
    assert (BM : (b <= Z.of_nat (prefixes k))%Z).
    { apply le_IZR; rewrite <- INR_IZR_INZ; destruct (floor_bounds (hi * INR (prefixes k))); unfold b; nra. }
    rewrite (count_ext _ (fun w => (0 <=? w)%Z && (w <? b)%Z)).
    - rewrite count_interval by lia; lia.
    - intros w W; destruct (Z.leb_spec 0 w); simpl; [reflexivity|lia].
  Qed.

  (* A count that stays within 2 of its share of the prefixes has that share as its limit from below. *)
  Lemma share (n : nat -> Z) (p : R) :
    (forall k, IZR (n k) <= p * INR (prefixes k)) -> (forall k, p * INR (prefixes k) - 2 <= IZR (n k)) ->
    is_lub (fun s => exists k, s = IZR (n k) / INR (prefixes k)) p.
  Proof.
    intros Up Down; split.
    - intros s [k ->]; assert (B := prefixes_positive k).
      apply Rmult_le_reg_r with (INR (prefixes k)); [exact B|].
      unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; apply Up.
    - intros u U; apply Rnot_lt_le; intros L.
      destruct (prefixes_grow (2 / (p - u))) as [k K]; assert (B := prefixes_positive k).
      specialize (U _ (ex_intro _ k eq_refl)); specialize (Down k).
      apply Rmult_le_compat_r with (r := INR (prefixes k)) in U; [|lra].
      unfold Rdiv in U; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in U by lra.
      assert (G : 2 < INR (prefixes k) * (p - u)).
      { apply Rmult_lt_reg_r with (/ (p - u)); [apply Rinv_0_lt_compat; lra|].
        rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra; exact K. }
      lra.
  Qed.

  (* The chance of a cell, over all numbers of words, is its mass. *)
  Theorem draw_cell_exact lo hi : 0 <= lo < hi -> hi <= 1 ->
    is_lub (fun s => exists k, s = IZR (decided lo hi k) / INR (prefixes k)) (hi - lo).
  Proof.
    intros L H; apply share; intros k; rewrite decided_count by assumption;
      assert (B := prefixes_positive k);
      destruct (floor_bounds (lo * INR (prefixes k))), (floor_bounds (hi * INR (prefixes k)));
      set (a := floor (lo * INR (prefixes k))) in *; set (b := floor (hi * INR (prefixes k))) in *.
    - destruct (Z.max_spec 0 (b - a - 1)) as [[_ ->]|[_ ->]]; [|nra].
      rewrite !minus_IZR; lra.
    - apply Rle_trans with (IZR (b - a - 1)); [rewrite !minus_IZR; lra|apply IZR_le; lia].
  Qed.

  Theorem draw_first_exact hi : 0 < hi <= 1 ->
    is_lub (fun s => exists k, s = IZR (decided_first hi k) / INR (prefixes k)) hi.
  Proof.
    intros H; apply share; intros k; rewrite decided_first_count by assumption;
      destruct (floor_bounds (hi * INR (prefixes k))); lra.
  Qed.

  (* A longer prefix of a decided one is decided alike: so the chances of different numbers of words are those of growing
     events. *)
  Theorem draw_decided_stays lo hi k j d : 0 <= lo -> (0 <= d < Z.of_nat base)%Z ->
    (floor (lo * INR (prefixes k)) < j < floor (hi * INR (prefixes k)))%Z ->
    (floor (lo * INR (prefixes (S k))) < j * Z.of_nat base + d < floor (hi * INR (prefixes (S k))) )%Z.
  Proof.
    intros L D [A B].
    assert (P : forall x, x * INR (prefixes (S k)) = x * INR (prefixes k) * INR base)
      by (intros x; unfold prefixes; cbn [Nat.pow]; rewrite mult_INR; ring).
    rewrite !P; clear P.
    assert (N : 2 <= INR base) by (change 2 with (INR 2); apply le_INR, base_large).
    destruct (floor_bounds (lo * INR (prefixes k))) as [_ U], (floor_bounds (hi * INR (prefixes k))) as [V _].
    assert (A' : IZR (floor (lo * INR (prefixes k))) + 1 <= IZR j) by (rewrite <- plus_IZR; apply IZR_le; lia).
    assert (B' : IZR j + 1 <= IZR (floor (hi * INR (prefixes k)))) by (rewrite <- plus_IZR; apply IZR_le; lia).
    split; apply lt_IZR.
    - destruct (floor_bounds (lo * INR (prefixes k) * INR base)) as [W _].
      apply Rle_lt_trans with (1 := W); rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ.
      assert (0 <= IZR d) by (apply IZR_le; lia); nra.
    - destruct (floor_bounds (hi * INR (prefixes k) * INR base)) as [_ W].
      rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ.
      assert (IZR d + 1 <= INR base) by (rewrite INR_IZR_INZ, <- plus_IZR; apply IZR_le; lia).
      apply Rnot_le_lt; intros C.
      assert (F : (floor (hi * INR (prefixes k)) * Z.of_nat base <= floor (hi * INR (prefixes k) * INR base))%Z).
      { assert (IZR (floor (hi * INR (prefixes k)) * Z.of_nat base) <
          IZR (floor (hi * INR (prefixes k) * INR base) + 1)).
        { rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ; nra. }
        apply lt_IZR in H0; lia. }
      apply IZR_le in F; rewrite mult_IZR, <- INR_IZR_INZ in F; nra.
  Qed.
End Draw.

(* ---- digits ---- *)

(* A one-sided geometric number, written with a last digit below m: the digit and the rest are independent, the digit
   has a truncated geometric law, and the rest is geometric with the ratio t^m. *)
Theorem geometric_digits (t : R) (m : nat) digit rest : 0 < t < 1 -> (0 < m)%nat ->
  (1 - t) * t ^ (digit + m * rest) = ((1 - t) * t ^ digit / (1 - t ^ m)) * ((1 - t ^ m) * (t ^ m) ^ rest).
Proof.
  intros [T0 T1] M; rewrite pow_add, pow_mult; field.
  assert (t ^ m < 1); [|lra].
  destruct m as [|m]; [lia|]; cbn [pow].
  assert (t ^ m <= 1) by (rewrite <- (pow1 m); apply pow_incr; lra).
  assert (0 < t ^ m) by (apply pow_lt; lra); nra.
Qed.

(* The sum behind the norm 1 - t^m of a digit below m = n + 1. *)
Theorem geometric_digit_total (t : R) (n : nat) : 0 < t < 1 ->
  sum_f_R0 (fun i => (1 - t) * t ^ i) n = 1 - t ^ S n.
Proof.
  intros T; induction n as [|n IH]; cbn [sum_f_R0 pow] in *; [ring|rewrite IH; ring].
Qed.
