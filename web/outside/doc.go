// Package outside is what a link, a recipe or a codebook from outside says of a file that the file
// does not say by itself, and what its owner agreed to of that.
package outside
