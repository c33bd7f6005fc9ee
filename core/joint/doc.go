// Package joint makes up rows of several columns that keep the relations between them.
//
// [Pairs] counts every pair of columns, with noise. [Fit] is post-processing: it looks for rows
// whose tables of pairs are as near to the noisy ones as the true tables would be, and in which
// columns are otherwise as independent as possible. [Accept] tries several ways and releases the
// first rows that meet criteria: it compares them with the people, with noise.
//
// # How well it does
//
// JOINT.md has the errors on ten columns of the Adult data beside those of independent columns
// (TestJoint, ADULT=adult.csv ./build.sh bench joint), BIRTHS.md what meets eight criteria.
package joint

import (
	"hush/core/param"
	"hush/core/phrase"
)

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("joint", field, value, want, args...)
}
