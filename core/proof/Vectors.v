(** * Vectors

    The programs of [Coin.v], run on streams of words: [core/coin/testdata/proved.txt] has what Coq prints
    here, and core/coin has to give the same results with the same number of words, coin for coin. *)

From Coq Require Import NArith ZArith List Bool String Ascii.
From Hush Require Import Coin.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope N_scope.

(** ** Streams

    Some words that are given, then those of a generator with a seed: x' = a·x + c modulo 2^64. *)

Fixpoint generated (n : nat) (x : N) : list N :=
  match n with
  | O => []
  | S m => let y := (6364136223846793005 * x + 1442695040888963407) mod 2 ^ 64 in y :: generated m y
  end.

Definition stream (given : list N) (seed : N) : list N := (given ++ generated 100 seed)%list.

(** ** Text *)

Fixpoint digits (fuel : nat) (n : N) (rest : string) : string :=
  match fuel with
  | O => rest
  | S f => let text := String (ascii_of_N (48 + n mod 10)) rest in
           if n <? 10 then text else digits f (n / 10) text
  end.
Definition decimal (n : N) : string := digits 80 n "".
Definition newline : string := String "010" "".

(** Draws one after the other from one stream: "value/words" of each. *)
Fixpoint draws (n : nat) (d : draw N) (words : list N) : string :=
  match n with
  | O => newline
  | S m => match run d words with
           | Some (v, rest) => " " ++ decimal v ++ "/" ++
               decimal (N.of_nat (List.length words - List.length rest)) ++ draws m d rest
           | None => " none" ++ newline
           end
  end.

Definition given_text (words : list N) : string :=
  fold_right (fun x rest => decimal x ++ " " ++ rest) "" words.

Definition line (d : draw N) (given : list N) (seed : N) : string :=
  given_text given ++ decimal seed ++ ":" ++ draws 8 d (stream given seed).

Definition seeds (n : nat) : list N := map (fun k => N.of_nat k * 7919 + 1) (seq 0 n).

(** The lines of a program: of [n] seeds, and of each list of given words. *)
Definition lines (name : string) (d : draw N) (n : nat) (given : list (list N)) : string :=
  name ++ newline ++
  fold_right append "" (map (line d []) (seeds n)) ++
  fold_right append "" (map (fun words => line d words 1) given).

(** ** Words at which a decision turns

    The first words of num/den and those beside them. *)

Definition near (x : N) : list N := [(x + 2 ^ 64 - 1) mod 2 ^ 64; x mod 2 ^ 64; (x + 1) mod 2 ^ 64].

Definition beside (num den : N) : list (list N) :=
  let word k := (num * 2 ^ (64 * k) / den) mod 2 ^ 64 in
  (map (fun x => [x]) (near (word 1)) ++
   map (fun x => [word 1; x]) (near (word 2)) ++
   map (fun x => [word 1; word 2; word 3; x]) (near (word 4)) ++
   map (fun x => [word 1; word 2; word 3; word 4; word 5; word 6; word 7; x]) (near (word 8)))%list.

(** Words at which [Uniform] of n goes from one value to the next. *)
Definition turns (n : N) : list (list N) :=
  flat_map (fun v => map (fun x => [x]) (near (v * 2 ^ 64 / n)))
    [0; 1; 2; n / 3; n / 2; n - 1].

Definition corners : list (list N) := [[0]; [0; 0]; [2 ^ 64 - 1]; [2 ^ 64 - 1; 2 ^ 64 - 1]; [2 ^ 63]].

Definition bit (d : draw bool) : draw N := x <- d; Done (if x then 1 else 0).

(** ** The vectors *)

Definition of_uniform (n : N) : string :=
  lines ("uniform " ++ decimal n) (uniform 64 20 n) 24 (corners ++ turns n)%list.

Definition of_uniform_big (n : N) : string :=
  let length := N.size (n - 1) in
  let top := n * 2 ^ ((64 - length mod 64) mod 64) in
  let words := if 64 <? length
    then map (fun x => [x / 2 ^ 64 mod 2 ^ 64; x mod 2 ^ 64]) [top - 1; top; top + 1]
    else map (fun x => [x mod 2 ^ 64]) [top - 1; top; top + 1] in
  lines ("uniformbig " ++ decimal n) (uniform_big 64 40 n) 24 (corners ++ words)%list.

Definition of_bernoulli (num den : N) : string :=
  lines ("bernoulli " ++ decimal num ++ " " ++ decimal den)
    (bit (bernoulli 64 20 num den)) 24 (corners ++ turns den)%list.

Definition of_power (num den a b power : N) : string :=
  lines ("power " ++ given_text [num; den; a; b] ++ decimal power)
    (bit (bernoulli_power 64 4 num den a b power)) 24
    (corners ++ beside (num * b ^ power) (den * a ^ power))%list.

Definition of_geometric (a b : N) : string :=
  lines ("geometric " ++ decimal a ++ " " ++ decimal b) (geometric 64 4 a b) 24
    (corners ++ flat_map (fun k => beside (b ^ k) (a ^ k)) [1; 2; 3; 4; 7; 16; 40])%list.

(** The words that hit each group at its first position, and then those at which it is kept or not. *)
Fixpoint hits (total position : N) (groups : list group) : list (list N) :=
  match groups with
  | nil => []
  | Group height num den :: rest =>
      let x := position * 2 ^ (128 - N.size total) in
      (if height =? 0 then []
       else map (fun words => x / 2 ^ 64 :: x mod 2 ^ 64 :: words) (beside num den)) ++
      hits total (position + height) rest
  end%list.

Definition of_choice (a b : N) (scores : list (N * N)) (beginnings : bool) : string :=
  let '(total, _, groups) := heights a b scores in
  lines ("choose " ++ given_text [a; b] ++
      fold_right (fun s rest => decimal (fst s) ++ "*" ++ decimal (snd s) ++ " " ++ rest) "" scores)
    (choose 64 20 40 4 total groups) 24
    (corners ++ (if beginnings then hits total 0 groups else []) ++
     map (fun x => [x / 2 ^ 64; x mod 2 ^ 64]) [total; total - 1])%list.

Definition choices : list (N * N * list (N * N)) :=
  [(3, 2, [(0, 1); (2, 5); (3, 0); (5, 40)]);
   (2, 1, [(0, 1); (1, 1); (2, 1); (3, 1)]);
   (9, 8, [(7, 3); (0, 1); (30, 1000); (200, 18446744073709551615); (1, 1)]);
   (101, 100, [(0, 1); (40, 7); (80, 7); (255, 12345678901)])].

(** The heights of these choices are at least the weights: what Theorem 4 of coin.md asks of them. *)
Lemma heights_enough :
  forallb (fun c => enough (heights (fst (fst c)) (snd (fst c)) (snd c))) choices = true.
Proof. vm_compute. reflexivity. Qed.

(** In the first and the third of them a group is kept with a chance that is so near a multiple of 2^-64 that
    core/coin, which encloses it, reads one word more than has to be: there no stream begins with [hits]. *)
Definition of_choices (k : nat) : string :=
  let c := nth k choices (2, 1, []) in of_choice (fst (fst c)) (snd (fst c)) (snd c) (Nat.odd k).

(** Each is printed by itself: one text of all is too long for Coq. *)

Set Printing Width 1000000.

Eval vm_compute in of_uniform 1.
Eval vm_compute in of_uniform 2.
Eval vm_compute in of_uniform 3.
Eval vm_compute in of_uniform 10.
Eval vm_compute in of_uniform (2 ^ 32 + 1).
Eval vm_compute in of_uniform (2 ^ 63 + 1).
Eval vm_compute in of_uniform (2 ^ 64 - 1).
Eval vm_compute in of_uniform_big 1.
Eval vm_compute in of_uniform_big 10.
Eval vm_compute in of_uniform_big (2 ^ 64).
Eval vm_compute in of_uniform_big (2 ^ 64 + 1).
Eval vm_compute in of_uniform_big (2 ^ 100 - 2 ^ 98).
Eval vm_compute in of_bernoulli 0 5.
Eval vm_compute in of_bernoulli 5 5.
Eval vm_compute in of_bernoulli 2 5.
Eval vm_compute in of_bernoulli 1 (2 ^ 64 - 1).
Eval vm_compute in of_bernoulli (2 ^ 63) (2 ^ 63 + 1).
Eval vm_compute in of_power 1 1 3 2 1.
Eval vm_compute in of_power 3 4 3 2 2.
Eval vm_compute in of_power 2 7 2 1 5.
Eval vm_compute in of_power 1 1 101 100 30.
Eval vm_compute in of_power 1 3 9 8 200.
Eval vm_compute in of_geometric 2 1.
Eval vm_compute in of_geometric 3 2.
Eval vm_compute in of_geometric 9 8.
Eval vm_compute in of_choices 0%nat.
Eval vm_compute in of_choices 1%nat.
Eval vm_compute in of_choices 2%nat.
Eval vm_compute in of_choices 3%nat.
