(** * The coin as a program

    What [core/coin] does with the words of its source, written so that it can be run here and so that its
    laws can be proved. [CoinLaws.v] has the law of [uniform] only. No test compares these programs with
    the Go code yet: that they are the same is read, not checked. A word has [w] bits: 64 in Go. *)

From Coq Require Import NArith List Bool.
Import ListNotations.
Local Open Scope N_scope.

(** ** Programs that draw words *)

(** A program is done, or draws a word and goes on, or is out of its allowance: loops that end with
    probability 1 are written with a number of tries. *)
Inductive draw (A : Type) : Type :=
| Done (a : A)
| Word (next : N -> draw A)
| Out.
Arguments Done {A}.
Arguments Word {A}.
Arguments Out {A}.

Fixpoint bind {A C : Type} (d : draw A) (f : A -> draw C) : draw C :=
  match d with
  | Done a => f a
  | Word next => Word (fun x => bind (next x) f)
  | Out => Out
  end.
Notation "x <- d ; e" := (bind d (fun x => e)) (at level 61, d at next level, right associativity).

(** The result, and the words that are left. *)
Fixpoint run {A : Type} (d : draw A) (words : list N) : option (A * list N) :=
  match d, words with
  | Done a, _ => Some (a, words)
  | Word next, x :: rest => run (next x) rest
  | _, _ => None
  end.

Section Words.
Variable w : N. (* bits of a word *)

Definition B : N := 2 ^ w.

(** [extend]: n further words behind those of u. *)
Fixpoint extend (n : nat) (u : N) : draw N :=
  match n with
  | O => Done u
  | S m => Word (fun x => extend m (u * B + x))
  end.

(** ** Uniform numbers *)

(** [Uniform]: a word x gives ⌊x·n/B⌋, and is drawn again where x·n mod B is below B mod n. *)
Fixpoint uniform (tries : nat) (n : N) : draw N :=
  match tries with
  | O => Out
  | S t => Word (fun x => if B mod n <=? (x * n) mod B then Done (x * n / B) else uniform t n)
  end.

(** What [UniformBig] and [uniform128] share: of some words the excess bits are dropped. *)
Fixpoint uniform_of (tries words : nat) (excess n : N) : draw N :=
  match tries with
  | O => Out
  | S t => x <- extend words 0;
           let y := x / 2 ^ excess in
           if y <? n then Done y else uniform_of t words excess n
  end.

(** [UniformBig]: as many bits as n − 1 has. *)
Definition uniform_big (tries : nat) (n : N) : draw N :=
  let length := N.size (n - 1) in
  let words := (length + w - 1) / w in
  uniform_of tries (N.to_nat words) (words * w - length) n.

(** [uniform128]: two words, as many bits as n has. *)
Definition uniform_two (tries : nat) (n : N) : draw N :=
  uniform_of tries 2 (2 * w - N.size n) n.

(** ** Comparisons with one uniform number U

    [known left m u]: the first m words of U are u, and their number may be doubled [left] times. *)
Record known := Known { left : nat; words : nat; u : N }.

(** One word of U. *)
Definition begin (left : nat) : draw known := x <- extend 1 0; Done (Known left 1 x).

(** [below]: whether U < num/den. U lies in [u, u+1)·B^(−m). *)
Fixpoint below_from (left m : nat) (u num den : N) : draw (bool * known) :=
  let unit := B ^ N.of_nat m in
  if (u + 1) * den <=? num * unit then Done (true, Known left m u)
  else if num * unit <=? u * den then Done (false, Known left m u)
  else match left with
  | O => Out
  | S l => v <- extend m u; below_from l (m + m) v num den
  end.

Definition below (num den : N) (k : known) : draw (bool * known) :=
  below_from (left k) (words k) (u k) num den.

(** [Bernoulli] of num/den, held as such: no word where it is sure, else [Uniform]. *)
Definition bernoulli (tries : nat) (num den : N) : draw bool :=
  if (num =? 0) || (num =? den) then Done (0 <? num)
  else x <- uniform tries den; Done (x <? num).

(** [Bernoulli] of num/den·(b/a)^power, power > 0: [decide]. *)
Definition bernoulli_power (doublings : nat) (num den a b power : N) : draw bool :=
  k <- begin doublings;
  r <- below (num * b ^ power) (den * a ^ power) k;
  Done (fst r).

(** ** Geometric noise

    The largest k with U < r^(−k), r = a/b, found from its highest bit down. *)

(** The first bit, of at most [bits], with U ≥ r^(−2^bit). *)
Fixpoint climb (a b : N) (bits : nat) (bit : N) (k : known) : draw (N * known) :=
  match bits with
  | O => Done (bit, k)
  | S l => r <- below (b ^ 2 ^ bit) (a ^ 2 ^ bit) k;
           if fst r then climb a b l (bit + 1) (snd r) else Done (bit, snd r)
  end.

Fixpoint descend (a b : N) (bits : nat) (k : N) (x : known) : draw (N * known) :=
  match bits with
  | O => Done (k, x)
  | S l => let more := k + 2 ^ N.of_nat l in
           r <- below (b ^ more) (a ^ more) x;
           descend a b l (if fst r then more else k) (snd r)
  end.

Definition geometric_from (a b : N) (x : known) : draw (N * known) :=
  top <- climb a b (N.to_nat w) 0 x;
  descend a b (N.to_nat (fst top)) 0 (snd top).

Definition geometric (doublings : nat) (a b : N) : draw N :=
  x <- begin doublings;
  r <- geometric_from a b x;
  Done (fst r).

(** ** Choice among groups

    [Choose] with the heights h of its groups, each at least the weight in units of a common size, and
    the chance num/den with which a group that was hit is kept: its weight in units of h. *)

Record group := Group { height : N; num : N; den : N }.

(** [at]: the group whose height covers the position, if any. *)
Fixpoint find (groups : list group) (i position : N) : option (N * group) :=
  match groups with
  | nil => None
  | g :: rest => if position <? height g then Some (i, g) else find rest (i + 1) (position - height g)
  end.

Fixpoint choose (rounds tries doublings : nat) (total : N) (groups : list group) : draw N :=
  match rounds with
  | O => Out
  | S r => position <- uniform_two tries total;
           match find groups 0 position with
           | None => choose r tries doublings total groups
           | Some (i, g) =>
               k <- begin doublings;
               kept <- below (num g) (den g) k;
               if fst kept then Done i else choose r tries doublings total groups
           end
  end.

End Words.
