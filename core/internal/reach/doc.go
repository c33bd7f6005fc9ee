// Package reach lists the shipped code of the algorithm packages that no question, lesson or proof
// uses: unreached.txt. It holds tests only.
package reach
