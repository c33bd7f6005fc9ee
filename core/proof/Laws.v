(** * Laws and what it means that they are close

    A law on a finite type [T] is its function of masses, [T -> rat]. [close r d P Q] is one direction
    of (ε, δ)-differential privacy with the rational base r in place of e^ε and d in place of δ. All
    numbers are rational, nothing is rounded, and no real number occurs. *)

From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
Import Order.TTheory GRing.Theory Num.Theory.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.

(** [P] is a law: no mass is below 0, and the whole is 1. *)
Definition law (T : finType) (P : T -> rat) : Prop :=
  (forall t, 0 <= P t) /\ \sum_t P t = 1.

(** The probability of an event. *)
Definition chance (T : finType) (P : T -> rat) (E : pred T) : rat := \sum_(t | E t) P t.

(** P(E) ≤ r·Q(E) + d for every event E. *)
Definition close (T : finType) (r d : rat) (P Q : T -> rat) : Prop :=
  forall E : pred T, chance P E <= r * chance Q E + d.

(** A mechanism [M] gives a law for each data set. *)
Definition dp (D : Type) (near : D -> D -> Prop) (T : finType) (r d : rat) (M : D -> T -> rat) :=
  forall S S', near S S' -> close r d (M S) (M S').

(** What an audit computes: Σ max(0, P − r·Q). *)
Definition excess (T : finType) (r : rat) (P Q : T -> rat) : rat :=
  \sum_t Num.max 0 (P t - r * Q t).

(** The law of a second step [K] that looks at the result of a first. *)
Definition after (T U : finType) (P : T -> rat) (K : T -> U -> rat) : U -> rat :=
  fun u => \sum_t P t * K t u.

(** The law of both results, where the second step may depend on the first result. *)
Definition both (T U : finType) (P : T -> rat) (K : T -> U -> rat) : T * U -> rat :=
  fun p => P p.1 * K p.1 p.2.

(** ** Lemmas *)

Section Laws.
Variable T : finType.
Implicit Types (P Q R : T -> rat) (E : pred T) (r d : rat).

Lemma chance_ge0 P E : (forall t, 0 <= P t) -> 0 <= chance P E.
Proof. by move=> pos; apply: sumr_ge0. Qed.

Lemma chance_le1 P E : law P -> chance P E <= 1.
Proof.
case=> pos <-; rewrite /chance [X in _ <= X](bigID E) /= ler_addl.
exact: sumr_ge0.
Qed.

Lemma close_ext r d P P' Q Q' : P =1 P' -> Q =1 Q' -> close r d P Q -> close r d P' Q'.
Proof.
move=> eP eQ PQ E; have := PQ E.
by rewrite /chance (eq_bigr P' (fun t _ => eP t)) (eq_bigr Q' (fun t _ => eQ t)).
Qed.

(** [close] extends from events to all functions from 0 to 1. *)
Lemma close_mean r d P Q (g : T -> rat) :
  close r d P Q -> (forall t, 0 <= g t <= 1) ->
  \sum_t P t * g t <= r * (\sum_t Q t * g t) + d.
Proof.
move=> PQ g01; pose E t := r * Q t < P t.
rewrite -ler_subl_addl mulr_sumr -sumrB.
apply: (@le_trans _ _ (\sum_(t | E t) (P t - r * Q t))); last first.
  rewrite sumrB -mulr_sumr ler_subl_addl; exact: PQ.
rewrite [X in _ <= X]big_mkcond /=; apply: ler_sum => t _.
have /andP[g0 g1] := g01 t.
have -> : P t * g t - r * (Q t * g t) = (P t - r * Q t) * g t by rewrite mulrBl mulrA.
case: ifP => [lt|/negbT].
  by rewrite ler_pimulr // subr_ge0 ltW.
by rewrite /E -leNgt => le; rewrite mulr_le0_ge0 // subr_le0.
Qed.

(** *** An audit's sum says exactly whether two laws are close *)
Theorem excess_close r d P Q : excess r P Q <= d <-> close r d P Q.
Proof.
split=> [le E|PQ].
  rewrite -ler_subl_addl /chance mulr_sumr -sumrB; apply: le_trans le.
  rewrite big_mkcond /=; apply: ler_sum => t _.
  by case: ifP => _; rewrite le_maxr lexx ?orbT.
have := PQ (fun t => r * Q t <= P t).
rewrite -ler_subl_addl /chance mulr_sumr -sumrB => le.
apply: le_trans le; rewrite [X in _ <= X]big_mkcond /=; apply: ler_sum => t _.
case: ifP => [ge|/negbT]; first by rewrite max_r // subr_ge0.
by rewrite -ltNge => lt; rewrite max_l // subr_le0 ltW.
Qed.

(** What is close is closer than anything weaker. *)
Lemma close_weaken r r' d d' P Q : (forall t, 0 <= Q t) ->
  r <= r' -> d <= d' -> close r d P Q -> close r' d' P Q.
Proof.
move=> pos rr' dd' PQ E; apply: (le_trans (PQ E)).
by rewrite ler_add // ler_wpmul2r // chance_ge0.
Qed.

(** Two steps: δ grows to d + r·d'. *)
Lemma close_trans r r' d d' P Q R : 0 <= r ->
  close r d P Q -> close r' d' Q R -> close (r * r') (d + r * d') P R.
Proof.
move=> r0 PQ QR E; apply: (le_trans (PQ E)).
have := ler_wpmul2l r0 (QR E).
by rewrite mulrDr mulrA -(ler_add2r d) => /le_trans; apply; rewrite -addrA [d + _]addrC.
Qed.

End Laws.

(** A chain of [k] neighbours from S to S'. *)
Inductive chain (D : Type) (near : D -> D -> Prop) : nat -> D -> D -> Prop :=
| chain0 S : chain near 0 S S
| chainS k S S' S'' : near S S' -> chain near k S' S'' -> chain near k.+1 S S''.

Theorem group_privacy (D : Type) (near : D -> D -> Prop) (T : finType) (r d : rat)
    (M : D -> T -> rat) (k : nat) (S S' : D) : 0 <= r ->
  dp near r d M -> chain near k S S' ->
  close (r ^+ k) (d * \sum_(i < k) r ^+ i) (M S) (M S').
Proof.
move=> r0 Mdp; elim=> [{}S|{}k {}S S1 S2 SS1 _ IH] E.
  by rewrite expr0 mul1r big_ord0 mulr0 addr0.
have := close_trans r0 (Mdp _ _ SS1) IH E; rewrite -exprS.
suff -> : d + r * (d * \sum_(i < k) r ^+ i) = d * \sum_(i < k.+1) r ^+ i by [].
rewrite big_ord_recl expr0 mulrDr mulr1; congr (_ + _).
rewrite mulrCA; congr (_ * _); rewrite mulr_sumr.
by apply: eq_bigr => i _; rewrite exprS.
Qed.

(** ** Post-processing *)

Lemma chance_after (T U : finType) (P : T -> rat) (K : T -> U -> rat) (E : pred U) :
  chance (after P K) E = \sum_t P t * chance (K t) E.
Proof.
rewrite /chance /after exchange_big /=; apply: eq_bigr => t _.
by rewrite mulr_sumr.
Qed.

Theorem post_processing (T U : finType) (r d : rat) (P Q : T -> rat) (K : T -> U -> rat) :
  (forall t, law (K t)) -> close r d P Q -> close r d (after P K) (after Q K).
Proof.
move=> Klaw PQ E; rewrite !chance_after; apply: close_mean => // t.
by rewrite chance_le1 // andbT chance_ge0 //; case: (Klaw t).
Qed.

(** ** Composition: the second step may be chosen by the first result *)

Lemma chance_both (T U : finType) (P : T -> rat) (K : T -> U -> rat) (E : pred (T * U)) :
  chance (both P K) E = \sum_t P t * chance (K t) (fun u => E (t, u)).
Proof.
rewrite /chance /both (eq_bigr (fun t => \sum_(u | E (t, u)) P t * K t u)); last first.
  by move=> t _; rewrite mulr_sumr.
rewrite pair_big_dep /=; apply: eq_big => [[t u]|[t u] _] //=.
Qed.

(** The step that composition and the filter share. [p t] and [q t] are the chances of an event after
    the first result [t]. *)
Lemma compose_mean (T : finType) (r r' d d' : rat) (P Q : T -> rat) (p q : T -> rat) :
  law P -> (forall t, 0 <= Q t) -> 0 <= r -> 0 <= r' -> 0 <= d' ->
  close r d P Q ->
  (forall t, p t <= 1) -> (forall t, 0 <= q t) -> (forall t, p t <= r' * q t + d') ->
  \sum_t P t * p t <= r * r' * (\sum_t Q t * q t) + (d + d').
Proof.
move=> [P0 P1] Q0 r0 r'0 d'0 PQ p1 q0 pq.
pose g t := Num.min 1 (r' * q t).
have g01 t : 0 <= g t <= 1.
  by rewrite /g le_minr ler01 mulr_ge0 //= le_minl lexx.
have step : \sum_t P t * p t <= \sum_t P t * g t + d'.
  rewrite -[d']mul1r -P1 mulr_suml -big_split /=; apply: ler_sum => t _.
  rewrite -mulrDr ler_wpmul2l // /g; case: (leP 1 (r' * q t)) => _; last exact: pq.
  by apply: (le_trans (p1 t)); rewrite ler_addl.
apply: (le_trans step); rewrite addrA ler_add2r.
apply: (le_trans (close_mean PQ g01)); rewrite ler_add2r -mulrA ler_wpmul2l //.
rewrite mulr_sumr; apply: ler_sum => t _.
by rewrite mulrCA ler_wpmul2l // /g le_minl lexx orbT.
Qed.

Theorem composition (T U : finType) (r r' d d' : rat) (P Q : T -> rat) (K L : T -> U -> rat) :
  law P -> law Q -> (forall t, law (K t)) -> (forall t, law (L t)) ->
  0 <= r -> 0 <= r' -> 0 <= d' ->
  close r d P Q -> (forall t, close r' d' (K t) (L t)) ->
  close (r * r') (d + d') (both P K) (both Q L).
Proof.
move=> Pl [Q0 _] Kl Ll r0 r'0 d'0 PQ KL E; rewrite !chance_both.
apply: compose_mean => // t; first exact: chance_le1.
  by apply: chance_ge0; case: (Ll t).
exact: KL.
Qed.

(** ** The filter: losses chosen on the way, added up path by path

    A [tree] is an interaction seen from two neighbours at once. At a [step] the analyst has chosen a
    release with laws P and Q, and says its r and d; what is asked next may depend on all results so
    far. [within R D] is what the filter checks before each release: along no path do the r multiply
    to more than R, nor the d add up to more than D. *)

Inductive tree (T : finType) : Type :=
| stop
| step (r d : rat) (P Q : T -> rat) (next : T -> tree T).
Arguments stop {T}.

(** Each release is as private as it says. *)
Fixpoint honest (T : finType) (t : tree T) : Prop :=
  if t is step r d P Q next then
    law P /\ law Q /\ 0 < r /\ 0 <= d /\ close r d P Q /\ forall x, honest (next x)
  else True.

Fixpoint within (T : finType) (R D : rat) (t : tree T) : Prop :=
  if t is step r d P Q next then
    [/\ 0 <= R, d <= D & forall x, within (R / r) (D - d) (next x)]
  else 1 <= R /\ 0 <= D.

(** The chance of a set of paths under the first laws, and under the second. *)
Fixpoint path_chance (T : finType) (second : bool) (t : tree T) (E : seq T -> bool) : rat :=
  if t is step r d P Q next then
    \sum_x (if second then Q x else P x) * path_chance second (next x) (fun s => E (x :: s))
  else (E [::])%:R.

Lemma path_chance01 (T : finType) (second : bool) (t : tree T) (E : seq T -> bool) :
  honest t -> 0 <= path_chance second t E <= 1.
Proof.
elim: t E => [|r d P Q next IH] E /=; first by case: (E _); rewrite ?lexx ?ler01.
case=> [[P0 P1] [[Q0 Q1] [_ [_ [_ ok]]]]].
have L0 x : 0 <= (if second then Q x else P x) by case: (second).
apply/andP; split.
  by apply: sumr_ge0 => x _; rewrite mulr_ge0 //; have /andP[] := IH x (fun s => E (x :: s)) (ok x).
have <- : \sum_x (if second then Q x else P x) = 1 by case: (second).
apply: ler_sum => x _; rewrite ler_pimulr //.
by have /andP[] := IH x (fun s => E (x :: s)) (ok x).
Qed.

Theorem filter (T : finType) (R D : rat) (t : tree T) (E : seq T -> bool) :
  honest t -> within R D t ->
  path_chance false t E <= R * path_chance true t E + D.
Proof.
elim: t R D E => [|r d P Q next IH] R D E /=.
  move=> _ [R1 D0]; case: (E _); last by rewrite mulr0 add0r.
  by rewrite mulr1 (le_trans R1) // ler_addl.
case=> [Pl [Ql [r0 [d0 [PQ ok]]]]] [R0 dD fit].
have := @compose_mean T r (R / r) d (D - d) P Q
  (fun x => path_chance false (next x) (fun s => E (x :: s)))
  (fun x => path_chance true (next x) (fun s => E (x :: s))).
have -> : r * (R / r) = R by rewrite mulrC divfK // gt_eqF.
rewrite (addrC d) subrK; apply=> //.
- by case: Ql.
- exact: ltW.
- by rewrite divr_ge0 // ltW.
- by rewrite subr_ge0.
- by move=> x; have /andP[] := @path_chance01 T false (next x) (fun s => E (x :: s)) (ok x).
- by move=> x; have /andP[] := @path_chance01 T true (next x) (fun s => E (x :: s)) (ok x).
- by move=> x; apply: IH.
Qed.
