(* What differential privacy keeps, for laws over finitely many outcomes: maps of the output, groups, compositions whose
   mechanisms may be chosen by what was seen, random maps of the input that keep neighbours. x stands for exp(epsilon), and may
   be any number that is not negative.

   A law is a mass function on a type, seen on a list `o` of outcomes; an event is a test of outcomes. *)

Require Import Reals List Lra Lia ZArith.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum {A : Type} (f : A -> R) (l : list A) : R :=
  match l with [] => 0 | a :: m => f a + sum f m end.

Section Sums.
  Context {A : Type}.

  Lemma sum_le (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
  Proof.
    induction l as [|a l IH]; intros H; cbn [sum]; [lra|].
    apply Rplus_le_compat; [apply H; left; auto|apply IH; intros; apply H; right; auto].
  Qed.

  Lemma sum_eq (f g : A -> R) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
  Proof.
    induction l as [|a l IH]; intros H; cbn [sum]; [lra|].
    rewrite (H a) by (left; auto); rewrite IH by (intros; apply H; right; auto); lra.
  Qed.

  Lemma sum_plus (f g : A -> R) l : sum (fun a => f a + g a) l = sum f l + sum g l.
  Proof. induction l as [|a l IH]; cbn [sum]; [lra|rewrite IH; lra]. Qed.

  Lemma sum_scale c (f : A -> R) l : sum (fun a => c * f a) l = c * sum f l.
  Proof. induction l as [|a l IH]; cbn [sum]; [lra|rewrite IH; lra]. Qed.

  Lemma sum_zero (l : list A) : sum (fun _ => 0) l = 0.
  Proof. induction l as [|a l IH]; cbn [sum]; [lra|rewrite IH; lra]. Qed.

  Lemma sum_nonneg (f : A -> R) l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
  Proof. intros H; rewrite <- (sum_zero l); apply sum_le, H. Qed.

  Lemma sum_app (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
  Proof. induction l as [|a l IH]; cbn [sum app]; [lra|rewrite IH; lra]. Qed.
End Sums.

Lemma sum_map {A B : Type} (f : B -> R) (g : A -> B) l : sum f (map g l) = sum (fun a => f (g a)) l.
Proof. induction l as [|a l IH]; cbn [sum map]; [|rewrite IH]; reflexivity. Qed.

Lemma sum_flat_map {A B : Type} (f : B -> R) (g : A -> list B) l :
  sum f (flat_map g l) = sum (fun a => sum f (g a)) l.
Proof. induction l as [|a l IH]; cbn [sum flat_map]; [|rewrite sum_app, IH]; reflexivity. Qed.

Lemma sum_swap {A B : Type} (f : A -> B -> R) l m :
  sum (fun a => sum (f a) m) l = sum (fun b => sum (fun a => f a b) l) m.
Proof.
  induction l as [|a l IH]; cbn [sum]; [symmetry; apply sum_zero|rewrite IH, <- sum_plus; reflexivity].
Qed.

(* The chance of an event. *)
Definition chance {A : Type} (o : list A) (p : A -> R) (E : A -> bool) : R :=
  sum (fun a => if E a then p a else 0) o.

(* (log x, delta)-privacy, in this order of the two laws. *)
Definition private {A : Type} (o : list A) (x delta : R) (p q : A -> R) : Prop :=
  forall E, chance o p E <= x * chance o q E + delta.

Definition law {A : Type} (o : list A) (p : A -> R) : Prop :=
  (forall a, In a o -> 0 <= p a) /\ sum p o = 1.

Lemma chance_range {A : Type} (o : list A) p E : law o p -> 0 <= chance o p E <= 1.
Proof.
  intros [N S]; split.
  - apply sum_nonneg; intros a I; destruct (E a); [auto|lra].
  - rewrite <- S; apply sum_le; intros a I; specialize (N a I); destruct (E a); lra.
Qed.

(* The event on which p exceeds x q tells all: no weights between 0 and 1 tell more. *)
Lemma weighted {A : Type} (o : list A) x delta (p q g : A -> R) :
  private o x delta p q -> (forall a, In a o -> 0 <= g a <= 1) ->
  sum (fun a => p a * g a) o <= x * sum (fun a => q a * g a) o + delta.
Proof.
  intros H G.
  set (E := fun a => if Rle_dec (p a) (x * q a) then false else true).
  assert (T := H E); unfold chance in T.
  rewrite <- sum_scale in T |- *.
  assert (L : sum (fun a => p a * g a) o <=
              sum (fun a => x * (q a * g a)) o +
              (sum (fun a => if E a then p a else 0) o - sum (fun a => x * (if E a then q a else 0)) o)).
  { replace (sum (fun a => if E a then p a else 0) o - _) with
      (sum (fun a => (if E a then p a else 0) + (-1) * (x * (if E a then q a else 0))) o)
      by (rewrite sum_plus, sum_scale; lra).
    rewrite <- sum_plus; apply sum_le; intros a I; specialize (G a I); unfold E.
    destruct (Rle_dec (p a) (x * q a)) as [Y|Y]; [|apply Rnot_le_lt in Y].
    - assert (0 <= (x * q a - p a) * g a) by (apply Rmult_le_pos; lra); lra.
    - assert (0 <= (p a - x * q a) * (1 - g a)) by (apply Rmult_le_pos; lra); lra. }
  lra.
Qed.

(* ---- maps of the output ---- *)

(* The law of the output of a random map k behind the law p. *)
Definition through {A B : Type} (o : list A) (k : A -> B -> R) (p : A -> R) (b : B) : R :=
  sum (fun a => p a * k a b) o.

Lemma chance_through {A B : Type} (o : list A) (u : list B) k p E :
  chance u (through o k p) E = sum (fun a => p a * chance u (k a) E) o.
Proof.
  unfold chance, through.
  transitivity (sum (fun b => sum (fun a => p a * (if E b then k a b else 0)) o) u).
  - apply sum_eq; intros b _; destruct (E b); [reflexivity|].
    rewrite (sum_eq _ (fun _ => 0)) by (intros; lra); symmetry; apply sum_zero.
  - rewrite <- sum_swap; apply sum_eq; intros a _; apply sum_scale.
Qed.

(* claims: Survey/Proposition 3.7; Thresh/Fact 2 *)
Theorem private_postprocessing {A B : Type} (o : list A) (u : list B) (k : A -> B -> R) x delta p q :
  (forall a, In a o -> law u (k a)) -> private o x delta p q ->
  private u x delta (through o k p) (through o k q).
Proof.
  intros K H E; rewrite !chance_through.
  apply weighted; [exact H|]; intros a I; apply chance_range, K, I.
Qed.

(* ---- groups ---- *)

(* Two steps, in this order: the second delta is paid at the first epsilon.
   claims: Survey/Section 3.4.3, triangle inequality *)
Theorem private_chain {A : Type} (o : list A) x1 d1 x2 d2 (p q r : A -> R) :
  0 <= x1 -> private o x1 d1 p q -> private o x2 d2 q r -> private o (x1 * x2) (d1 + x1 * d2) p r.
Proof.
  intros X H K E; specialize (H E); specialize (K E).
  apply Rmult_le_compat_l with (r := x1) in K; [lra|exact X].
Qed.

(* A chain of laws, each private against the next. delta = 0 is the theorem of the survey.
   claims: Survey/Theorem 3.8 *)
Theorem private_group {A : Type} (o : list A) x delta (p : nat -> A -> R) k :
  0 <= x -> (forall i, (i < k)%nat -> private o x delta (p i) (p (S i))) ->
  private o (x ^ k) (delta * sum (fun i => x ^ i) (seq 0 k)) (p 0%nat) (p k).
Proof.
  intros X; induction k as [|k IH]; intros H E.
  - cbn; rewrite Rmult_0_r; lra.
  - assert (I := IH (fun i L => H i (Nat.lt_lt_succ_r _ _ L)) E).
    assert (L := H k (Nat.lt_succ_diag_r k) E).
    assert (P := pow_le x k X).
    rewrite seq_S, sum_app; cbn [sum plus]; cbn [pow].
    apply Rle_trans with (1 := I).
    apply Rmult_le_compat_l with (r := x ^ k) in L; [|exact P]; lra.
Qed.

(* ---- composition ---- *)

(* A second mechanism that may depend on what the first one gave. *)
Lemma adaptive_pair {A B : Type} (o : list A) (u : list B) x1 d1 x2 d2 p q (P Q : A -> B -> R) E :
  0 <= x1 -> 0 <= x2 -> 0 <= d2 -> law o p -> law o q ->
  (forall a, In a o -> law u (P a) /\ law u (Q a) /\ private u x2 d2 (P a) (Q a)) -> private o x1 d1 p q ->
  sum (fun a => p a * chance u (P a) (E a)) o <=
  x1 * x2 * sum (fun a => q a * chance u (Q a) (E a)) o + (d1 + d2).
Proof.
  intros X1 X2 D2 [Np Sp] [Nq Sq] H F.
  set (g := fun a => Rmin 1 (x2 * chance u (Q a) (E a))).
  assert (G : forall a, In a o -> 0 <= g a <= 1).
  { intros a I; destruct (H a I) as (_ & LQ & _); destruct (chance_range u (Q a) (E a) LQ).
    split; [apply Rmin_glb; [lra|apply Rmult_le_pos; auto]|apply Rmin_l]. }
  assert (W := weighted o x1 d1 p q g F G).
  assert (S1 : sum (fun a => p a * chance u (P a) (E a)) o <= sum (fun a => p a * g a) o + d2).
  { replace d2 with (sum (fun a => d2 * p a) o) by (rewrite sum_scale, Sp; lra).
    rewrite <- sum_plus; apply sum_le; intros a I.
    destruct (H a I) as (LP & LQ & T); specialize (T (E a)); destruct (chance_range u (P a) (E a) LP).
    replace (p a * g a + d2 * p a) with (p a * (g a + d2)) by lra.
    apply Rmult_le_compat_l; [auto|]; unfold g, Rmin; destruct (Rle_dec _ _); lra. }
  assert (S2 : sum (fun a => q a * g a) o <= x2 * sum (fun a => q a * chance u (Q a) (E a)) o).
  { rewrite <- sum_scale; apply sum_le; intros a I.
    replace (x2 * (q a * _)) with (q a * (x2 * chance u (Q a) (E a))) by lra.
    apply Rmult_le_compat_l; [auto|apply Rmin_r]. }
  apply Rmult_le_compat_l with (r := x1) in S2; [lra|exact X1].
Qed.

Section Composition.
  Context {A : Type}.
  Variable o : list A.

  (* What a run of n mechanisms gives, the first output first; p h is the law of the mechanism behind the outputs h, the last
     of which stands in front. *)
  Fixpoint views (n : nat) : list (list A) :=
    match n with O => [[]] | S m => flat_map (fun a => map (cons a) (views m)) o end.

  Fixpoint run (p : list A -> A -> R) (h v : list A) : R :=
    match v with [] => 1 | a :: w => p h a * run p (a :: h) w end.

  Fixpoint product (x : nat -> R) (i n : nat) : R :=
    match n with O => 1 | S m => x i * product x (S i) m end.

  Fixpoint total (d : nat -> R) (i n : nat) : R :=
    match n with O => 0 | S m => d i + total d (S i) m end.

  Lemma chance_run p h n E : chance (views (S n)) (run p h) E =
    sum (fun a => p h a * chance (views n) (run p (a :: h)) (fun w => E (a :: w))) o.
  Proof.
    unfold chance; cbn [views]; rewrite sum_flat_map; apply sum_eq; intros a _.
    rewrite sum_map, <- sum_scale; apply sum_eq; intros w _; cbn [run]; destruct (E (a :: w)); lra.
  Qed.

  Lemma run_law p n : (forall h, law o (p h)) -> forall h, law (views n) (run p h).
  Proof.
    intros H; induction n as [|n IH]; intros h; split.
    - intros v [<-|[]]; cbn; lra.
    - cbn; lra.
    - intros v I; cbn [views] in I; apply in_flat_map in I; destruct I as [a [Ia Iv]].
      apply in_map_iff in Iv; destruct Iv as [w [<- Iw]]; cbn [run].
      apply Rmult_le_pos; [apply (H h), Ia|apply (IH (a :: h)), Iw].
    - cbn [views]; rewrite sum_flat_map, <- (proj2 (H h)); apply sum_eq; intros a _.
      rewrite sum_map; cbn [run]; rewrite sum_scale, (proj2 (IH (a :: h))); lra.
  Qed.

  Lemma product_nonneg x : (forall i, 0 <= x i) -> forall n i, 0 <= product x i n.
  Proof. intros H; induction n as [|n IH]; intros i; cbn [product]; [lra|apply Rmult_le_pos; auto]. Qed.

  Lemma total_nonneg d : (forall i, 0 <= d i) -> forall n i, 0 <= total d i n.
  Proof. intros H; induction n as [|n IH]; intros i; cbn [total]; [lra|]; specialize (H i); specialize (IH (S i)); lra. Qed.

  (* The i-th mechanism is (log x_i, d_i)-private whatever was seen. With d = 0 and equal x this is simple composition.
     claims: Survey/Theorem 3.9; Survey/Theorem 3.10; Survey/Corollary 3.11; Survey/Lemma 3.12; Survey/Theorem 3.13 *)
  Theorem private_composition (x d : nat -> R) (p q : list A -> A -> R) n :
    (forall i, 0 <= x i) -> (forall i, 0 <= d i) -> (forall h, law o (p h)) -> (forall h, law o (q h)) ->
    (forall h, private o (x (length h)) (d (length h)) (p h) (q h)) ->
    forall h, private (views n) (product x (length h) n) (total d (length h) n) (run p h) (run q h).
  Proof.
    intros X D LP LQ H; induction n as [|n IH]; intros h E.
    - unfold chance; cbn; destruct (E []); lra.
    - rewrite !chance_run; cbn [product total].
      apply adaptive_pair with (E := fun a w => E (a :: w)); auto using product_nonneg, total_nonneg.
      intros a _; repeat split; try apply run_law; auto; apply (IH (a :: h)).
  Qed.
End Composition.

(* ---- random maps of the input ---- *)

Section Preprocessing.
  Context {B C : Type}.
  Variables (o : list B) (u : list C) (phi : B -> B -> R) (near : B -> B -> Prop).

  Definition first (b : B) : R := sum (phi b) o.
  Definition second (b : B) : R := sum (fun a => phi a b) o.

  (* phi couples what a map makes of two neighbours, on neighbours alone; M is private between neighbours.
     claims: Flex/Theorem 2; Thresh/Corollary 2 *)
  Theorem private_preprocessing (M : B -> C -> R) x delta :
    0 <= x -> (forall a b, In a o -> In b o -> 0 <= phi a b) -> sum first o = 1 ->
    (forall a b, In a o -> In b o -> phi a b <> 0 -> near a b) ->
    (forall a b, near a b -> private u x delta (M a) (M b)) ->
    private u x delta (through o M first) (through o M second).
  Proof.
    intros X N S K H E; rewrite !chance_through.
    assert (F : sum (fun a => first a * chance u (M a) E) o =
                sum (fun a => sum (fun b => phi a b * chance u (M a) E) o) o).
    { apply sum_eq; intros a _; unfold first; rewrite Rmult_comm, <- sum_scale; apply sum_eq; intros; lra. }
    assert (G : sum (fun b => second b * chance u (M b) E) o =
                sum (fun a => sum (fun b => phi a b * chance u (M b) E) o) o).
    { rewrite sum_swap; apply sum_eq; intros b _; unfold second.
      rewrite Rmult_comm, <- sum_scale; apply sum_eq; intros; lra. }
    rewrite F, G; replace delta with (delta * sum first o) by (rewrite S; lra).
    unfold first; rewrite <- !sum_scale, <- sum_plus; apply sum_le; intros a Ia.
    rewrite <- !sum_scale, <- sum_plus; apply sum_le; intros b Ib.
    assert (P := N a b Ia Ib); destruct (Req_dec (phi a b) 0) as [->|Y]; [lra|].
    assert (T := H a b (K a b Ia Ib Y) E); apply Rmult_le_compat_l with (r := phi a b) in T; [lra|exact P].
  Qed.
End Preprocessing.

(* ---- pure privacy ---- *)

(* Pure privacy is a bound on the ratio of masses, outcome by outcome: the divergence of order infinity.
   claims: Survey/Theorem 8.3 *)
Theorem private_pointwise {A : Type} (o : list A) (same : forall a b : A, {a = b} + {a <> b}) x p q :
  NoDup o -> ((forall a, In a o -> p a <= x * q a) <-> private o x 0 p q).
Proof.
  intros D; split.
  - intros H E; unfold chance; rewrite Rplus_0_r, <- sum_scale; apply sum_le; intros a I.
    specialize (H a I); destruct (E a); lra.
  - intros H a I; specialize (H (fun b => if same a b then true else false)); rewrite Rplus_0_r in H.
    assert (Z : forall f : A -> R, chance o f (fun b => if same a b then true else false) = f a).
    { intros f; unfold chance; clear H; induction D as [|b l N D IH]; [destruct I|]; cbn [sum].
      destruct (same a b) as [->|Y].
      - rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lra|].
        intros c Ic; destruct (same b c) as [->|]; [contradiction|reflexivity].
      - destruct I as [->|I]; [contradiction|]; rewrite IH by exact I; lra. }
    rewrite !Z in H; exact H.
Qed.

Section Impossible.
  (* What is published on integers: M y r is the chance of r on the true value y. *)
  Context {O : Type}.
  Variables (M : Z -> O -> R) (x : R).
  Hypothesis mass : forall y r, 0 <= M y r.
  Hypothesis pure : forall y z r, (Z.abs (y - z) <= 1)%Z -> M y r <= x * M z r.

  Lemma step y z r : (Z.abs (y - z) <= 1)%Z -> 0 < M y r -> 0 < M z r.
  Proof.
    intros L P; destruct (mass z r) as [G|G]; [exact G|].
    assert (T := pure y z r L); rewrite <- G, Rmult_0_r in T; lra.
  Qed.

  (* What can be published on one input can be published on every input.
     claims: Thresh/Fact 1 *)
  Theorem private_same_support y z r : 0 < M y r -> 0 < M z r.
  Proof.
    assert (U : forall n, 0 < M y r -> 0 < M (y + Z.of_nat n)%Z r).
    { induction n as [|n IH]; intros P; [rewrite Z.add_0_r; exact P|].
      apply (step (y + Z.of_nat n)%Z); [lia|auto]. }
    assert (V : forall n, 0 < M y r -> 0 < M (y - Z.of_nat n)%Z r).
    { induction n as [|n IH]; intros P; [rewrite Z.sub_0_r; exact P|].
      apply (step (y - Z.of_nat n)%Z); [lia|auto]. }
    intros P; destruct (Z_le_dec y z).
    - replace z with (y + Z.of_nat (Z.to_nat (z - y)))%Z by lia; auto.
    - replace z with (y - Z.of_nat (Z.to_nat (y - z)))%Z by lia; auto.
  Qed.

  (* A range that always holds the true value holds every value.
     claims: Thresh/Fact 4 *)
  Theorem private_range_is_everything (lo hi : O -> Z) :
    (forall y r, 0 < M y r -> (lo r <= y <= hi r)%Z) -> forall y r, 0 < M y r -> forall z, (lo r <= z <= hi r)%Z.
  Proof. intros H y r P z; apply (H z), (private_same_support y z r P). Qed.
End Impossible.

(* An event that is certain on one side and impossible on the other leaves no delta below 1.
   claims: Thresh/Theorem 3 *)
Theorem private_disjoint {A : Type} (o : list A) x delta p q E :
  private o x delta p q -> chance o p E = 1 -> chance o q E = 0 -> 1 <= delta.
Proof. intros H P Q; specialize (H E); rewrite P, Q in H; lra. Qed.

(* Utilities that are 0 for what is not there, and move by at most du: what is new has at most du.
   claims: Thresh/Lemma 6 *)
Theorem utility_of_new_element {D R' : Type} (u : D -> nat -> R' -> R) du (x y : D) i :
  (forall r, Rabs (u x i r - u y i r) <= du) -> (forall r, u x i r = 0) -> forall r, u y i r <= du.
Proof.
  intros H Z r; specialize (H r); rewrite Z in H.
  apply Rle_trans with (2 := H); rewrite Rabs_minus_sym, Rminus_0_r; apply Rle_abs.
Qed.
