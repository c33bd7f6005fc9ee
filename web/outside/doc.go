// Package outside lists the claims that a link, a recipe or a codebook from outside makes about a
// file and the file itself does not, and which of them its owner agreed to.
package outside
