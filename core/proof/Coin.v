(** * The coin as a program

    What [core/coin] does with the words of its source, written so that it can be run here and so that its
    laws can be proved; [CoinLaws.v] has the law of [uniform]. [Vectors.v] runs these programs, and core/coin
    has to give the same results with the same number of words. A word has [w] bits: 64 in Go. *)

From Coq Require Import NArith ZArith List Bool.
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

(** ** Heights as core/coin computes them

    A [dyadic] (m, e) is m·2^e with 2^63 ≤ m < 2^64, or 0: here always an upper bound. *)

Definition dyadic : Type := N * Z.

(** ⌈n/2^bits⌉ *)
Definition shift_up (n bits : N) : N := (n + (2 ^ bits - 1)) / 2 ^ bits.

(** [topUp]: the leading 64 bits of n·2^e, rounded up. *)
Definition top_up (n : N) (e : Z) : dyadic :=
  let size := N.size n in
  if n =? 0 then (0, 0%Z)
  else if size <=? 64 then (n * 2 ^ (64 - size), (e - Z.of_N (64 - size))%Z)
  else let m := shift_up n (size - 64) in
       if m =? 2 ^ 64 then (2 ^ 63, (e + Z.of_N (size - 64) + 1)%Z)
       else (m, (e + Z.of_N (size - 64))%Z).

(** [mulUp]: the product is rounded up to 64 bits. *)
Definition mul_up (x y : dyadic) : dyadic := top_up (fst x * fst y) (snd x + snd y).

(** [interval.round] of an upper end, to [bits]. *)
Definition round_up (bits n : N) (e : Z) : N * Z :=
  let extra := N.size n - bits in (shift_up n extra, (e + Z.of_N extra)%Z).

(** The upper ends of r^(−1), r^(−2), r^(−4), … to 256 bits, r = a/b. *)
Definition inverse_up (a b : N) : N * Z :=
  let shift := 257 + N.size a - N.size b in
  round_up 256 ((b * 2 ^ shift + (a - 1)) / a) (- Z.of_N shift).

Fixpoint squares (n : nat) (x : N * Z) : list dyadic :=
  match n with
  | O => nil
  | S m => top_up (fst x) (snd x) :: squares m (round_up 256 (fst x * fst x) (snd x + snd x))
  end.

(** [powers.upper] of d < 256: the product of squares from the lowest bit of d up. *)
Fixpoint product (d : N) (x : dyadic) (squares : list dyadic) : dyadic :=
  match squares with
  | nil => x
  | s :: rest => product (d / 2) (if N.odd d then mul_up x s else x) rest
  end.
Definition one : dyadic := (2 ^ 63, (-63)%Z).
Definition power_up (a b d : N) : dyadic := product d one (squares 8 (inverse_up a b)).

(** [chooser.upper] of a group whose score is d above the lowest, m candidates, m ≥ 1. *)
Definition upper (a b d m : N) : dyadic :=
  if m =? 1 then power_up a b d else mul_up (top_up m 0) (power_up a b d).

(** [dyadic.up]: ⌈x/2^e⌉ *)
Definition up (x : dyadic) (e : Z) : N :=
  let shift := Z.to_N (e - snd x) in if 64 <=? shift then 1 else shift_up (fst x) shift.

(** [sumBlocks] of one block: the sum of the heights, with what raising the unit adds. *)
Fixpoint sum_block (weights : list dyadic) (sum count : N) (e : option Z) : N * Z :=
  match weights with
  | nil => (sum, match e with Some e => e | None => 0%Z end)
  | x :: rest =>
      let raised := match e with
        | Some old => if (old <? snd x)%Z
                      then (sum / 2 ^ Z.to_N (snd x - old) + count, snd x) else (sum, old)
        | None => (sum, snd x)
        end in
      sum_block rest (fst raised + up x (snd raised)) (count + 1) (Some (snd raised))
  end.

(** Groups of [Choose]: how far each score is above the lowest, and how many candidates it has, none
    being 0. With the total of all heights, and 2^unit, which they count. *)
Definition heights (a b : N) (scores : list (N * N)) : N * Z * list group :=
  let sum := sum_block (map (fun s => upper a b (fst s) (snd s))
                            (filter (fun s => negb (snd s =? 0)) scores)) 0 0 None in
  let e := snd sum in
  let make (s : N * N) :=
    let '(d, m) := s in
    if m =? 0 then Group 0 0 1
    else let h := up (upper a b d m) e in
         if (e <? 0)%Z then Group h (m * b ^ d * 2 ^ Z.to_N (- e)) (h * a ^ d)
         else Group h (m * b ^ d) (h * a ^ d * 2 ^ Z.to_N e)
  in (fst sum, e, map make scores).

(** The heights are large enough: no group weighs more than its height, and all fit below the total. *)
Definition enough (x : N * Z * list group) : bool :=
  let '(total, _, groups) := x in
  forallb (fun g => num g <=? den g) groups &&
  (fold_right N.add 0 (map height groups) <=? total).
