// Package added shows that a question of an existing kind takes two files by hand: its tests add
// one to the real catalogue and run there what looks at every question. It serves tests only and is
// not shipped.
package added
