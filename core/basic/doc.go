// Package basic answers the everyday questions about one column: count, share, sum, mean, variance,
// histogram, median and quantiles, for everybody or by group. Each takes domain codes and privacy
// parameters, and knows nothing of files or pages.
//
// Neighbouring data sets have the same public number of persons n and differ in one person
// (replace-one). All parameters are public (H: sums.md public). Most questions are exact sums over
// persons with noise (Proof: sums.md); quantiles choose by score (Proof: quantiles.md).
package basic
