// Package reach keeps the list of what is shipped in the algorithm packages and used by no
// question, lesson or proof: unreached.txt. It holds tests only.
package reach
