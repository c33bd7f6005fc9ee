// Package threshold finds places in an ordered domain with people on both sides of them, however
// large the domain is: interior points, and from them quantiles, cut-offs and the whole
// distribution function.
//
// A sorted multiset of codes is seen as a complete binary tree ([domain.Sorted]); a node is a range
// of indices. Nothing is built and no text is copied. Persons without a value have no code and are
// not passed in: n, the number of persons, is public, while how many codes there are is private, so
// no parameter depends on it.
//
// Proofs count what one added or removed code can change, and both directions apart (type cost).
// Replacing one person is one removal followed by one addition.
//
// # How many persons it takes
//
// Persons with a value that make the point found an interior one with probability 95 %, for ε = 1
// and δ = 10^-6, by the number of bits of the domain; and in how many of 100 runs [TreeLog] with
// that many persons found one (2,000 runs on data sets of five shapes each, TestSuccess):
//
//	bits     exponential  TreeLog  uniform  clustered  duplicates  geometric  adversarial
//	8        33           394      100      100        100         99.95      100
//	64       189          423      100      100        100         99.95      100
//	256      721          442      100      100        100         100        100
//	1024     2851         463      100      100        100         99.75      100
//	65536    181717       513      100      100        100         99.75      100
//	1048576  2907281      544      100      100        100         99.9       100
//
// The exponential mechanism needs no δ, and for up to about 150 bits fewer persons; beyond,
// TreeLog. Advise compares them.
package threshold
