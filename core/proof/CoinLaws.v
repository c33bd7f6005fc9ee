(** * The laws of the coin

    Words are independent and uniform: [prob] is the chance of an event under that assumption. A loop
    that is given finitely many tries ends without a result with a chance that is stated: it falls to 0
    as the tries grow. *)

From Coq Require Import NArith ZArith Lia.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Hush Require Import Coin.
Import Order.TTheory GRing.Theory Num.Theory.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.

Definition nrat (n : N) : rat := (N.to_nat n)%:R.

(** The mean over all numbers below [b]. *)
Definition avg (b : N) (f : N -> rat) : rat :=
  (\sum_(0 <= i < N.to_nat b) f (N.of_nat i)) / nrat b.

(** The chance that a program ends with a result of which [E] holds. *)
Fixpoint prob (A : Type) (w : N) (d : draw A) (E : A -> bool) : rat :=
  match d with
  | Done a => (E a)%:R
  | Word next => avg (B w) (fun x => prob w (next x) E)
  | Out => 0
  end.

(** The chance that it is out of its allowance. *)
Fixpoint prob_out (A : Type) (w : N) (d : draw A) : rat :=
  match d with
  | Done _ => 0
  | Word next => avg (B w) (fun x => prob_out w (next x))
  | Out => 1
  end.

(** ** Lemmas on numbers and means *)

Lemma nratD m n : nrat (m + n) = nrat m + nrat n.
Proof. by rewrite /nrat N2Nat.inj_add natrD. Qed.

Lemma nratM m n : nrat (m * n) = nrat m * nrat n.
Proof. by rewrite /nrat N2Nat.inj_mul natrM. Qed.

Lemma nrat1 : nrat 1 = 1. Proof. by []. Qed.

Lemma nrat_ge0 n : 0 <= nrat n. Proof. exact: ler0n. Qed.

Lemma nrat_le m n : (m <= n)%num -> nrat m <= nrat n.
Proof. by move=> le; rewrite ler_nat; apply/ssrnat.leP; lia. Qed.

Lemma nrat_gt0 n : (0 < n)%num -> 0 < nrat n.
Proof. by move=> lt; rewrite ltr0n; apply/ssrnat.ltP; lia. Qed.

Lemma nrat_of_nat n : nrat (N.of_nat n) = n%:R.
Proof. by rewrite /nrat Nat2N.id. Qed.

Lemma nratX b n : nrat (b ^ N.of_nat n)%num = nrat b ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite expr0.
by rewrite Nat2N.inj_succ N.pow_succ_r' nratM IH exprS.
Qed.

Lemma B_gt0 w : (0 < B w)%num.
Proof. by rewrite /B; have := N.pow_nonzero 2 w; lia. Qed.

Section Means.
Variable b : N.
Hypothesis b0 : (0 < b)%num.
Implicit Types f g : N -> rat.

Lemma avg_ext f g : (forall x, (x < b)%num -> f x = g x) -> avg b f = avg b g.
Proof.
move=> e; congr (_ / _); rewrite !big_nat; apply: eq_bigr => i /andP[_ lt].
by apply: e; move/ssrnat.ltP: lt; lia.
Qed.

Lemma avg_le f g : (forall x, (x < b)%num -> f x <= g x) -> avg b f <= avg b g.
Proof.
move=> e; rewrite ler_wpmul2r ?invr_ge0 ?nrat_ge0 // !big_nat.
apply: ler_sum => i /andP[_ lt]; apply: e; move/ssrnat.ltP: lt; lia.
Qed.

Lemma avg_const c : avg b (fun=> c) = c.
Proof.
rewrite /avg sumr_const_nat subn0 -[c *+ _]mulr_natr -/(nrat b) mulfK //.
by rewrite gt_eqF // nrat_gt0.
Qed.

Lemma avgD f g : avg b (fun x => f x + g x) = avg b f + avg b g.
Proof. by rewrite /avg big_split mulrDl. Qed.

Lemma avgM c f : avg b (fun x => c * f x) = c * avg b f.
Proof. by rewrite /avg -mulr_sumr mulrA. Qed.

Lemma avg_ge0 f : (forall x, (x < b)%num -> 0 <= f x) -> 0 <= avg b f.
Proof. by move=> f0; rewrite -[0](avg_const 0); apply: avg_le. Qed.

(** Differences add up to that of the ends. *)
Lemma avg_telescope f :
  avg b (fun x => f (x + 1)%num - f x) = (f b - f 0%num) / nrat b.
Proof.
congr (_ / _); rewrite (eq_bigr (fun i => f (N.of_nat i.+1) - f (N.of_nat i))).
  by rewrite telescope_sumr // N2Nat.id.
by move=> i _; rewrite Nat2N.inj_succ -N.add_1_r.
Qed.

(** Of the numbers below [b], hi − lo lie in [lo, hi). *)
Lemma avg_interval lo hi : (lo <= hi)%num -> (hi <= b)%num ->
  avg b (fun x => ((lo <=? x) && (x <? hi))%num%:R) = (nrat hi - nrat lo) / nrat b.
Proof.
move=> lohi hib; pose f x := nrat (N.max lo (N.min x hi)).
rewrite (@avg_ext _ (fun x => f (x + 1)%num - f x)).
  rewrite avg_telescope /f {f}; have -> : N.max lo (N.min b hi) = hi by lia.
  by have -> : N.max lo (N.min 0 hi) = lo by lia.
move=> x _; rewrite /f {f}; case: (N.leb_spec lo x) => lox /=; last first.
  have -> : N.max lo (N.min (x + 1) hi) = lo by lia.
  have -> : N.max lo (N.min x hi) = lo by lia.
  by rewrite subrr.
case: (N.ltb_spec x hi) => xhi /=.
  have -> : N.max lo (N.min (x + 1) hi) = (x + 1)%num by lia.
  have -> : N.max lo (N.min x hi) = x by lia.
  by rewrite nratD addrAC subrr add0r.
have -> : N.max lo (N.min (x + 1) hi) = hi by lia.
have -> : N.max lo (N.min x hi) = hi by lia.
by rewrite subrr.
Qed.

End Means.

(** A mean over two numbers is a mean over the number that they make. *)
Lemma avg_pair a b (f : N -> rat) : (0 < a)%num -> (0 < b)%num ->
  avg (a * b) f = avg a (fun x => avg b (fun y => f (x * b + y)%num)).
Proof.
move=> a0 b0; rewrite /avg nratM invfM -mulr_suml [RHS]mulrAC mulrA; congr (_ / _ / _).
rewrite N2Nat.inj_mul multE; elim: {a a0}(N.to_nat a) => [|n IH]; first by rewrite mul0n !big_geq.
rewrite big_nat_recr //= -IH mulSn addnC (big_cat_nat _ _ _ (leq0n (n * N.to_nat b))) ?leq_addr //=.
congr (_ + _); rewrite -{1}[(n * _)%N]add0n big_addn addKn; apply: eq_bigr => i _.
by congr f; rewrite -plusE -multE; lia.
Qed.

(** ** The chance of a program that goes on after another *)

Section Coin.
Variable w : N.
Notation B := (B w).
Let B0 : (0 < B)%num. Proof. exact: B_gt0. Qed.

Lemma prob_ge0 A (d : draw A) E : 0 <= prob w d E.
Proof.
elim: d => [a|next IH|] //=; first exact: ler0n.
apply: (avg_ge0 B0) => x _; exact: IH.
Qed.

Lemma prob_total A (d : draw A) : prob w d xpredT + prob_out w d = 1.
Proof.
elim: d => [a|next IH|] /=; rewrite ?addr0 ?add0r // -avgD -[1](avg_const B0 1).
by apply: (avg_ext B0) => x _; apply: IH.
Qed.

Lemma prob_or A (d : draw A) E E' : (forall a, ~~ (E a && E' a)) ->
  prob w d (fun a => E a || E' a) = prob w d E + prob w d E'.
Proof.
move=> no; elim: d => [a|next IH|] /=; rewrite ?addr0 //.
  by have := no a; case: (E a); case: (E' a); rewrite // ?addr0 ?add0r.
by rewrite -avgD; apply: (avg_ext B0) => x _; apply: IH.
Qed.

Lemma prob_ext A (d : draw A) E E' : E =1 E' -> prob w d E = prob w d E'.
Proof. by move=> e; elim: d => [a|next IH|] //=; rewrite ?e //; apply: (avg_ext B0) => x _; apply: IH. Qed.

Lemma powB_gt0 n : (0 < B ^ N.of_nat n)%num.
Proof. by have := N.pow_nonzero B (N.of_nat n); lia. Qed.

(** n words are one uniform number below B^n. *)
Lemma prob_extend A n u (f : N -> draw A) E :
  prob w (bind (extend w n u) f) E =
  avg (B ^ N.of_nat n) (fun z => prob w (f (u * B ^ N.of_nat n + z)%num) E).
Proof.
elim: n u => [|n IH] u.
  by rewrite /avg big_nat1 divr1 /= N.mul_1_r N.add_0_r.
rewrite Nat2N.inj_succ N.pow_succ_r' (avg_pair _ B0 (powB_gt0 n)) /=.
apply: (avg_ext B0) => x _; rewrite IH; apply: (avg_ext (powB_gt0 _)) => z _.
by congr (prob w (f _) E); lia.
Qed.

(** A loop in which a try gives each of n results with chance (1 − again)/n. *)
Lemma tries_law (n again : rat) (p : nat -> rat) : p 0%N = 0 ->
  (forall t, p t.+1 = (1 - again) / n + again * p t) ->
  forall t, p t = (1 - again ^+ t) / n.
Proof.
move=> p0 pS; elim=> [|t IH]; first by rewrite p0 expr0 subrr mul0r.
rewrite pS IH mulrA -mulrDl; congr (_ / _).
by rewrite exprS mulrBr mulr1 addrA subrK.
Qed.

(** ** Uniform numbers *)

(** The words that lead to v are those in an interval of ⌊B/n⌋. *)
Lemma uniform_words n v x : (0 < n)%num -> (v < n)%num ->
  let lo := ((v * B + B mod n + n - 1) / n)%num in
  ((B mod n <=? (x * n) mod B) && (x * n / B =? v))%num =
  ((lo <=? x) && (x <? lo + B / n))%num.
Proof.
move=> n0 vn lo; have nz : n <> 0%num by lia.
have Bz : B <> 0%num by have := B0; lia.
have lo1 := N.div_mod (v * B + B mod n + n - 1) n nz.
have lo2 := N.mod_lt (v * B + B mod n + n - 1) n nz.
have Bn := N.div_mod B n nz; have xn := N.div_mod (x * n) B Bz; have xn2 := N.mod_lt (x * n) B Bz.
rewrite -/lo in lo1; move: lo lo1 lo2 => lo.
move: ((v * B + B mod n + n - 1) mod n)%num => rest lo1 lo2.
have e v' : (v' * B <= x * n)%num -> (x * n < v' * B + B)%num -> (x * n / B)%num = v'.
  by move=> l u; symmetry; apply: (N.div_unique _ _ _ (x * n - v' * B)); lia.
move: (x * n / B)%num ((x * n) mod B)%num e xn xn2 => V R e xn xn2.
move: (B / n)%num (B mod n)%num Bn lo1 => q t Bn lo1.
have c1 : (lo <=? x)%num = (v * B + t <=? x * n)%num.
  apply/N.leb_spec0/N.leb_spec0 => le; first by have := N.mul_le_mono_l lo x n; lia.
  by case: (N.le_gt_cases lo x) => // gt; have := N.mul_le_mono_l (x + 1) lo n; lia.
have c2 : (x <? lo + q)%num = (x * n <? v * B + B)%num.
  apply/N.ltb_spec0/N.ltb_spec0 => lt.
    by have := N.mul_le_mono_l (x + 1) (lo + q) n; lia.
  by case: (N.lt_ge_cases x (lo + q)) => // ge; have := N.mul_le_mono_l (lo + q) x n; lia.
rewrite c1 c2; apply/idP/idP => /andP[].
  move=> /N.leb_spec0 tR /N.eqb_spec eV; rewrite eV in xn.
  by apply/andP; split; [apply/N.leb_spec0|apply/N.ltb_spec0]; lia.
move=> /N.leb_spec0 l /N.ltb_spec0 u; have eV : V = v by apply: e; lia.
by rewrite eV in xn *; apply/andP; split; [apply/N.leb_spec0|apply/N.eqb_spec]; lia.
Qed.

Let interval_count lo hi b : (lo <= hi)%num -> (hi <= b)%num -> (0 < b)%num ->
  avg b (fun x => ((lo <=? x) && (x <? hi))%num%:R) = nrat (hi - lo) / nrat b.
Proof.
move=> lohi hib b0; rewrite avg_interval //; congr (_ / _).
have {1}-> : hi = (hi - lo + lo)%num by lia.
by rewrite nratD addrK.
Qed.

Let nrat_neq0 n : (0 < n)%num -> nrat n != 0.
Proof. by move=> n0; rewrite gt_eqF // nrat_gt0. Qed.

Let avg_exchange a b (f : N -> N -> rat) :
  avg a (fun x => avg b (fun y => f x y)) = avg b (fun y => avg a (fun x => f x y)).
Proof.
rewrite /avg -!mulr_suml mulrAC; congr (_ / _ / _); exact: exchange_big.
Qed.

(** A try draws x below b and takes it or not; each of n values is given by a share c of all x. *)
Let loop_law (b n : N) (c : rat) (acc : N -> bool) (val : N -> N) (v : N) (p : nat -> rat) :
  (0 < b)%num -> (v < n)%num ->
  (forall x, (x < b)%num -> acc x -> (val x < n)%num) ->
  (forall u, (u < n)%num -> avg b (fun x => (acc x && (val x =? u)%num)%:R) = c) ->
  p 0%N = 0 ->
  (forall t, p t.+1 = avg b (fun x => if acc x then (v =? val x)%num%:R else p t)) ->
  forall t, p t = (1 - (1 - nrat n * c) ^+ t) / nrat n.
Proof.
move=> b0 vn below share p0 pS.
have n0 : (0 < n)%num by lia.
have taken : avg b (fun x => (acc x)%:R) = nrat n * c.
  apply: (mulfI (x := (nrat n)^-1)); first by rewrite invr_eq0 nrat_neq0.
  rewrite mulKf ?nrat_neq0 // -(avg_const n0 c).
  rewrite -(avg_ext n0 share) avg_exchange -avgM; apply: (avg_ext b0) => x xb.
  case ax : (acc x) => /=; last by rewrite mulr0 avg_const.
  rewrite mulr1 (avg_ext n0 (g := fun u => ((val x <=? u) && (u <? val x + 1))%num%:R)).
    rewrite interval_count //; try (have := below x xb ax; lia).
    by rewrite N.add_comm N.add_sub mul1r.
  move=> u _; congr (nat_of_bool _)%:R.
  by case: N.eqb_spec; case: N.leb_spec; case: N.ltb_spec => //; lia.
have refused : avg b (fun x => (~~ acc x)%:R) = 1 - nrat n * c.
  rewrite -taken; apply/eqP; rewrite eq_sym subr_eq -avgD -{1}(avg_const b0 1); apply/eqP.
  by apply: (avg_ext b0) => x _; case: (acc x); rewrite ?addr0 ?add0r.
apply: tries_law => // t; rewrite pS subKr mulrAC divff ?nrat_neq0 // mul1r.
rewrite -refused -{1}(share v vn) [X in _ + X]mulrC -avgM -avgD; apply: (avg_ext b0) => x _.
by rewrite N.eqb_sym; case: (acc x); rewrite ?mulr1 ?mulr0 ?addr0 ?add0r.
Qed.

(** The share of words that are drawn again: B mod n of B, less than half of them. *)
Definition uniform_again (n : N) : rat := nrat (B mod n) / nrat B.

(** [Uniform] gives each number below n with the same chance; with t tries there is none with chance
    (B mod n / B)^t. *)
Theorem uniform_law tries n v : (0 < n)%num -> (n <= B)%num -> (v < n)%num ->
  prob w (uniform w tries n) (N.eqb v) = (1 - uniform_again n ^+ tries) / nrat n.
Proof.
move=> n0 nB vn; have nz : n <> 0%num by lia.
have Bz : B <> 0%num by have := B0; lia.
have Bn := N.div_mod B n nz.
have again : uniform_again n = 1 - nrat n * (nrat (B / n) / nrat B).
  rewrite /uniform_again mulrA -nratM -{1}(divff (nrat_neq0 B0)) -mulrBl; congr (_ / _).
  have -> : nrat B = nrat (n * (B / n)) + nrat (B mod n) by rewrite -nratD -Bn.
  by rewrite addrAC subrr add0r.
rewrite again; move: tries.
apply: (@loop_law B n _ (fun x => (B mod n <=? (x * n) mod B)%num) (fun x => (x * n / B)%num)
  v (fun t => prob w (uniform w t n) (N.eqb v))) => //.
  by move=> x xB _; apply: N.div_lt_upper_bound => //; apply/(N.mul_lt_mono_pos_r n x B n0).
  move=> u un; pose lo := ((u * B + B mod n + n - 1) / n)%num.
  rewrite (avg_ext B0 (g := fun x => ((lo <=? x) && (x <? lo + B / n))%num%:R)); last first.
    by move=> x _; rewrite uniform_words.
  have lo1 := N.mul_div_le (u * B + B mod n + n - 1) n nz; rewrite -/lo in lo1.
  have fits : (lo + B / n <= B)%num.
    move: lo lo1 => lo; have : ((u + 1) * B <= n * B)%num by apply: N.mul_le_mono_r; lia.
    move: (B / n)%num (B mod n)%num Bn => q t Bn le lo1.
    case: (N.le_gt_cases (lo + q) B) => // gt.
    by have := N.mul_le_mono_l (B + 1) (lo + q) n; lia.
  by rewrite interval_count //; [rewrite (N.add_comm lo) N.add_sub | apply: N.le_add_r].
by move=> t /=; apply: (avg_ext B0) => x _; case: ifP.
Qed.

End Coin.
