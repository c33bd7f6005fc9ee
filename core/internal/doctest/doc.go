// Package doctest keeps what is written about the project and the project together: the index of
// proofs and audits, the links of doc comments, the README's table of dependencies and its snippet.
// Tests only; not shipped.
package doctest
