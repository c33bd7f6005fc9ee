// Package density learns how a column is distributed, privately: a distribution function and a density, with bands that hold with 95 %, from which
// quantiles, ranges and synthetic data come for free.
//
// A Learner releases a Distribution from sorted codes. Persons without a value have no code and are not passed in: n, the number of persons, is public and
// how many have a value is private, so they are one more cell of every partition. Whatever is done with a Distribution afterwards (fewer pieces,
// polynomials, shapes, synthetic data) is post-processing.
//
//	MERR          a few places where the approximation was worst: any domain, few persons
//	QuantileTree  cells with equally many persons: any domain
//	Hierarchy     a tree over equal cells: the smallest error of the distribution function on domains of a few thousand values
//	Histogram     equal cells, or cells given: the smallest error of the density there
//
// Advise chooses among them by public facts.
package density
