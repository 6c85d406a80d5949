(* SPDX-License-Identifier: MIT *)
(* Discrete laws: the chances of events, the law of an answer, and a second draw that depends on the first. The outcomes
   may be of any type and any number.

   The masses of a law add up to at most 1. What is missing belongs to a run that gives no answer. *)

Require Import Reals List Lra Lia Classical.
From Probity Require Import Alignment.
Import ListNotations.
Open Scope R_scope.

Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [L| ->]; [apply Rlt_le, exp_increasing, L|apply Rle_refl]. Qed.

Lemma exp_ge_1 a : 0 <= a -> 1 <= exp a.
Proof. rewrite <- exp_0; apply exp_le. Qed.

(* ---- laws and the chances of events ---- *)

Definition any {A : Type} (_ : A) : Prop := True.

Record law (A : Type) : Type := Law
  { mass : A -> R; mass_nonneg : forall a, 0 <= mass a; mass_total : at_most mass any 1 }.
Arguments mass {A}.
Arguments mass_nonneg {A}.
Arguments mass_total {A}.

Definition sums {A : Type} (P : law A) (E : A -> Prop) (s : R) : Prop :=
  exists l, drawn_from E l /\ s = sum (mass P) l.

Lemma sums_bounded {A : Type} (P : law A) E : bound (sums P E).
Proof. exists 1; intros s [l [[D _] ->]]; apply (mass_total P); split; [exact D|exact (fun _ _ => I)]. Qed.

Lemma sums_inhabited {A : Type} (P : law A) E : exists s, sums P E s.
Proof. exists 0, []; repeat split; [constructor|intros a []]. Qed.

(* The chance of an event. *)
Definition Pr {A : Type} (P : law A) (E : A -> Prop) : R :=
  proj1_sig (completeness (sums P E) (sums_bounded P E) (sums_inhabited P E)).

Lemma Pr_chance {A : Type} (P : law A) E : chance (mass P) E (Pr P E).
Proof. exact (proj2_sig (completeness (sums P E) (sums_bounded P E) (sums_inhabited P E))). Qed.

Lemma Pr_above {A : Type} (P : law A) E l : drawn_from E l -> sum (mass P) l <= Pr P E.
Proof. apply chance_at_most, Pr_chance. Qed.

Lemma Pr_least {A : Type} (P : law A) E r : at_most (mass P) E r -> Pr P E <= r.
Proof. apply at_most_chance, Pr_chance. Qed.

Lemma Pr_nonneg {A : Type} (P : law A) E : 0 <= Pr P E.
Proof. apply (Pr_above P E []); split; [constructor|intros a []]. Qed.

Lemma Pr_one {A : Type} (P : law A) E : Pr P E <= 1.
Proof. apply Pr_least; intros l [D _]; apply (mass_total P); split; [exact D|exact (fun _ _ => I)]. Qed.

Lemma Pr_monotone {A : Type} (P : law A) (E F : A -> Prop) : (forall a, E a -> F a) -> Pr P E <= Pr P F.
Proof. intros S; apply Pr_least; intros l [D I]; apply Pr_above; split; auto. Qed.

Lemma Pr_same {A : Type} (P : law A) (E F : A -> Prop) : (forall a, E a <-> F a) -> Pr P E = Pr P F.
Proof. intros S; apply Rle_antisym; apply Pr_monotone; intros a; apply S. Qed.

(* A finite part of an event has almost all of its chance. *)
Lemma Pr_near {A : Type} (P : law A) E e : 0 < e -> exists l, drawn_from E l /\ Pr P E - e < sum (mass P) l.
Proof.
  intros H; apply NNPP; intros C.
  assert (Pr P E <= Pr P E - e); [|lra].
  apply Pr_least; intros l L; apply Rnot_lt_le; intros S; apply C; exists l; auto.
Qed.

Lemma Pr_none {A : Type} (P : law A) (E : A -> Prop) : (forall a, ~ E a) -> Pr P E = 0.
Proof.
  intros N; apply Rle_antisym; [|apply Pr_nonneg].
  apply Pr_least; intros [|a l] [_ I]; [apply Rle_refl|exfalso; apply (N a), I; left; reflexivity].
Qed.

(* ---- sums over lists ---- *)

Lemma sum_app {A : Type} (p : A -> R) l m : sum p (l ++ m) = sum p l + sum p m.
Proof. induction l as [|a l IH]; cbn [sum app]; [lra|rewrite IH; lra]. Qed.

Lemma sum_mid {A : Type} (p : A -> R) l a m : sum p (l ++ a :: m) = p a + sum p (l ++ m).
Proof. rewrite !sum_app; cbn [sum]; lra. Qed.

(* Masses of more elements are more. *)
Lemma sum_incl {A : Type} (p : A -> R) : (forall a, 0 <= p a) ->
  forall l m, NoDup l -> incl l m -> sum p l <= sum p m.
Proof.
  intros P l; induction l as [|a l IH]; intros m D I; cbn [sum]; [apply sum_nonneg, P|].
  inversion_clear D as [|? ? N D'].
  destruct (in_split a m (I a (or_introl eq_refl))) as [u [v ->]].
  rewrite sum_mid; apply Rplus_le_compat_l, IH; [exact D'|].
  intros b B; assert (H := I b (or_intror B)); apply in_app_iff in H; apply in_app_iff.
  destruct H as [H|[H|H]]; [left; exact H|subst; contradiction|right; exact H].
Qed.

Lemma sum_list_prod {A B : Type} (p : A * B -> R) l m :
  sum p (list_prod l m) = sum (fun a => sum (fun b => p (a, b)) m) l.
Proof.
  induction l as [|a l IH]; cbn [sum list_prod]; [reflexivity|].
  rewrite sum_app, IH, sum_map; reflexivity.
Qed.

(* The elements of a list, each once. *)
Lemma distinct {A : Type} (l : list A) : exists m, NoDup m /\ forall a, In a m <-> In a l.
Proof.
  induction l as [|a l [m [D S]]]; [exists []; split; [constructor|tauto]|].
  destruct (classic (In a m)) as [M|M].
  - exists m; split; [exact D|]; intros b; split; [right; apply S; auto|].
    intros [<-|B]; [exact M|apply S, B].
  - exists (a :: m); split; [constructor; auto|]; intros b; split; (intros [<-|B]; [left; auto|right; apply S, B]).
Qed.

Lemma parted {A : Type} (p : A -> R) (E : A -> Prop) l : NoDup l ->
  exists u v, NoDup u /\ NoDup v /\ (forall a, In a u <-> In a l /\ E a) /\
    (forall a, In a v <-> In a l /\ ~ E a) /\ sum p l = sum p u + sum p v.
Proof.
  induction 1 as [|a l N D [u [v [U [V [HU [HV S]]]]]]].
  - exists [], []; repeat split; try constructor; cbn; tauto || lra.
  - destruct (classic (E a)) as [H|H].
    + exists (a :: u), v; repeat split; try (constructor; [rewrite HU; tauto|exact U]); try exact V; cbn [In sum].
      * destruct H0 as [<-|B]; [tauto|]; right; apply HU; exact B.
      * destruct H0 as [<-|B]; [exact H|apply HU, B].
      * intros [[<-|B] F]; [tauto|right; apply HU; tauto].
      * right; apply HV; exact H0.
      * apply HV; exact H0.
      * intros [[<-|B] F]; [contradiction|apply HV; tauto].
      * lra.
    + exists u, (a :: v); repeat split; try (constructor; [rewrite HV; tauto|exact V]); try exact U; cbn [In sum].
      * right; apply HU; exact H0.
      * apply HU; exact H0.
      * intros [[<-|B] F]; [contradiction|apply HU; tauto].
      * destruct H0 as [<-|B]; [tauto|right; apply HV; exact B].
      * destruct H0 as [<-|B]; [exact H|apply HV, B].
      * intros [[<-|B] F]; [tauto|right; apply HV; tauto].
      * lra.
Qed.

(* ---- chances add up ---- *)

Theorem Pr_union {A : Type} (P : law A) (E F : A -> Prop) : (forall a, E a -> ~ F a) ->
  Pr P (fun a => E a \/ F a) = Pr P E + Pr P F.
Proof.
  intros S; apply Rle_antisym.
  - apply Pr_least; intros l [D I].
    destruct (parted (mass P) E l D) as [u [v [U [V [HU [HV ->]]]]]].
    apply Rplus_le_compat; apply Pr_above; split; auto; intros a H.
    + apply HU, H.
    + apply HV in H; destruct H as [H N]; destruct (I a H); [contradiction|assumption].
  - apply Rnot_lt_le; intros H.
    set (e := (Pr P E + Pr P F - Pr P (fun a => E a \/ F a)) / 2).
    assert (He : 0 < e) by (unfold e; lra).
    destruct (Pr_near P E e He) as [u [[U IU] SU]], (Pr_near P F e He) as [v [[V IV] SV]].
    assert (sum (mass P) (u ++ v) <= Pr P (fun a => E a \/ F a)).
    { apply Pr_above; split.
      - clear - U V IU IV S; induction u as [|a u IH]; [exact V|].
        inversion_clear U as [|? ? N U']; cbn [app]; constructor.
        + intros H; apply in_app_iff in H; destruct H as [H|H]; [contradiction|].
          apply (S a); [apply IU; left; reflexivity|apply IV, H].
        + apply IH; auto; intros b B; apply IU; right; exact B.
      - intros a H0; apply in_app_iff in H0; destruct H0; [left; apply IU|right; apply IV]; assumption. }
    rewrite sum_app in H0; unfold e in *; lra.
Qed.

Lemma Pr_split {A B : Type} (P : law A) (f : A -> B) (E : A -> Prop) m : NoDup m ->
  Pr P (fun a => E a /\ In (f a) m) = sum (fun b => Pr P (fun a => E a /\ f a = b)) m.
Proof.
  induction 1 as [|b m N D IH]; cbn [sum In].
  - apply Pr_none; tauto.
  - rewrite <- IH, <- Pr_union by (intros a [_ <-] [_ H]; contradiction).
    apply Pr_same; intros a; split; [intros [H [K|K]]|intros [[H K]|[H K]]]; auto.
Qed.

Lemma Pr_list {A : Type} (P : law A) m : NoDup m -> Pr P (fun a => In a m) = sum (mass P) m.
Proof.
  intros D; apply Rle_antisym.
  - apply Pr_least; intros l [L I]; apply sum_incl; auto using mass_nonneg.
  - apply Pr_above; split; auto.
Qed.

Lemma Pr_scale {A : Type} c (P Q : law A) (E : A -> Prop) : 0 <= c ->
  (forall a, E a -> mass P a <= c * mass Q a) -> Pr P E <= c * Pr Q E.
Proof.
  intros C H; apply Pr_least; intros l [D I].
  apply Rle_trans with (c * sum (mass Q) l).
  - rewrite <- sum_scale; apply sum_le; intros a L; apply H, I, L.
  - apply Rmult_le_compat_l; [exact C|apply Pr_above; split; assumption].
Qed.

Lemma Pr_parts {A : Type} (P : law A) (E F : A -> Prop) :
  Pr P E = Pr P (fun a => E a /\ F a) + Pr P (fun a => E a /\ ~ F a).
Proof.
  rewrite <- Pr_union by tauto; apply Pr_same; intros a; destruct (classic (F a)); tauto.
Qed.

(* ---- the law of an answer ---- *)

Lemma push_total {A B : Type} (P : law A) (f : A -> B) :
  at_most (fun b => Pr P (fun a => f a = b)) any 1.
Proof.
  intros m [D _]; apply Rle_trans with (Pr P (fun a => any a /\ In (f a) m)); [|apply Pr_one].
  rewrite (Pr_split P f any m D); apply sum_le; intros b _; apply Req_le, Pr_same; intros a; unfold any; tauto.
Qed.

Definition push {A B : Type} (P : law A) (f : A -> B) : law B :=
  Law B (fun b => Pr P (fun a => f a = b)) (fun b => Pr_nonneg P _) (push_total P f).

Theorem push_Pr {A B : Type} (P : law A) (f : A -> B) E : Pr (push P f) E = Pr P (fun a => E (f a)).
Proof.
  apply Rle_antisym.
  - apply Pr_least; intros m [D I]; cbn [mass push].
    apply Rle_trans with (Pr P (fun a => any a /\ In (f a) m)).
    + rewrite (Pr_split P f any m D); apply sum_le; intros b _; apply Req_le, Pr_same; intros a; unfold any; tauto.
    + apply Pr_monotone; intros a [_ H]; apply I, H.
  - apply Pr_least; intros l [D I].
    destruct (distinct (map f l)) as [m [M S]].
    apply Rle_trans with (sum (mass (push P f)) m).
    + cbn [mass push]; apply Rle_trans with (Pr P (fun a => any a /\ In (f a) m)).
      * apply Pr_above; split; [exact D|]; intros a H; split; [exact Logic.I|apply S, in_map, H].
      * rewrite (Pr_split P f any m M); apply sum_le; intros b _; apply Req_le, Pr_same; intros a; unfold any; tauto.
    + apply Pr_above; split; [exact M|]; intros b H; apply S, in_map_iff in H; destruct H as [a [<- H]]; apply I, H.
Qed.

(* A second draw, whose law may depend on what the first one gave. *)
Lemma chain_nonneg {A B : Type} (P : law A) (K : A -> law B) ab : 0 <= mass P (fst ab) * mass (K (fst ab)) (snd ab).
Proof. apply Rmult_le_pos; apply mass_nonneg. Qed.

(* What every list of pairs adds up to is at most what its first parts do, if the second parts add up to as much. *)
Lemma sum_pairs {A B : Type} (p : A * B -> R) (r : A -> R) l : (forall ab, 0 <= p ab) ->
  (forall a, at_most (fun b => p (a, b)) any (r a)) -> NoDup l -> exists m, NoDup m /\ sum p l <= sum r m.
Proof.
  intros P H D.
  destruct (distinct (map fst l)) as [u [U SU]], (distinct (map snd l)) as [v [V SV]].
  exists u; split; [exact U|].
  apply Rle_trans with (sum p (list_prod u v)).
  - apply sum_incl; auto; intros [a b] M; apply in_prod; [apply SU|apply SV];
      [apply (in_map fst l (a, b))|apply (in_map snd l (a, b))]; exact M.
  - rewrite sum_list_prod; apply sum_le; intros a _; apply H; split; [exact V|exact (fun _ _ => I)].
Qed.

Lemma chain_total {A B : Type} (P : law A) (K : A -> law B) :
  at_most (fun ab => mass P (fst ab) * mass (K (fst ab)) (snd ab)) any 1.
Proof.
  intros l [D _].
  destruct (sum_pairs (fun ab => mass P (fst ab) * mass (K (fst ab)) (snd ab)) (mass P) l (chain_nonneg P K))
    as [m [M S]]; [|exact D|].
  - intros a v V; cbn [fst snd]; rewrite sum_scale.
    rewrite <- (Rmult_1_r (mass P a)) at 2; apply Rmult_le_compat_l; [apply mass_nonneg|apply (mass_total (K a)), V].
  - apply Rle_trans with (1 := S), (mass_total P); split; [exact M|exact (fun _ _ => I)].
Qed.

Definition chain {A B : Type} (P : law A) (K : A -> law B) : law (A * B) :=
  Law (A * B) (fun ab => mass P (fst ab) * mass (K (fst ab)) (snd ab)) (chain_nonneg P K) (chain_total P K).

Lemma Pr_masses {A : Type} (P Q : law A) E : (forall a, mass P a = mass Q a) -> Pr P E = Pr Q E.
Proof.
  intros H; assert (F := Pr_scale 1 P Q E Rle_0_1); assert (G := Pr_scale 1 Q P E Rle_0_1).
  rewrite Rmult_1_l in F, G; apply Rle_antisym; [apply F|apply G]; intros a _; rewrite H; lra.
Qed.

(* The law of an answer may be taken before the second draw or after it. *)
Theorem chain_push {A B C : Type} (P : law A) (f : A -> B) (K : B -> law C) E :
  Pr (chain (push P f) K) E = Pr (chain P (fun a => K (f a))) (fun ac => E (f (fst ac), snd ac)).
Proof.
  rewrite <- (push_Pr (chain P (fun a => K (f a))) (fun ac => (f (fst ac), snd ac)) E); apply Pr_masses.
  intros [b c]; cbn [mass push chain fst snd].
  assert (M := mass_nonneg (K b) c); apply Rle_antisym.
  - destruct M as [M|M]; [|rewrite <- M, Rmult_0_r; apply Pr_nonneg].
    apply Rmult_le_reg_r with (/ mass (K b) c); [apply Rinv_0_lt_compat, M|].
    rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra.
    apply Pr_least; intros l [D I].
    apply Rmult_le_reg_r with (mass (K b) c); [exact M|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with (sum (mass (chain P (fun a => K (f a)))) (map (fun a => (a, c)) l)).
    + rewrite sum_map, Rmult_comm, <- sum_scale; apply sum_le; intros a L; cbn [mass chain fst snd].
      rewrite (I a L); lra.
    + apply Pr_above; split.
      * apply map_distinct; [exact D|]; intros u v _ _ S; injection S; auto.
      * intros u U; apply in_map_iff in U; destruct U as [a [<- L]]; cbn [fst snd]; rewrite (I a L); reflexivity.
  - apply Pr_least; intros l [D I].
    apply Rle_trans with (sum (fun a => mass (K b) c * mass P a) (map fst l)).
    + rewrite sum_map; apply sum_le; intros [a d] L; specialize (I _ L); cbn [mass chain fst snd] in *.
      injection I as -> ->; lra.
    + rewrite sum_scale, Rmult_comm; apply Rmult_le_compat_r; [exact M|].
      apply Pr_above; split.
      * apply map_distinct; [exact D|]; intros [u c1] [v c2] U V S; cbn [fst] in S; subst v.
        assert (IU := I _ U); assert (IV := I _ V); cbn [fst snd] in IU, IV; congruence.
      * intros a L; apply in_map_iff in L; destruct L as [[u d] [<- L]]; specialize (I _ L).
        cbn [fst snd] in *; congruence.
Qed.

(* A law without a draw. *)
Lemma nothing_total : at_most (fun _ : unit => 1) any 1.
Proof.
  intros [|[] [|[] l]] [D _]; cbn [sum]; [lra|lra|].
  inversion_clear D as [|? ? N _]; destruct N; left; reflexivity.
Qed.

Definition nothing : law unit := Law unit (fun _ => 1) (fun _ => Rle_0_1) nothing_total.
