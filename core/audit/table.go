package audit

import (
	"fmt"
	"math/big"
	"strings"
)

// Header is the head of a Markdown table of reports, two lines.
const Header = "| Audited | Data sets, pairs | Claimed e^ε | Claimed δ | Exact e^ε at that δ | " +
	"Exact δ at that e^ε | Worst pair | Claim |\n|---|---|---|---|---|---|---|---|\n"

// Row returns the report as a line of that table. The worst pair is the one for δ where a claim
// with δ > 0 is violated, otherwise the one for ε.
func (r *Report) Row() string {
	worst := r.WorstOdds
	if r.Claim.Delta.Sign() > 0 {
		worst = r.WorstDelta
	}
	delta := Number(r.High)
	if r.Low.Cmp(r.High) != 0 {
		delta = Number(r.Low) + " … " + Number(r.High)
	}
	return fmt.Sprintf("| %s | %d, %d | %s | %s | %s | %s | %s → %s | %s |\n", r.Name, r.DataSets,
		r.Pairs,
		Number(r.Claim.Odds), Number(r.Claim.Delta), Number(r.Odds), delta, rows(worst.From),
		rows(worst.To), r.Verdict())
}

// Number prints a rational in full when it is short, otherwise to seven significant digits with ≈;
// nil is "none".
func Number(x *big.Rat) string {
	if x == nil {
		return "none"
	}
	if text := x.RatString(); len(text) <= 20 {
		return text
	}
	return "≈ " + new(big.Float).SetPrec(200).SetRat(x).Text('g', 7)
}

// rows prints a data set, None as ∅.
func rows(set []int) string {
	words := make([]string, len(set))
	for i, v := range set {
		words[i] = "∅"
		if v != None {
			words[i] = fmt.Sprint(v)
		}
	}
	return strings.Join(words, " ")
}
