// Package reach finds shipped code of the algorithm packages that no question, lesson or proof
// uses, and lists the shipped entry points that each audit goes through (audits.txt). It holds
// tests only.
package reach
