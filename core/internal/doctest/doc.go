// Package doctest keeps what is written about the project and the project together: the index of
// proofs and audits, the links of doc comments, the README's table of dependencies and its snippet;
// and the house: how many golden files there are, and what is said of tests that were tried again.
// Tests only; not shipped.
package doctest
