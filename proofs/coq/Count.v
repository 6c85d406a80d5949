(* SPDX-License-Identifier: MIT *)
(* How many words lead to a cell of a table, and to a residue: the counting on which the laws of the draws rest.

   The same facts are proved by WP on the code (acsl/cells.h, acsl/uniform.h). Here they stand a second time,
   from definitions of their own, without an axiom and without an SMT prover. *)

Require Import ZArith Lia List Bool.
Open Scope Z_scope.

Definition words : Z := 2 ^ 64.

(* #{ w in [0, m) : p w } *)
Fixpoint count (p : Z -> bool) (m : nat) : Z :=
  match m with
  | O => 0
  | S k => count p k + (if p (Z.of_nat k) then 1 else 0)
  end.

Definition count_words (p : Z -> bool) : Z := count p (Z.to_nat words).

Lemma words_positive : 0 <= words.
Proof. unfold words; lia. Qed.

(* Nobody may try to write 2^64 in unary. *)
Opaque words Z.to_nat.

Lemma count_ext p q m :
  (forall w, 0 <= w < Z.of_nat m -> p w = q w) -> count p m = count q m.
Proof.
  induction m as [|m IH]; intros H; [reflexivity|].
  cbn [count]; rewrite IH, H by (intros; try apply H; lia); reflexivity.
Qed.

(* ---- cells ---- *)

Lemma count_interval lo hi m :
  0 <= lo <= hi ->
  count (fun w => (lo <=? w) && (w <? hi)) m
  = Z.max 0 (Z.min (Z.of_nat m) hi - Z.min (Z.of_nat m) lo).
Proof.
  intros H; induction m as [|m IH]; [simpl; lia|].
  cbn [count]; rewrite IH, Nat2Z.inj_succ.
  destruct (Z.leb_spec lo (Z.of_nat m)), (Z.ltb_spec (Z.of_nat m) hi); simpl; lia.
Qed.

(* As many words lead to a cell as its ends are apart. *)
Theorem cell_exact lo hi :
  0 <= lo <= hi -> hi <= words ->
  count_words (fun w => (lo <=? w) && (w <? hi)) = hi - lo.
Proof.
  intros; unfold count_words.
  rewrite count_interval, Z2Nat.id by (try apply words_positive; lia); lia.
Qed.

(* Of these, all but the left end decide, where the left end is a cut. *)
Theorem cell_decided lo hi :
  0 <= lo < hi -> hi <= words ->
  count_words (fun w => (lo <? w) && (w <? hi)) = hi - lo - 1.
Proof.
  intros H B; rewrite <- (Z.sub_add_distr hi lo 1), <- (cell_exact (lo + 1) hi) by lia.
  unfold count_words; apply count_ext; intros w _.
  destruct (Z.ltb_spec lo w), (Z.leb_spec (lo + 1) w); simpl; lia.
Qed.

(* A cell of a table, as the search finds it: the last left end that is not above the word. *)
Fixpoint draw (t : Z -> Z) (n : nat) (w : Z) : nat :=
  match n with
  | O => O
  | S k => if t (Z.of_nat n) <=? w then n else draw t k w
  end.

Definition sorted (t : Z -> Z) (n : nat) : Prop :=
  t 0 = 0 /\ forall i j, 0 <= i <= j -> j <= Z.of_nat n -> t i <= t j.

Definition right_end (t : Z -> Z) (n i : nat) : Z :=
  if Nat.eqb i n then words else t (Z.of_nat i + 1).

Lemma draw_spec t n i w :
  sorted t n -> (i <= n)%nat -> 0 <= w < words ->
  Nat.eqb (draw t n w) i = (t (Z.of_nat i) <=? w) && (w <? right_end t n i).
Proof.
  unfold right_end; intros [Z0 U]; revert i; induction n as [|n IH]; intros i L W.
  - assert (i = O) by lia; subst; cbn; rewrite Z0.
    destruct (Z.leb_spec 0 w), (Z.ltb_spec w words); simpl; lia.
  - cbn [draw]. destruct (Z.leb_spec (t (Z.of_nat (S n))) w) as [A|A].
    + destruct (Nat.eqb_spec i (S n)) as [->|D].
      * rewrite Nat.eqb_refl.
        destruct (Z.leb_spec (t (Z.of_nat (S n))) w), (Z.ltb_spec w words); simpl; lia.
      * assert (t (Z.of_nat i + 1) <= t (Z.of_nat (S n))) by (apply U; lia).
        destruct (Nat.eqb_spec (S n) i); [lia|].
        destruct (Z.ltb_spec w (t (Z.of_nat i + 1))); [lia|].
        rewrite andb_false_r; reflexivity.
    + destruct (Nat.eqb_spec i (S n)) as [->|D].
      * destruct (Z.leb_spec (t (Z.of_nat (S n))) w); [lia|]; simpl.
        apply Nat.eqb_neq; intros E.
        assert (B : forall k, (draw t k w <= k)%nat)
          by (induction k; cbn [draw]; [|destruct (_ <=? _)]; lia).
        specialize (B n); lia.
      * rewrite IH by (try lia; intros; apply U; lia).
        destruct (Nat.eqb_spec i n) as [->|]; [|reflexivity].
        replace (Z.of_nat n + 1) with (Z.of_nat (S n)) by lia.
        destruct (Z.leb_spec (t (Z.of_nat n)) w), (Z.ltb_spec w words),
          (Z.ltb_spec w (t (Z.of_nat (S n)))); simpl; lia.
Qed.

(* The draw from a table of n + 1 cells: as many words lead to each as its ends are apart. *)
Theorem draw_exact t n i :
  sorted t n -> (i <= n)%nat -> (forall k, 0 <= k <= Z.of_nat n -> t k < words) ->
  count_words (fun w => Nat.eqb (draw t n w) i) = right_end t n i - t (Z.of_nat i).
Proof.
  intros T L B.
  assert (P : 0 <= t (Z.of_nat i)) by (destruct T as [Z0 U]; rewrite <- Z0; apply U; lia).
  assert (Q : t (Z.of_nat i) <= right_end t n i <= words).
  { unfold right_end; destruct (Nat.eqb_spec i n) as [->|].
    - specialize (B (Z.of_nat n)); lia.
    - specialize (B (Z.of_nat i + 1)); destruct T as [_ U].
      specialize (U (Z.of_nat i) (Z.of_nat i + 1)); lia. }
  rewrite <- (cell_exact (t (Z.of_nat i)) (right_end t n i)) by lia.
  unfold count_words; apply count_ext; intros w W.
  rewrite Z2Nat.id in W by apply words_positive.
  exact (draw_spec t n i w T L W).
Qed.

(* ---- residues ---- *)

Lemma count_residue n r m :
  0 <= r < n ->
  count (fun w => w mod n =? r) m
  = Z.of_nat m / n + (if r <? Z.of_nat m mod n then 1 else 0).
Proof.
  intros H; induction m as [|m IH].
  - cbn [count]; change (Z.of_nat 0) with 0; rewrite Zdiv_0_l, Zmod_0_l.
    destruct (Z.ltb_spec r 0); lia.
  - cbn [count]; rewrite IH, Nat2Z.inj_succ; set (i := Z.of_nat m).
    assert (E := Z.div_mod i n ltac:(lia)); assert (B := Z.mod_pos_bound i n ltac:(lia)).
    destruct (Z.eq_dec (i mod n) (n - 1)) as [W|W].
    + assert (D : Z.succ i / n = i / n + 1) by (symmetry; apply Z.div_unique with 0; nia).
      assert (M : Z.succ i mod n = 0) by (symmetry; apply Z.mod_unique with (i / n + 1); nia).
      rewrite D, M.
      destruct (Z.ltb_spec r (i mod n)), (Z.eqb_spec (i mod n) r), (Z.ltb_spec r 0); lia.
    + assert (D : Z.succ i / n = i / n) by (symmetry; apply Z.div_unique with (i mod n + 1); nia).
      assert (M : Z.succ i mod n = i mod n + 1) by (symmetry; apply Z.mod_unique with (i / n); nia).
      rewrite D, M.
      destruct (Z.ltb_spec r (i mod n)), (Z.eqb_spec (i mod n) r), (Z.ltb_spec r (i mod n + 1)); lia.
Qed.

Lemma count_from p lo m :
  0 <= lo <= Z.of_nat m ->
  count (fun w => (lo <=? w) && p w) m = count p m - count p (Z.to_nat lo).
Proof.
  intros H; induction m as [|m IH].
  - replace lo with 0 by lia; reflexivity.
  - destruct (Z.eq_dec lo (Z.of_nat (S m))) as [->|D].
    + rewrite Nat2Z.id, Z.sub_diag.
      rewrite (count_ext _ (fun _ => false)).
      * clear; induction (S m); cbn [count]; lia.
      * intros w W; destruct (Z.leb_spec (Z.of_nat (S m)) w); [lia|reflexivity].
    + cbn [count]; rewrite IH by lia.
      destruct (Z.leb_spec lo (Z.of_nat m)); [|lia]; cbn [andb]; lia.
Qed.

(* The first 2^64 mod n words are turned away; of the others as many lead to each residue as to any other. *)
Theorem uniform_exact n r :
  0 <= r < n -> n <= words ->
  count_words (fun w => (words mod n <=? w) && (w mod n =? r)) = words / n.
Proof.
  intros H Hn; unfold count_words.
  assert (B := Z.mod_pos_bound words n ltac:(lia)).
  assert (W := words_positive).
  assert (L := Z.mod_le words n ltac:(lia) ltac:(lia)).
  rewrite count_from, !count_residue, !Z2Nat.id by (rewrite ?Z2Nat.id; lia).
  rewrite (Z.div_small (words mod n)), (Z.mod_small (words mod n)) by lia; lia.
Qed.
