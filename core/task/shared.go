package task

import (
	"fmt"
	"strconv"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/phrase"
)

// Kinds of columns, roles, and names of parameters that several questions share.

const (
	auto = "auto" // the default of a parameter that public facts decide

	paramMethod   = "method"
	paramTogether = "together"
	paramPieces   = "pieces"
	paramRounds   = "rounds"
	mostRounds    = 256
	paramSelector = "selector"

	roleFeature = "feature"

	maxListed = 2000 // rows of a table

	// standard deviations: 2.12 hold 95 % of Laplace noise, 1.96 of Gaussian noise; sums lie
	// between
	sureOf95 = 2.2
)

// orderedKinds are the kinds of column whose values have an order.
var orderedKinds = []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date,
	domain.Timestamp, domain.Text, domain.Bytes}

var numberKinds = []domain.Kind{domain.Integer, domain.Decimal}

var anyKind = []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date,
	domain.Timestamp, domain.Category}

// binnedKinds are the kinds of column that are counted in bins or by category.
var binnedKinds = []domain.Kind{domain.Integer, domain.Decimal, domain.Date, domain.Timestamp,
	domain.Category}

// roundsOf returns the number of rounds asked for, or 0 for auto.
func roundsOf(q *ask.Query) (int, error) {
	text := q.Param(paramRounds)
	if text == auto {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostRounds {
		return 0, ask.Refuse(paramRounds, fmt.Sprintf("%.20q", text),
			phrase.Of(`"auto", or a number from 1 to %d`, mostRounds))
	}
	return n, nil
}

// usualNoise times the mean of |noise| is not exceeded in 95 of 100 releases: the factor is ln 20
// for one Laplace law, and less for a sum or for Gaussian noise.
const usualNoise = 3
