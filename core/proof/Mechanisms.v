(** * Mechanisms: their laws, and how close neighbours are

    [r] is the rational base of a mechanism, at least 1; a loss of k·ln r is the factor r^k here. *)

From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Hush Require Import Laws.
Import Order.TTheory GRing.Theory Num.Theory.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.

(** ** Randomised response

    The true bit with chance r/(1 + r), else the other. *)

Definition response (r : rat) (truth : bool) : bool -> rat :=
  fun answer => (if answer == truth then r else 1) / (1 + r).

Theorem response_law (r : rat) (truth : bool) : 0 <= r -> law (response r truth).
Proof.
move=> r0; have s0 : 0 < 1 + r by apply: ltr_paddr.
split=> [a|]; first by apply: divr_ge0; [case: ifP | apply: ltW].
rewrite big_bool /response /= -mulrDl; case: truth => /=; last by rewrite divff // gt_eqF.
by rewrite addrC divff // gt_eqF.
Qed.

Theorem response_dp (r : rat) (truth truth' : bool) : 1 <= r ->
  close r 0 (response r truth) (response r truth').
Proof.
move=> r1; have r0 : 0 <= r by apply: le_trans r1.
move=> E; rewrite addr0 /chance mulr_sumr; apply: ler_sum => a _.
rewrite /response mulrA ler_wpmul2r // ?invr_ge0 ?addr_ge0 //.
have rr : r <= r * r by rewrite ler_pemulr.
by case: ifP => _; case: ifP => _; rewrite ?mulr1 // (le_trans r1).
Qed.

(** ** Choices by weight *)

(** The chance of a candidate is proportional to its weight: what [coin.Source.Choose] draws. *)
Definition choice (T : finType) (w : T -> rat) : T -> rat := fun t => w t / \sum_s w s.

Lemma choice_law (T : finType) (w : T -> rat) :
  (forall t, 0 <= w t) -> 0 < \sum_t w t -> law (choice w).
Proof.
move=> w0 Z0; split=> [t|]; first by rewrite divr_ge0 // ltW.
by rewrite /choice -mulr_suml divff // gt_eqF.
Qed.

Lemma choice_ext (T : finType) (w w' : T -> rat) : w =1 w' -> choice w =1 choice w'.
Proof. by move=> e t; rewrite /choice e (eq_bigr w' (fun s _ => e s)). Qed.

Lemma chance_choice (T : finType) (w : T -> rat) (E : pred T) :
  chance (choice w) E = chance w E / \sum_s w s.
Proof. by rewrite /chance /choice mulr_suml. Qed.

Lemma chanceC (T : finType) (w : T -> rat) (E : pred T) :
  \sum_t w t = chance w E + chance w (predC E).
Proof. by rewrite (bigID E). Qed.

Lemma chance_le_sum (T : finType) (w : T -> rat) (E : pred T) :
  (forall t, 0 <= w t) -> chance w E <= \sum_t w t.
Proof. by move=> w0; rewrite (chanceC w E) ler_addl chance_ge0. Qed.

(** What all choices here rest on. The weights of either side are those of common candidates, [c] and
    [c'], and of newcomers, [n] and [n'], which have at most a share d. *)
Lemma choice_close (T : finType) (a s d : rat) (c n c' n' : T -> rat) :
  let Z := \sum_t (c t + n t) in let Z' := \sum_t (c' t + n' t) in
  0 <= a -> 0 <= s ->
  (forall t, [/\ 0 <= c t, 0 <= n t, 0 <= c' t & 0 <= n' t]) ->
  0 < Z -> 0 < Z' ->
  (forall t, c t <= a * c' t) -> \sum_t c' t <= s * (\sum_t c t) ->
  \sum_t n t <= d * Z -> \sum_t n' t <= d * Z' ->
  close (a * s) d (choice (fun t => c t + n t)) (choice (fun t => c' t + n' t)).
Proof.
move=> Z Z' a0 s0 w0 Z0 Z'0 cc CC N N' E; rewrite !chance_choice -/Z -/Z'.
have [c0 n0 c'0 n'0] : [/\ forall t, 0 <= c t, forall t, 0 <= n t,
    forall t, 0 <= c' t & forall t, 0 <= n' t] by split=> t; case: (w0 t).
have split_c (x y : T -> rat) : chance (fun t => x t + y t) E = chance x E + chance y E.
  exact: big_split.
rewrite !split_c.
have ZE : Z = \sum_t c t + \sum_t n t by exact: big_split.
have Z'E : Z' = \sum_t c' t + \sum_t n' t by exact: big_split.
have ccE : chance c E <= a * chance c' E.
  by rewrite /chance mulr_sumr; apply: ler_sum => t _.
apply: (@le_trans _ _ (a * s * (chance c' E / Z') + d)); last first.
  rewrite ler_add2r ler_wpmul2l ?mulr_ge0 // ler_wpmul2r ?invr_ge0 ?(ltW Z'0) //.
  by rewrite ler_addl chance_ge0.
case: (leP Z' (s * Z)) => [small|/ltW large].
  rewrite mulrDl ler_add //; last first.
    by rewrite ler_pdivr_mulr //; apply: le_trans N; exact: chance_le_sum.
  have inv : Z^-1 <= s / Z' by rewrite ler_pdivl_mulr // mulrC ler_pdivr_mulr.
  apply: (le_trans (ler_wpmul2r (ltW _) ccE)); first by rewrite invr_gt0.
  rewrite (mulrACA a s) ler_wpmul2l // mulr_ge0 // chance_ge0 //.
have -> : (chance c E + chance n E) / Z =
    1 - (chance c (predC E) + chance n (predC E)) / Z.
  apply/eqP; rewrite eq_sym subr_eq -mulrDl addrACA -!chanceC -ZE divff //.
  by rewrite gt_eqF.
have inv : s / Z' <= Z^-1 by rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr.
apply: (@le_trans _ _ (1 - chance c (predC E) * (s / Z'))).
  rewrite ler_add2l ler_opp2; apply: (@le_trans _ _ (chance c (predC E) / Z)).
    by rewrite ler_wpmul2l // chance_ge0.
  by rewrite ler_wpmul2r ?invr_ge0 ?(ltW Z0) // ler_addl chance_ge0.
rewrite ler_subl_addr -(ler_pmul2r Z'0) mul1r !mulrDl -!mulrA !mulVf ?gt_eqF // !mulr1.
apply: (@le_trans _ _ (s * (\sum_t c t) + d * Z')).
  by rewrite Z'E ler_add // -Z'E.
rewrite addrAC ler_add2r (chanceC c E) mulrDr [chance c (predC E) * s]mulrC ler_add2r.
by rewrite mulrCA ler_wpmul2l.
Qed.

(** A base to a power that moves by at most [k]. *)
Lemma power_moves (r : rat) (q q' : int) (k : nat) : 1 <= r ->
  q <= q' + k%:Z -> r ^ q <= r ^+ k * r ^ q'.
Proof.
move=> r1 le; have r0 : 0 < r by apply: lt_le_trans r1.
have [n En] : exists n : nat, q' + k%:Z = q + n%:Z.
  exists (absz (q' + k%:Z - q)%R); rewrite gez0_abs ?subr_ge0 //.
  by rewrite [q + _]addrC subrK.
rewrite [r ^+ k * _]mulrC -[r ^+ k]/(r ^ k%:Z) -expfzDr ?gt_eqF // En expfzDr ?gt_eqF //.
by rewrite ler_pemulr ?exprz_ge0 ?(ltW r0) // -exprnP exprn_ege1.
Qed.

(** ** Exponential mechanism

    [m] says how many candidates a group has, and is public. Higher scores are better. *)

Definition exponential (T : finType) (r : rat) (m : T -> nat) (q : T -> int) : T -> rat :=
  choice (fun t => (m t)%:R * r ^ q t).

Section Exponential.
Variables (T : finType) (r : rat) (m : T -> nat) (some : T).
Hypotheses (r1 : 1 <= r) (some_candidate : (0 < m some)%N).
Implicit Types q : T -> int.

Let r0 : 0 < r. Proof. exact: lt_le_trans r1. Qed.

Let weight_ge0 q t : 0 <= (m t)%:R * r ^ q t.
Proof. by rewrite mulr_ge0 ?ler0n ?exprz_ge0 ?(ltW r0). Qed.

Let total_gt0 q : 0 < \sum_t (m t)%:R * r ^ q t.
Proof.
rewrite (bigD1 some) //= ltr_paddr ?sumr_ge0 //.
by rewrite mulr_gt0 ?ltr0n ?exprz_gt0.
Qed.

Theorem exponential_law q : law (exponential r m q).
Proof. exact: choice_law. Qed.

Let exponential_close q q' (j k : nat) :
  (forall t, q t <= q' t + j%:Z) -> (forall t, q' t <= q t + k%:Z) ->
  close (r ^+ (j + k)) 0 (exponential r m q) (exponential r m q').
Proof.
move=> up down; rewrite exprD /exponential; have no (w : T -> rat) : (fun t : T => w t + 0) =1 w by move=> t; exact: addr0.
apply: (close_ext (choice_ext (no (fun t => (m t)%:R * r ^ q t)))
  (choice_ext (no (fun t => (m t)%:R * r ^ q' t)))).
apply: choice_close; rewrite ?exprn_ge0 ?(ltW r0) //.
- by rewrite (eq_bigr _ (fun t _ => no _ t)) total_gt0.
- by rewrite (eq_bigr _ (fun t _ => no _ t)) total_gt0.
- by move=> t; rewrite mulrCA ler_wpmul2l ?ler0n // power_moves.
- rewrite mulr_sumr; apply: ler_sum => t _.
  by rewrite mulrCA ler_wpmul2l ?ler0n // power_moves.
- by rewrite big1 // mul0r.
- by rewrite big1 // mul0r.
Qed.

(** Theorem 1 of exponential.md: scores change by at most Δ. *)
Theorem exponential_dp q q' (D : nat) :
  (forall t, q t <= q' t + D%:Z) -> (forall t, q' t <= q t + D%:Z) ->
  close (r ^+ (2 * D)) 0 (exponential r m q) (exponential r m q').
Proof. by move=> up down; rewrite mul2n -addnn; apply: exponential_close. Qed.

(** Theorem 2: moreover no score falls, *)
Theorem exponential_none_falls q q' (D : nat) :
  (forall t, q t <= q' t) -> (forall t, q' t <= q t + D%:Z) ->
  close (r ^+ D) 0 (exponential r m q) (exponential r m q').
Proof. by move=> up down; apply: (@exponential_close q q' 0 D) => // t; rewrite addr0. Qed.

(** or none rises. *)
Theorem exponential_none_rises q q' (D : nat) :
  (forall t, q t <= q' t + D%:Z) -> (forall t, q' t <= q t) ->
  close (r ^+ D) 0 (exponential r m q) (exponential r m q').
Proof.
move=> up down; rewrite -[D]addn0.
by apply: exponential_close => // t; rewrite ?addn0 ?addr0.
Qed.

End Exponential.

(** ** Stable choice

    [G] is the set of touched candidates, [q] their scores; [None] is the answer that there is none,
    with weight [missing]. *)

Definition missing (r d : rat) (k : nat) : rat := k%:R * r * (1 - d) / d.

Definition stable_weight (T : finType) (r d : rat) (k : nat) (G : {set T}) (q : T -> int) :
    option T -> rat :=
  fun o => if o is Some f then (if f \in G then r ^ q f else 0) else missing r d k.

Definition stable (T : finType) (r d : rat) (k : nat) (G : {set T}) (q : T -> int) :=
  choice (stable_weight r d k G q).

(** At most [k] candidates are touched in one data set only, and their scores are at most 1. *)
Definition few_newcomers (T : finType) (k : nat) (G G' : {set T}) (q : T -> int) : Prop :=
  (#|G :\: G'| <= k)%N /\ forall f, f \in G :\: G' -> q f <= 1.

Section Stable.
Variables (T : finType) (r d : rat) (k : nat).
Hypotheses (r1 : 1 <= r) (d0 : 0 < d) (d1 : d < 1) (some_newcomer : (0 < k)%N).
Implicit Types (G : {set T}) (q : T -> int).

Let r0 : 0 < r. Proof. exact: lt_le_trans r1. Qed.

Let missing_gt0 : 0 < missing r d k.
Proof. by rewrite divr_gt0 // mulr_gt0 ?subr_gt0 // mulr_gt0 ?ltr0n. Qed.

Let weight_ge0 G q o : 0 <= stable_weight r d k G q o.
Proof.
case: o => [f|] /=; last exact: ltW.
by case: ifP => // _; rewrite exprz_ge0 ?(ltW r0).
Qed.

Lemma stable_total_gt0 G q : 0 < \sum_o stable_weight r d k G q o.
Proof. by rewrite (bigD1 None) //= ltr_paddr ?sumr_ge0. Qed.

Theorem stable_law G q : law (stable r d k G q).
Proof. by apply: choice_law => //; apply: stable_total_gt0. Qed.

(** The weight of what both data sets have, and of newcomers. *)
Let common G G' q (o : option T) : rat :=
  if o is Some f then (if f \in G :&: G' then r ^ q f else 0) else missing r d k.
Let newcomer G G' q (o : option T) : rat :=
  if o is Some f then (if f \in G :\: G' then r ^ q f else 0) else 0.

Let parts G G' q : stable_weight r d k G q =1 (fun o => common G G' q o + newcomer G G' q o).
Proof.
case=> [f|] /=; last by rewrite addr0.
by rewrite !inE; case: (f \in G); case: (f \in G'); rewrite ?addr0 ?add0r.
Qed.

Let sum_option (F : option T -> rat) : \sum_o F o = F None + \sum_f F (Some f).
Proof.
rewrite (bigD1 None) //=; congr (_ + _).
rewrite (reindex_omap (@Some T) id) /=; last by case.
by apply: eq_bigl => f; rewrite eqxx.
Qed.

Let newcomers_few G G' q : few_newcomers k G G' q ->
  \sum_o newcomer G G' q o <= d * (\sum_o (common G G' q o + newcomer G G' q o)).
Proof.
case=> few low; rewrite big_split /=.
set N := \sum_o newcomer G G' q o; set C := \sum_o common G G' q o.
have NW : N * (1 - d) <= d * missing r d k.
  rewrite /missing mulrC [_ / d]mulrC mulrA divff ?gt_eqF // mul1r mulrC.
  rewrite ler_wpmul2r ?subr_ge0 ?(ltW d1) //.
  rewrite /N sum_option /= add0r -big_mkcond /=.
  apply: (@le_trans _ _ (\sum_(f in G :\: G') r)).
    apply: ler_sum => f fG; have := @power_moves r (q f) 0 1 r1.
    by rewrite expr0z mulr1 expr1; apply; rewrite add0r low.
  by rewrite sumr_const -[r *+ _]mulr_natl ler_wpmul2r ?(ltW r0) // ler_nat.
have WC : missing r d k <= C.
  rewrite /C sum_option /= ler_addl sumr_ge0 // => f _.
  by case: ifP => // _; rewrite exprz_ge0 ?(ltW r0).
rewrite mulrDr -ler_subl_addr -{1}[N]mulr1 [d * N]mulrC -mulrBr.
by apply: (le_trans NW); rewrite ler_wpmul2l ?(ltW d0).
Qed.

Let stable_close G G' q q' (j l : nat) :
  (forall f, f \in G :&: G' -> q f <= q' f + j%:Z) ->
  (forall f, f \in G :&: G' -> q' f <= q f + l%:Z) ->
  few_newcomers k G G' q -> few_newcomers k G' G q' ->
  close (r ^+ (j + l)) d (stable r d k G q) (stable r d k G' q').
Proof.
move=> up down few few'; rewrite exprD.
have same G1 G2 q1 : choice (fun o => common G1 G2 q1 o + newcomer G1 G2 q1 o) =1
    stable r d k G1 q1 by apply: choice_ext => o; rewrite (parts G1 G2).
apply: (close_ext (same G G' q) (same G' G q')).
have pos x n : 0 <= r ^+ n * r ^ x by rewrite mulr_ge0 ?exprn_ge0 ?exprz_ge0 ?(ltW r0).
have ge1 n : 1 <= r ^+ n by rewrite exprn_ege1.
have total G1 G2 q1 : 0 < \sum_o (common G1 G2 q1 o + newcomer G1 G2 q1 o).
  by rewrite -(eq_bigr _ (fun o _ => parts G1 G2 q1 o)) stable_total_gt0.
apply: choice_close => //; rewrite ?exprn_ge0 ?(ltW r0) //.
- by case=> [f|] /=; split=> //; rewrite ?(ltW missing_gt0) //;
    case: ifP => // _; rewrite exprz_ge0 ?(ltW r0).
- case=> [f|] /=; last by rewrite ler_pemull ?(ltW missing_gt0).
  rewrite [G' :&: G]setIC; case: ifP => fG; last by rewrite mulr0.
  by rewrite power_moves // up.
- rewrite mulr_sumr; apply: ler_sum; case=> [f|] _ /=.
    rewrite [G' :&: G]setIC; case: ifP => fG; last by rewrite mulr0.
    by rewrite power_moves // down.
  by rewrite ler_pemull ?(ltW missing_gt0).
- exact: newcomers_few.
- exact: newcomers_few.
Qed.

(** Theorem 1 of stable.md: common scores change by at most 1. *)
Theorem stable_dp G G' q q' :
  (forall f, f \in G :&: G' -> q f <= q' f + 1) ->
  (forall f, f \in G :&: G' -> q' f <= q f + 1) ->
  few_newcomers k G G' q -> few_newcomers k G' G q' ->
  close (r ^+ 2) d (stable r d k G q) (stable r d k G' q').
Proof. exact: (@stable_close G G' q q' 1 1). Qed.

(** Theorem 2: moreover no common score falls, *)
Theorem stable_none_falls G G' q q' :
  (forall f, f \in G :&: G' -> q f <= q' f) ->
  (forall f, f \in G :&: G' -> q' f <= q f + 1) ->
  few_newcomers k G G' q -> few_newcomers k G' G q' ->
  close r d (stable r d k G q) (stable r d k G' q').
Proof.
move=> up; rewrite -[r]expr1; apply: (@stable_close G G' q q' 0 1) => f fG.
by rewrite addr0 up.
Qed.

(** or none rises. *)
Theorem stable_none_rises G G' q q' :
  (forall f, f \in G :&: G' -> q f <= q' f + 1) ->
  (forall f, f \in G :&: G' -> q' f <= q f) ->
  few_newcomers k G G' q -> few_newcomers k G' G q' ->
  close r d (stable r d k G q) (stable r d k G' q').
Proof.
move=> up down; rewrite -[r]expr1; apply: (@stable_close G G' q q' 1 0) => // f fG.
by rewrite addr0 down.
Qed.

End Stable.
