package prove

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/privacy"
)

// twice returns 2ε: a part that gets half of it has ε.
func twice(epsilon privacy.Epsilon) privacy.Epsilon {
	return must(privacy.NewEpsilon(new(big.Rat).Mul(epsilon.Rat(), big.NewRat(2, 1))))
}

var maximumError = Demonstration{
	ID: "merr", Title: "The maximum error rule", Subject: subjectSteps,
	What: "Each person has one of the values, or none. The algorithm learns a distribution. " +
		"First it chooses a place where the number of persons up to it differs most from a " +
		"straight line. Then it counts these persons with noise, and bends the line to that " +
		"count. The bent line is released: for each place, the number of persons up to it.",
	Promise: "Half of ε is for the choice, whose scores one person moves by at most 1, and half " +
		"for the noise on the count.",
	Values: digits, None: "none",
	Persons: Range{1, 3, 2}, Domain: Range{2, 5, 4}, Epsilon: []string{"2", "1"},
	Bugs: []Bug{
		wholeEpsilon,
		{"exact", "No noise on the count",
			"The place is chosen at random already, so its count is published as it is."},
		{"moved", "A place that somebody has",
			"The place is moved to the nearest value in the data: “so that it is a real one”."},
		{"best", "The worst place is taken",
			"The place of the largest error is chosen without noise; only the count gets some."},
	},
	prepare: func(s setting) trial {
		size := int64(s.values)
		rule := func(epsilon privacy.Epsilon) *density.MERR {
			return must(density.NewMERR(density.MERRParams{Epsilon: epsilon,
				Size: big.NewInt(size), Persons: uint64(s.persons), Rounds: 1})).Exact()
		}
		sound := rule(s.epsilon)
		m := sound
		if s.bug == wholeEpsilon.ID {
			m = rule(twice(s.epsilon))
		}
		bits := big.NewInt(size - 1).BitLen()
		upTo := func(rows []int, place int64) (n int64) {
			for _, c := range codes(rows) {
				if int64(c) <= place {
					n++
				}
			}
			return n
		}
		return trial{
			claim:  claimOf(sound),
			limits: coin.Limits{Top: uint64(s.persons)},
			run: func(src coin.Source, rows []int) (outcome, error) {
				list := domain.SortedCodes(codes(rows), bits)
				d, err := m.Release(src, list, nil)
				if err != nil {
					return outcome{}, err
				}
				_, last, persons := d.Cell(0)
				o := outcome{last.Int64(), int64(persons + 0.5)} // a whole number, noise and all
				switch s.bug {
				case "exact":
					o[1] = upTo(rows, o[0])
				case "moved":
					o[0] = int64(moved("nearest", uint64(o[0]), codes(rows)))
				case "best":
					worst := int64(-1)
					for place := range size {
						n := 2 * (place + 1) * int64(s.persons)
						off := 2*size*upTo(rows, place) - n
						if off = max(off, -off); off > worst {
							worst, o[0] = off, place
						}
					}
				}
				return o, nil
			},
			show: func(say *message.Language, o outcome) string {
				return say.Format("up to %s: %s", say.Text(digits[o[0]]), fmt.Sprint(o[1]))
			},
		}
	},
}
