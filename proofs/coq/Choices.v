(* SPDX-License-Identifier: MIT *)
(* Mechanisms that publish a place and no number: report noisy max, above threshold, the exponential mechanism. The
   harnesses of proofs/alignment prove the same alignments on the C code. *)

Require Import Reals ZArith List Lra Lia Bool Arith.
From Probity Require Import Alignment Law Private Histograms.
Import ListNotations.
Open Scope R_scope.

(* ---- n independent draws ---- *)

Definition draws (P : law Z) (n : nat) : law (list Z) := bars (repeat P n).

Lemma push_mass {A B : Type} (P : law A) (f : A -> B) a : (forall u, f u = f a -> u = a) -> mass (push P f) (f a) = mass P a.
Proof.
  intros Inj; cbn [mass push]; rewrite (Pr_same _ _ (fun u => In u [a])).
  - rewrite Pr_list by (repeat constructor; auto); cbn [sum]; lra.
  - intros u; cbn [In]; split; [intros H; left; symmetry; apply Inj, H|intros [->|[]]; reflexivity].
Qed.

Lemma draws_mass P n z : mass (draws P n) z = if length z =? n then product (mass P) z else 0.
Proof.
  revert z; induction n as [|n IH]; intros z; unfold draws in *; cbn [repeat bars].
  - destruct z as [|a z]; cbn [length Nat.eqb product].
    + apply (push_mass nothing (fun _ => []) tt); intros []; reflexivity.
    + cbn [mass push]; apply Pr_none; intros u; discriminate.
  - destruct z as [|a z]; cbn [length Nat.eqb product].
    + cbn [mass push]; apply Pr_none; intros u; discriminate.
    + change (a :: z) with (fst (a, z) :: snd (a, z)) at 1.
      rewrite (push_mass (chain P (fun _ => bars (repeat P n))) (fun az => fst az :: snd az) (a, z)).
      * cbn [mass chain fst snd]; rewrite IH; destruct (length z =? n); lra.
      * intros [b w] E; cbn [fst snd] in E; injection E as -> ->; reflexivity.
Qed.

(* ---- one place raised ---- *)

Fixpoint raise (k : nat) (by_ : Z) (z : list Z) : list Z :=
  match z, k with [], _ => [] | a :: z, O => (a + by_)%Z :: z | a :: z, S k => a :: raise k by_ z end.

Lemma raise_length k by_ z : length (raise k by_ z) = length z.
Proof. revert k; induction z as [|a z IH]; intros [|k]; cbn [raise length]; congruence. Qed.

Lemma raise_nth k by_ z i : (i < length z)%nat ->
  nth i (raise k by_ z) 0%Z = (nth i z 0 + (if Nat.eqb i k then by_ else 0))%Z.
Proof.
  revert k i; induction z as [|a z IH]; intros k i L; cbn [length] in L; [lia|].
  destruct k, i; cbn [raise nth Nat.eqb]; try lia; apply IH; lia.
Qed.

Lemma raise_injective k by_ y z : length y = length z -> raise k by_ y = raise k by_ z -> y = z.
Proof.
  revert k z; induction y as [|a y IH]; intros k [|b z] L E; cbn [length] in L; try discriminate; [reflexivity|].
  destruct k; cbn [raise] in E; injection E as E F; [f_equal; [lia|exact F]|].
  subst b; f_equal; apply (IH k); congruence.
Qed.

Lemma raise_distance k by_ z : (0 <= by_ -> distance z (raise k by_ z) <= by_)%Z.
Proof.
  intros B; assert (Same : forall l, distance l l = 0%Z)
    by (induction l as [|a l IH]; cbn [distance]; [reflexivity|rewrite IH; lia]).
  revert k; induction z as [|a z IH]; intros [|k]; cbn [raise distance]; try lia; rewrite ?Same; [lia|].
  specialize (IH k); lia.
Qed.

Lemma raise_raised k by_ z : (0 <= by_)%Z -> raised z (raise k by_ z).
Proof.
  intros B; assert (Same : forall l, raised l l) by (induction l; cbn [raised]; auto with zarith).
  revert k; induction z as [|a z IH]; intros [|k]; cbn [raise raised]; auto with zarith.
Qed.

Lemma draws_cost P rate n k by_ z : 0 <= rate -> rises rate (mass P) -> (0 <= by_)%Z -> length z = n ->
  mass (draws P n) z <= exp (rate * IZR by_) * mass (draws P n) (raise k by_ z).
Proof.
  intros HR S B L; rewrite !draws_mass, raise_length, L, Nat.eqb_refl.
  apply raise_cost; auto using mass_nonneg, raise_length, raise_raised, raise_distance.
Qed.

(* ---- report noisy max ---- *)

Definition noisy_score (x z : list Z) (i : nat) : Z := (nth i x 0 + nth i z 0)%Z.

(* The first of the largest of n scores. *)
Fixpoint winner (score : nat -> Z) (n : nat) : nat :=
  match n with
  | O | 1%nat => O
  | S m => if (score (winner score m) <? score m)%Z then m else winner score m
  end.

Definition largest (score : nat -> Z) (n k : nat) : Prop :=
  (k < n)%nat /\ forall i, (i < n)%nat -> (score i <= score k)%Z /\ ((i < k)%nat -> (score i < score k)%Z).

Lemma winner_largest score n : (0 < n)%nat -> largest score n (winner score n).
Proof.
  destruct n as [|n]; [lia|intros _]; induction n as [|n [L IH]].
  - split; [cbn; lia|]; intros [|i] I; [|lia]; cbn; lia.
  - change (winner score (S (S n))) with
      (if (score (winner score (S n)) <? score (S n))%Z then S n else winner score (S n)).
    destruct (Z.ltb_spec (score (winner score (S n))) (score (S n))) as [W|W]; split; try lia; intros i I.
    + destruct (Nat.eq_dec i (S n)) as [-> |N]; [lia|]; destruct (IH i ltac:(lia)); lia.
    + destruct (Nat.eq_dec i (S n)) as [-> |N]; [lia|]; apply IH; lia.
Qed.

Lemma largest_unique score n i k : largest score n i -> largest score n k -> i = k.
Proof.
  intros [LI HI] [LK HK]; destruct (HI k LK) as [A A'], (HK i LI) as [B B'].
  destruct (Nat.lt_trichotomy i k) as [C|[C|C]]; [|exact C|]; [specialize (B' C)|specialize (A' C)]; lia.
Qed.

Definition noisy_max (P : law Z) (n : nat) (x : list Z) : law nat :=
  push (draws P n) (fun z => winner (noisy_score x z) n).

(* No score gains more than `by_` on another: 2 d for any scores, d for monotone ones. Noise is only raised, so that it
   may begin at 0.
   claims: Survey/Theorem 4.3; Survey/Theorem 4.7 *)
Theorem noisy_max_private (P : law Z) rate n by_ x y : 0 <= rate -> rises rate (mass P) -> (0 < n)%nat -> (0 <= by_)%Z ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> (nth j y 0 - nth j x 0 <= nth i y 0 - nth i x 0 + by_)%Z) ->
  private (rate * IZR by_) 0 (noisy_max P n x) (noisy_max P n y).
Proof.
  intros HR S N B Near.
  set (f := fun z => winner (noisy_score x z) n).
  apply (private_aligned (draws P n) (draws P n) f _ (fun z => raise (f z) by_ z) (fun z => negb (length z =? n))).
  - intros z Z; apply negb_false_iff, Nat.eqb_eq in Z.
    destruct (winner_largest (noisy_score x z) n N) as [L W]; fold (f z) in L, W.
    apply (largest_unique (noisy_score y (raise (f z) by_ z)) n); [apply winner_largest, N|].
    split; [exact L|]; intros i I; unfold noisy_score in *.
    rewrite !raise_nth, Nat.eqb_refl by lia; specialize (Near (f z) i L I); destruct (W i I) as [W1 W2].
    destruct (Nat.eqb_spec i (f z)) as [-> |NE]; lia.
  - intros u v U V F E; apply negb_false_iff, Nat.eqb_eq in U, V; rewrite F in E.
    apply (raise_injective (f v) by_); congruence.
  - intros z Z; apply negb_false_iff, Nat.eqb_eq in Z; apply draws_cost; assumption.
  - apply Pr_least; intros l [_ I]; apply Req_le; induction l as [|z l IH]; cbn [sum]; [reflexivity|].
    rewrite IH by (intros; apply I; right; assumption).
    assert (H := I z (or_introl eq_refl)); apply negb_true_iff in H; rewrite draws_mass, H; lra.
Qed.

(* ---- above threshold ---- *)

(* The first of n noisy answers that reaches t, and n where none does. *)
Fixpoint first_above (score : nat -> Z) (t : Z) (from n : nat) : nat :=
  match n with O => from | S m => if (t <=? score from)%Z then from else first_above score t (S from) m end.

Definition halts (score : nat -> Z) (t : Z) (from n k : nat) : Prop :=
  (from <= k <= from + n)%nat /\ (forall i, (from <= i < k)%nat -> (score i < t)%Z) /\
  ((k < from + n)%nat -> (t <= score k)%Z).

Lemma first_above_halts score t n : forall from, halts score t from n (first_above score t from n).
Proof.
  induction n as [|n IH]; intros from; cbn [first_above].
  - repeat split; intros; lia.
  - destruct (Z.leb_spec t (score from)) as [H|H].
    + repeat split; intros; lia.
    + destruct (IH (S from)) as [A [B C]]; split; [lia|split].
      * intros i I; destruct (Nat.eq_dec i from) as [-> |NE]; [exact H|apply B; lia].
      * intros L; apply C; lia.
Qed.

Lemma halts_unique score t from n i k : halts score t from n i -> halts score t from n k -> i = k.
Proof.
  intros [A [B C]] [A' [B' C']]; destruct (Nat.lt_trichotomy i k) as [L|[L|L]]; [|exact L|].
  - specialize (B' i ltac:(lia)); specialize (C ltac:(lia)); lia.
  - specialize (B k ltac:(lia)); specialize (C' ltac:(lia)); lia.
Qed.

Definition above (T : law Z) (P : law Z) (n : nat) (t : Z) (x : list Z) : law nat :=
  push (chain T (fun _ => draws P n)) (fun sz => first_above (noisy_score x (snd sz)) (t + fst sz) 0 n).

(* Answers fall by at most `down` and rise by at most `up`.
   claims: Survey/Theorem 6.1 *)
Theorem above_private (T P : law Z) a b n t down up x y : 0 <= a -> 0 <= b ->
  rises a (mass T) -> rises b (mass P) -> (0 <= down)%Z -> (0 <= up)%Z ->
  (forall i, (i < n)%nat -> (nth i x 0 - down <= nth i y 0 <= nth i x 0 + up)%Z) ->
  private (a * IZR up + b * IZR (down + up)) 0 (above T P n t x) (above T P n t y).
Proof.
  intros HA HB ST SP HD HU Near.
  set (f := fun sz : Z * list Z => first_above (noisy_score x (snd sz)) (t + fst sz) 0 n).
  apply (private_aligned (chain T (fun _ => draws P n)) (chain T (fun _ => draws P n)) f _
    (fun sz => ((fst sz + up)%Z, raise (f sz) (down + up) (snd sz))) (fun sz => negb (length (snd sz) =? n))).
  - intros [s z] Z; cbn [snd] in Z; apply negb_false_iff, Nat.eqb_eq in Z; cbn [fst snd].
    destruct (first_above_halts (noisy_score x z) (t + s) n 0) as [L [W V]].
    change (first_above (noisy_score x z) (t + s) 0 n) with (f (s, z)) in L, W, V.
    apply (halts_unique (noisy_score y (raise (f (s, z)) (down + up) z)) (t + (s + up)) 0 n);
      [apply first_above_halts|].
    unfold noisy_score in *; split; [exact L|split].
    + intros i I; rewrite raise_nth by lia; specialize (W i I); specialize (Near i ltac:(lia)).
      destruct (Nat.eqb_spec i (f (s, z))); lia.
    + intros K; specialize (V K); specialize (Near (f (s, z)) ltac:(lia)).
      rewrite raise_nth, Nat.eqb_refl by lia; lia.
  - intros [r u] [s v] U V F E; cbn [fst snd] in *; apply negb_false_iff, Nat.eqb_eq in U, V.
    rewrite F in E; injection E as E1 E2; f_equal; [lia|].
    apply (raise_injective (f (s, v)) (down + up)); congruence.
  - intros [s z] Z; cbn [snd] in Z; apply negb_false_iff, Nat.eqb_eq in Z; cbn [mass chain fst snd].
    rewrite exp_plus.
    replace (exp (a * IZR up) * exp (b * IZR (down + up)) *
      (mass T (s + up)%Z * mass (draws P n) (raise (f (s, z)) (down + up) z))) with
      ((exp (a * IZR up) * mass T (s + up)%Z) *
       (exp (b * IZR (down + up)) * mass (draws P n) (raise (f (s, z)) (down + up) z))) by ring.
    apply Rmult_le_compat; auto using mass_nonneg.
    + specialize (ST s (s + up)%Z ltac:(lia)); replace (s - (s + up))%Z with (- up)%Z in ST by lia.
      rewrite Z.abs_opp, Z.abs_eq in ST by lia; exact ST.
    + apply draws_cost; auto; lia.
  - apply Pr_least; intros l [_ I]; apply Req_le; induction l as [|[s z] l IH]; cbn [sum]; [reflexivity|].
    rewrite IH by (intros; apply I; right; assumption).
    assert (H := I (s, z) (or_introl eq_refl)); cbn [snd] in H; apply negb_true_iff in H.
    cbn [mass chain fst snd]; rewrite draws_mass, H; lra.
Qed.

(* The sparse vector: c positive answers, each with noise of its own on the threshold. What is asked next, of either
   input, may depend on all that was answered. *)
Theorem sparse_private (T P : law Z) a b n t down up (x y : nat -> list nat -> list Z) c : 0 <= a -> 0 <= b ->
  rises a (mass T) -> rises b (mass P) -> (0 <= down)%Z -> (0 <= up)%Z ->
  (forall r h i, (i < n)%nat -> (nth i (x r h) 0 - down <= nth i (y r h) 0 <= nth i (x r h) 0 + up)%Z) ->
  private (INR c * (a * IZR up + b * IZR (down + up))) 0
    (rounds (fun r h => above T P n t (x r h)) c) (rounds (fun r h => above T P n t (y r h)) c).
Proof.
  intros HA HB ST SP HD HU Near.
  assert (S : forall v, sum (fun _ : nat => v) (seq 0 c) = INR c * v).
  { intros v; clear; induction c as [|c IH]; [cbn [seq sum INR]; ring|].
    rewrite seq_S, sum_app, IH, S_INR; cbn [sum]; ring. }
  apply private_weaken with (e := sum (fun _ => a * IZR up + b * IZR (down + up)) (seq 0 c))
    (d := sum (fun _ => 0) (seq 0 c)); [rewrite S; lra|rewrite S; lra|].
  apply private_composition; [intros; lra|]; intros r h; apply above_private; auto.
Qed.

(* ---- the exponential mechanism ---- *)

Section Exponential.
  Variables (n : nat) (score : nat -> R) (rate : R).
  Hypothesis some : (0 < n)%nat.

  Definition weights : R := sum (fun i => exp (rate * score i)) (seq 0 n).

  Lemma weights_positive : 0 < weights.
  Proof.
    unfold weights; destruct n as [|m]; [lia|]; cbn [seq sum].
    assert (0 <= sum (fun i => exp (rate * score i)) (seq 1 m)) by (apply sum_nonneg; intros; apply Rlt_le, exp_pos).
    assert (X := exp_pos (rate * score 0%nat)); lra.
  Qed.

  Definition chosen (i : nat) : R := if i <? n then exp (rate * score i) / weights else 0.

  Lemma chosen_nonneg i : 0 <= chosen i.
  Proof.
    unfold chosen; destruct (i <? n); [|lra].
    apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|apply weights_positive].
  Qed.

  Lemma chosen_sum : sum chosen (seq 0 n) = 1.
  Proof.
    assert (W := weights_positive).
    transitivity (sum (fun i => / weights * exp (rate * score i)) (seq 0 n)).
    - assert (E : forall i, In i (seq 0 n) -> chosen i = / weights * exp (rate * score i)).
      { intros i I; apply in_seq in I; unfold chosen; rewrite (proj2 (Nat.ltb_lt i n)) by lia; field; lra. }
      apply Rle_antisym; apply sum_le; intros i I; rewrite E by exact I; apply Rle_refl.
    - rewrite sum_scale; fold weights; field; lra.
  Qed.

  Lemma chosen_total : at_most chosen any 1.
  Proof.
    intros l [D _].
    assert (F : sum chosen l = sum chosen (filter (fun i => i <? n) l)).
    { clear D; induction l as [|i l IH]; cbn [sum filter]; [reflexivity|].
      unfold chosen at 1; destruct (i <? n) eqn:I; cbn [sum]; rewrite IH; [|lra].
      f_equal; unfold chosen; rewrite I; reflexivity. }
    rewrite F; apply Rle_trans with (sum chosen (seq 0 n)).
    - apply sum_incl; [apply chosen_nonneg|apply NoDup_filter, D|].
      intros i I; apply filter_In in I; destruct I as [_ I]; apply Nat.ltb_lt in I; apply in_seq; lia.
    - rewrite chosen_sum; apply Rle_refl.
  Qed.

  Definition exponential : law nat := Law nat chosen chosen_nonneg chosen_total.
End Exponential.

(* No score moves by more than d.
   claims: Survey/Theorem 4.4 *)
Theorem exponential_private n some rate d (s u : nat -> R) : 0 <= rate ->
  (forall i, (i < n)%nat -> Rabs (s i - u i) <= d) ->
  private (2 * rate * d) 0 (exponential n s rate some) (exponential n u rate some).
Proof.
  intros HR Near.
  assert (W := weights_positive n s rate some); assert (V := weights_positive n u rate some).
  assert (WV : weights n u rate <= exp (rate * d) * weights n s rate).
  { unfold weights; rewrite <- sum_scale; apply sum_le; intros i I; apply in_seq in I.
    rewrite <- exp_plus; apply exp_le; specialize (Near i ltac:(lia)).
    assert (u i - s i <= d) by (unfold Rabs in Near; destruct (Rcase_abs (s i - u i)); lra); nra. }
  apply private_pointwise; intros i; cbn [mass exponential]; unfold chosen.
  destruct (Nat.ltb_spec i n) as [I|I]; [|lra].
  assert (S : exp (rate * s i) <= exp (rate * d) * exp (rate * u i)).
  { rewrite <- exp_plus; apply exp_le; specialize (Near i I).
    assert (s i - u i <= d) by (unfold Rabs in Near; destruct (Rcase_abs (s i - u i)); lra); nra. }
  replace (2 * rate * d) with (rate * d + rate * d) by ring; rewrite exp_plus.
  assert (Y := exp_pos (rate * u i)); assert (X := exp_pos (rate * d)).
  assert (exp (rate * s i) / weights n s rate <=
    exp (rate * d) * exp (rate * d) * (exp (rate * u i) / weights n u rate)); [|lra].
  apply Rmult_le_reg_r with (weights n s rate * weights n u rate); [apply Rmult_lt_0_compat; assumption|].
  replace (exp (rate * s i) / weights n s rate * (weights n s rate * weights n u rate))
    with (exp (rate * s i) * weights n u rate) by (field; lra).
  replace (exp (rate * d) * exp (rate * d) * (exp (rate * u i) / weights n u rate) *
    (weights n s rate * weights n u rate))
    with ((exp (rate * d) * exp (rate * u i)) * (exp (rate * d) * weights n s rate)) by (field; lra).
  apply Rmult_le_compat; [apply Rlt_le, exp_pos|lra|exact S|exact WV].
Qed.

(* ---- the exact loss of the exponential mechanism ---- *)

(* Losses in an interval of length e: the chord of max(0, y - x) over the ratios y = P/Q bounds the divergence, and no
   interval gives more than the one in the middle. *)
Theorem exponential_exact n some rate d (s u : nat -> R) epsilon : 0 < rate -> 0 < d -> 0 <= epsilon <= 2 * rate * d ->
  (forall i, (i < n)%nat -> Rabs (s i - u i) <= d) ->
  private epsilon ((1 - exp ((epsilon - 2 * rate * d) / 2)) ^ 2 / (1 - exp (- (2 * rate * d))))
    (exponential n s rate some) (exponential n u rate some).
Proof.
  intros HR HD [E0 E1] Near; set (e := 2 * rate * d) in *; assert (HE : 0 < e) by (unfold e; nra).
  assert (W := weights_positive n s rate some); assert (V := weights_positive n u rate some).
  set (P := exponential n s rate some); set (Q := exponential n u rate some).
  set (x := exp epsilon); set (b := exp (- e)); set (Y := exp (e / 2) * (weights n u rate / weights n s rate)).
  assert (HY : 0 < Y) by (unfold Y; apply Rmult_lt_0_compat; [apply exp_pos|apply Rdiv_lt_0_compat; assumption]).
  assert (HB : 0 < b < 1) by (unfold b; split; [apply exp_pos|rewrite <- exp_0; apply exp_increasing; lra]).
  assert (HX : 1 <= x) by (unfold x; apply exp_ge_1, E0).
  set (h := exp ((epsilon - e) / 2)).
  assert (HH : h * h = x * b) by (unfold h, x, b; rewrite <- !exp_plus; f_equal; field).
  assert (Hh : 0 < h) by apply exp_pos.
  (* Each ratio of masses lies between Y b and Y. *)
  assert (Ratio : forall i, Y * b * mass Q i <= mass P i <= Y * mass Q i).
  { intros i; cbn [mass P Q exponential]; unfold chosen; destruct (Nat.ltb_spec i n) as [I|I]; [|lra].
    assert (N : - d <= s i - u i <= d)
      by (specialize (Near i I); unfold Rabs in Near; destruct (Rcase_abs (s i - u i)); lra).
    assert (A : exp (rate * s i) <= exp (e / 2) * exp (rate * u i))
      by (rewrite <- exp_plus; apply exp_le; unfold e; nra).
    assert (B : exp (e / 2) * b * exp (rate * u i) <= exp (rate * s i))
      by (unfold b; rewrite <- !exp_plus; apply exp_le; unfold e; nra).
    unfold Y; split.
    - replace (exp (e / 2) * (weights n u rate / weights n s rate) * b * (exp (rate * u i) / weights n u rate))
        with (exp (e / 2) * b * exp (rate * u i) / weights n s rate) by (field; lra).
      unfold Rdiv; apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, W|exact B].
    - replace (exp (e / 2) * (weights n u rate / weights n s rate) * (exp (rate * u i) / weights n u rate))
        with (exp (e / 2) * exp (rate * u i) / weights n s rate) by (field; lra).
      unfold Rdiv; apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, W|exact A]. }
  assert (B0 : 0 <= (1 - h) ^ 2 / (1 - b)).
  { apply Rmult_le_pos; [apply pow2_ge_0|apply Rlt_le, Rinv_0_lt_compat; lra]. }
  (* The masses of both add up to 1 over the candidates. *)
  assert (One := fun v => chosen_sum n v rate some).
  apply private_unpaid; intros l [D _].
  (* Outside of the candidates nothing is unpaid. *)
  apply Rle_trans with (sum (unpaid epsilon P Q) (seq 0 n)).
  { assert (F : sum (unpaid epsilon P Q) l = sum (unpaid epsilon P Q) (filter (fun i => i <? n) l)).
    { clear D; induction l as [|i l IH]; cbn [sum filter]; [reflexivity|].
      destruct (i <? n) eqn:I; cbn [sum]; rewrite IH; [reflexivity|].
      unfold unpaid at 1; cbn [mass P Q exponential]; unfold chosen; rewrite I, Rmax_left by lra; lra. }
    rewrite F; apply sum_incl; [apply unpaid_nonneg|apply NoDup_filter, D|].
    intros i I; apply filter_In in I; destruct I as [_ I]; apply Nat.ltb_lt in I; apply in_seq; lia. }
  destruct (Rle_dec Y x) as [YX|YX].
  - apply Rle_trans with 0; [|exact B0]; apply Req_le.
    generalize (seq 0 n); intros m; induction m as [|i m IH]; cbn [sum]; [reflexivity|]; rewrite IH, Rplus_0_r.
    unfold unpaid; apply Rmax_left; fold x; destruct (Ratio i) as [_ R]; assert (M := mass_nonneg Q i); nra.
  - assert (XY : x < Y) by lra.
    destruct (Rle_dec x (Y * b)) as [L|L].
    + (* All ratios are at least x: the sum is 1 - x. *)
      apply Rle_trans with (sum (fun i => mass P i + (- x) * mass Q i) (seq 0 n)).
      * apply sum_le; intros i _; unfold unpaid; fold x; apply Rmax_lub; [|lra].
        destruct (Ratio i) as [R _]; assert (M := mass_nonneg Q i); nra.
      * rewrite sum_plus, sum_scale; cbn [mass P Q exponential]; rewrite !One; lra.
    + (* The chord. *)
      set (slope := (Y - x) / (Y * (1 - b))).
      assert (YB : 0 < Y * (1 - b)) by (apply Rmult_lt_0_compat; lra).
      assert (SL : slope * (Y * (1 - b)) = Y - x) by (unfold slope; field; lra).
      assert (S0 : 0 <= slope) by (unfold slope; apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat, YB]).
      assert (S1 : slope <= 1).
      { apply Rmult_le_reg_r with (Y * (1 - b)); [exact YB|]; rewrite SL; lra. }
      apply Rle_trans with (sum (fun i => slope * mass P i + (- (slope * (Y * b))) * mass Q i) (seq 0 n)).
      * apply sum_le; intros i _; unfold unpaid; fold x; destruct (Ratio i) as [R1 R2]; assert (M := mass_nonneg Q i).
        set (p := mass P i) in *; set (q := mass Q i) in *.
        apply Rmax_lub.
        -- assert (0 <= slope * (p - Y * b * q)) by (apply Rmult_le_pos; lra); lra.
        -- assert (Z : 0 <= (1 - slope) * (Y * q - p)) by (apply Rmult_le_pos; lra).
           assert (T : slope * (Y * q) - slope * (Y * b) * q = (Y - x) * q) by (rewrite <- SL; ring).
           lra.
      * rewrite sum_plus, !sum_scale; cbn [mass P Q exponential]; rewrite !One.
        (* (Y - x)(1 - Y b)/(Y (1 - b)) is at most (1 - h)^2/(1 - b). *)
        apply Rmult_le_reg_r with (Y * (1 - b)); [exact YB|].
        replace ((1 - h) ^ 2 / (1 - b) * (Y * (1 - b))) with ((1 - h) ^ 2 * Y) by (field; lra).
        replace ((slope * 1 + - (slope * (Y * b)) * 1) * (Y * (1 - b))) with ((Y - x) * (1 - Y * b))
          by (rewrite <- SL; ring).
        assert (SQ : 0 <= (Y * b - h) ^ 2) by apply pow2_ge_0.
        assert (SQ' : 0 <= (Y * b - h) ^ 2 / b) by (apply Rmult_le_pos; [exact SQ|apply Rlt_le, Rinv_0_lt_compat; lra]).
        replace ((Y * b - h) ^ 2 / b) with (Y * Y * b - 2 * Y * h + x) in SQ'
          by (replace x with (h * h / b) by (rewrite HH; field; lra); field; lra).
        nra.
Qed.
