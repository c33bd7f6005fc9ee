package course

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"hush/core/coin"
)

// laws returns, for each number of pupils who answered yes, the law of the number of codes of yes:
// one pupil after the other, and so by another way than the estimate.
func laws(pupils int, lie float64) [][]float64 {
	all := make([][]float64, pupils+1)
	for truth := range all {
		law := []float64{1}
		for i := range pupils {
			q := lie
			if i < truth {
				q = 1 - lie
			}
			next := make([]float64, len(law)+1)
			for k, chance := range law {
				next[k] += chance * (1 - q)
				next[k+1] += chance * q
			}
			law = next
		}
		all[truth] = law
	}
	return all
}

// TestPollCovers: whatever pupils answer, the range holds their share in at least 95 of 100 polls,
// by the whole law, and it is not wider than it must be; a range that takes codes for answers, or
// that is half as wide, does not hold it. Then with coins, from the answers to the range.
func TestPollCovers(t *testing.T) {
	for place, epsilon := range PollEpsilons {
		p := NewPoll("Do you?", place)
		for _, n := range []int{1, 2, 7, 25, 60} {
			worst, naive, half, wide := 1.0, 1.0, 1.0, 0.0
			shares := make([]Share, n+1)
			for k := range shares {
				shares[k] = p.Estimate(n, k)
				wide = max(wide, shares[k].Top-shares[k].Low)
			}
			for truth, law := range laws(n, p.local.Lie()) {
				s, in, taken, short := float64(truth)/float64(n), 0.0, 0.0, 0.0
				for k, chance := range law {
					e := shares[k]
					if e.Low <= s+1e-12 && s <= e.Top+1e-12 {
						in += chance
					}
					if math.Abs(float64(k)/float64(n)-s) <= (e.Top-e.Low)/2 {
						taken += chance
					}
					if math.Abs(e.Middle-s) <= (e.Top-e.Low)/4 {
						short += chance
					}
				}
				worst, naive, half = min(worst, in), min(naive, taken), min(half, short)
			}
			if worst < 0.95 {
				t.Errorf("ε = %s, %d pupils: the range holds the share with %.4f", epsilon, n,
					worst)
			}
			if n >= 25 && half > 0.9 {
				t.Errorf("ε = %s, %d pupils: half of the range is enough: %.3f", epsilon, n, half)
			}
			if n == 60 && place < 2 && naive > 0.9 {
				t.Errorf("ε = %s: codes taken for answers hold the share: %.3f", epsilon, naive)
			}
			lie := p.local.Lie()
			normal := 2 * 1.96 * math.Sqrt(lie*(1-lie)/float64(n)) / (1 - 2*lie)
			if n == 60 && wide > 1.1*normal+2/float64(n) {
				t.Errorf("ε = %s: a range is %.2f wide, want about %.2f", epsilon, wide, normal)
			}
		}
	}
	const polls = 400
	src := coin.NewSeeded(58)
	for _, n := range []int{5, 25, 100} {
		for _, yes := range []int{0, n / 4, n / 2, n} {
			p, held, share := NewPoll("Do you?", 3), 0, float64(yes)/float64(n)
			for range polls {
				said := 0
				for i := range n {
					said += int(p.Read(p.Answer(src, i < yes)))
				}
				e := p.Estimate(n, said)
				held += int(one(e.Low <= share && share <= e.Top))
			}
			if held < polls*enough/files-8 { // two standard deviations less
				t.Errorf("%d of %d answered yes: %d of %d ranges hold that", yes, n, held, polls)
			}
		}
	}
}

// TestPollLaw: the law agrees with fractions where they can be had, and keeps its sum for a school.
func TestPollLaw(t *testing.T) {
	p := NewPoll("", 1)
	q := new(big.Rat).SetFloat64(p.local.Lie())
	kept := new(big.Rat).Sub(big.NewRat(1, 1), q)
	law := []*big.Rat{big.NewRat(1, 1)}
	const n, truth = 30, 11
	for i := range n {
		up, down := q, kept
		if i < truth {
			up, down = kept, q
		}
		next := make([]*big.Rat, len(law)+1)
		for k := range next {
			next[k] = new(big.Rat)
		}
		for k, chance := range law {
			next[k].Add(next[k], new(big.Rat).Mul(chance, down))
			next[k+1].Add(next[k+1], new(big.Rat).Mul(chance, up))
		}
		law = next
	}
	sum := new(big.Rat)
	for k, chance := range law {
		want, _ := sum.Add(sum, chance).Float64()
		if got := p.atMost(n, truth, k); math.Abs(got-want) > 1e-12 {
			t.Errorf("at most %d codes of yes: %g, want %g", k, got, want)
		}
	}
	if all := p.atMost(1000, 400, 1000); math.Abs(all-1) > rounding/10 {
		t.Errorf("the law of a school sums to 1 %+g", all-1)
	}
	if e := p.Estimate(0, 0); e.Low != 0 || e.Top != 1 {
		t.Errorf("without codes the share is %+v", e)
	}
}

// TestPollCodes: a code comes back as it was given, also as people type it; one sign read wrongly,
// another ε and, nearly always, another question are refused; and it says nothing but the answer.
func TestPollCodes(t *testing.T) {
	src := coin.NewSeeded(1)
	others, taken := 0, 0
	for place := range PollEpsilons {
		p := NewPoll("  Do you? ", place)
		if p.Question != "Do you?" {
			t.Errorf("the question is %q", p.Question)
		}
		seen := map[string]bool{}
		for range 200 {
			seen[p.Answer(src, true)], seen[p.Answer(src, false)] = true, true
		}
		if len(seen) != 2 {
			t.Fatalf("there are the codes %v: want two", seen)
		}
		for code := range seen {
			said := p.Read(code)
			if want := Reading(code[0] - '0'); said != want {
				t.Errorf("%s is read as %d, want %d", code, said, want)
			}
			typed := " " + strings.ToLower(code[:2]) + "-" + code[2:] + "\r"
			typed = strings.NewReplacer("0", "o", "1", "i").Replace(typed)
			if p.Read(typed) != said {
				t.Errorf("%q is not read as %s", typed, code)
			}
			for at := range code {
				for _, sign := range "012345" + checks {
					wrong := code[:at] + string(sign) + code[at+1:]
					if wrong != code && p.Read(wrong) <= ReadYes {
						t.Errorf("%s is taken, read for %s", wrong, code)
					}
				}
			}
			for i := range 400 {
				other := NewPoll(strings.Repeat("?", i), place)
				others, taken = others+1, taken+int(one(other.Read(code) <= ReadYes))
			}
			for other := range PollEpsilons {
				if q := NewPoll("Do you?", other); other != place && q.Read(code) != OtherEpsilon {
					t.Errorf("%s is taken at ε = %s", code, PollEpsilons[other])
				}
			}
		}
	}
	if taken*10 > others {
		t.Errorf("%d of %d codes of other questions are taken", taken, others)
	}
	for _, text := range []string{"", "1", "12", "1234", "91A", "19A", "12I", "yes", "ёъ"} {
		if r := NewPoll("Do you?", 1).Read(text); r != NoCode {
			t.Errorf("%q is read as %d", text, r)
		}
	}
	for place := -1; place <= len(PollEpsilons); place += len(PollEpsilons) + 1 {
		if NewPoll("Do you?", place) != nil {
			t.Errorf("there is a poll with the ε at %d", place)
		}
	}
	if kept := NewPoll("", 1).Kept(); math.Abs(kept-Odds(1)) > 1e-9 {
		t.Errorf("%g of 100 codes say the answer, want %g", kept, Odds(1))
	}
}
