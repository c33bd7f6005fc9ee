package threshold

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// leaf is the cost of one call of an algorithm that is audited as a unit: its input is the codes,
// of which one may be replaced.
func leaf(name phrase.Key, loss privacy.Loss) *meter.Spend {
	return &meter.Spend{Name: name, Loss: loss, Claim: meter.Claim{People: 1}}
}

// find draws a point from codes.
func find(src coin.Source, s *meter.Spend, codes domain.Sorted,
	draw func(coin.Source) (*big.Int, error)) (*big.Int, error) {
	return meter.Draw(src, s, func() meter.Input {
		return meter.Input{People: people(codes, nil)}
	}, draw)
}

// people lists the codes, each with the answer of its person where there are answers.
func people(codes domain.Sorted, yes []bool) []string {
	list := make([]string, codes.Len())
	for i := range list {
		list[i] = codes.Number(i).Text(36)
		if yes != nil {
			list[i] += " " + strconv.FormatBool(yes[i])
		}
	}
	return list
}

// learn draws a cut from labelled codes.
func learn(src coin.Source, s *meter.Spend, data Labelled,
	draw func(coin.Source) (Cut, error)) (Cut, error) {
	return meter.Draw(src, s, func() meter.Input {
		return meter.Input{People: people(data.Codes, data.Yes)}
	}, draw)
}
