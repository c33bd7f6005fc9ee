// Package house keeps the order of the house: which part may know which other, what no part may do,
// and what is committed. Each rule has a reason, and a violation that its test plants. Tests only;
// not shipped.
package house
