// Package proof has the proofs that a machine checks.
//
// They are written in Coq, with the library Mathematical Components: of laws, of mechanisms and of
// a uniform number. proof.md says what they state; ./build.sh proofs checks them. No program uses
// the package.
package proof
