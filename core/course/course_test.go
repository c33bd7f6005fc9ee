package course

import (
	"fmt"
	"math"
	"testing"

	"hush/core/coin"
)

// files is the number of made-up files of which each attack is tried, and enough how many of them
// it must succeed on where tables are exact.
const files, enough = 100, 95

// notAbove fails where more guesses are right than a bound on their mean allows, by more than four
// standard deviations of that many fair ones.
func notAbove(t *testing.T, what string, right, of int, odds float64) {
	t.Helper()
	if most := odds/100*float64(of) + 4*math.Sqrt(float64(of))/2; float64(right) > most {
		t.Errorf("%s: %d of %d guesses are right, want at most %.1f", what, right, of, most)
	}
}

// TestOffice: subtraction and solving give pay to the euro on exact tables, and with noise not even
// whether it is high or low. Nothing is asked about fewer people than the rule wants, and no two of
// the tables differ in one person.
func TestOffice(t *testing.T) {
	subtracted, all, noisy, pairs := 0, 0, 0, 0
	for seed := coin.Seed(1); seed <= files; seed++ {
		o := NewOffice(seed)
		who := int(seed) % len(Names)
		total, rest := o.Subtract(who, false, seed)
		subtracted += int(one(total-rest == o.Pay[who]))
		all += int(one(o.ToTheEuro() == len(Names)))
		noisy += o.Noisy(seed + files).HighOrLow()
		total, rest = o.Subtract(who, true, seed)
		pairs += int(one(total-rest > betweenPays == (o.Pay[who] > betweenPays)))
		for _, table := range o.Tables {
			out := len(table.Without)
			if len(Names)-out < FewestAsked || out < 2 {
				t.Fatalf("a table is about %d people", len(Names)-out)
			}
		}
	}
	if subtracted < files {
		t.Errorf("two totals give one pay in %d of %d offices", subtracted, files)
	}
	if all < enough {
		t.Errorf("the tables give everybody's pay in %d of %d offices", all, files)
	}
	notAbove(t, "solving", noisy, files*len(Names), Odds(Epsilon(OfficeEpsilon)))
	notAbove(t, "subtracting", pairs, files, Odds(Epsilon(OfficeEpsilon)))
}

// TestCrowd: one person does not show, a crowd does; what is counted agrees with the law and with
// the bound; and the exact answer tells them apart always.
func TestCrowd(t *testing.T) {
	for _, differ := range Differs {
		right := 0
		var c *Crowd
		for seed := coin.Seed(1); seed <= files; seed++ {
			c = DrawCrowd(seed, CrowdEpsilon, differ)
			right += c.Right
		}
		if c.Expected > c.Most+1e-9 {
			t.Errorf("%d people: %.2f of 100 are right, the bound is %.2f", differ, c.Expected,
				c.Most)
		}
		sd := math.Sqrt(c.Expected * (100 - c.Expected) * files)
		if off := math.Abs(float64(right) - c.Expected*files); off > 4*sd+1 {
			t.Errorf("%d people: %d of %d are right, the law says %.1f of 100", differ, right,
				files*Guesses, c.Expected)
		}
	}
	one, many := DrawCrowd(1, CrowdEpsilon, 1), DrawCrowd(1, CrowdEpsilon, 100)
	if math.Abs(one.Expected-one.Most) > 0.01 || one.Expected > 53 || many.Expected < 99 {
		t.Errorf("one person shows in %.1f of 100, a hundred in %.1f", one.Expected,
			many.Expected)
	}
	if exact := DrawCrowd(1, "100", 1); exact.Right != Guesses {
		t.Errorf("without noise to speak of %d of %d are right", exact.Right, Guesses)
	}
}

// TestGuesses: at each ε as many guesses are right as the odds say, and all on exact counts.
func TestGuesses(t *testing.T) {
	for _, epsilon := range []string{"0.01", "0.1", "0.5", "1", "2", "5", ""} {
		right, odds := 0, 100.0
		if epsilon != "" {
			odds = Odds(Epsilon(epsilon))
		}
		for seed := coin.Seed(1); seed <= files; seed++ {
			right += GuessEach(seed, epsilon).Right
		}
		sd := math.Sqrt(odds * (100 - odds) * files)
		if off := math.Abs(float64(right) - odds*files); off > 4*sd {
			t.Errorf("ε = %q: %d of %d guesses are right, the odds are %.1f of 100", epsilon,
				right, files*Guesses, odds)
		}
	}
	for epsilon, want := range map[float64]string{0: "50", 0.08: "52", 0.1: "52", 0.5: "62",
		1: "73", 3: "95"} {
		if got := fmt.Sprintf("%.0f", Odds(epsilon)); got != want {
			t.Errorf("at ε = %g the odds are %s of 100, want %s", epsilon, got, want)
		}
	}
}

// TestSpending: with each further answer more guesses are right, never more than the sum of all ε
// allows; and topping up is as exact as one answer, far better than the average of several.
func TestSpending(t *testing.T) {
	right := make([]int, len(Times))
	var w Ways
	for seed := coin.Seed(1); seed <= files; seed++ {
		s := Spend(seed)
		for i := range Times {
			right[i] += s.Right[i]
		}
		one := SpendAlike(seed)
		w.Apart, w.Top, w.Once = w.Apart+one.Apart/files, w.Top+one.Top/files,
			w.Once+one.Once/files
	}
	for i, times := range Times {
		notAbove(t, fmt.Sprintf("%d answers", times), right[i], files*Guesses,
			Odds(float64(times)*Epsilon(SpendingEpsilon)))
		if i > 0 && times > 2 && right[i] <= right[i-1] {
			t.Errorf("%d answers tell no more than %d", times, Times[i-1])
		}
	}
	if last := right[len(Times)-1]; last < enough*files {
		t.Errorf("the last of them gives %d of %d", last, files*Guesses)
	}
	if math.Abs(w.Top/w.Once-1) > 0.05 || w.Apart < 4*w.Once {
		t.Errorf("off by %.3f on average of five, %.3f topped up and %.3f at once", w.Apart, w.Top,
			w.Once)
	}
}

// TestRanges: the error falls and rises again with the range, in most files; the noise grows with
// it, and what is cut off falls.
func TestRanges(t *testing.T) {
	between, data, public := 0, 0, 0
	for seed := coin.Seed(1); seed <= files; seed++ {
		r := DrawRanges(seed)
		best := r.Best()
		between += int(one(best.Top >= 4_000 && best.Top <= 7_000))
		for i := 1; i < len(Tops); i++ {
			if r.All[i].Noise <= r.All[i-1].Noise || r.All[i].Bias > r.All[i-1].Bias {
				t.Fatalf("from %d to %d the noise falls, or the bias rises", Tops[i-1], Tops[i])
			}
		}
		fromData, fromPublic := Chief(seed)
		data, public = data+fromData, public+fromPublic
	}
	if between < enough {
		t.Errorf("the best range ends between 4 000 and 7 000 in %d of %d files", between, files)
	}
	if data < enough*Guesses {
		t.Errorf("the range tells of the chief in %d of %d files", data, files*Guesses)
	}
	notAbove(t, "the chief", public, files*Guesses, Odds(Epsilon(BoundsEpsilon)))
}

// TestStudies: what a study finds, and so what is guessed about Ana, is the same with her and
// without her; no noise that hides her hides it.
func TestStudies(t *testing.T) {
	for _, epsilon := range []string{"", StudyEpsilon} {
		var found, right [2]int
		for seed := coin.Seed(1); seed <= files; seed++ {
			for i, with := range []bool{false, true} {
				s := RunStudies(seed, epsilon, with)
				found[i], right[i] = found[i]+s.Found, right[i]+s.Right
			}
		}
		for i := range found {
			if found[i] < enough*Guesses {
				t.Errorf("ε = %q: smokers fall ill more often in %d of %d studies", epsilon,
					found[i], files*Guesses)
			}
			if off := math.Abs(float64(right[i])/files - illSmokers); off > 2 {
				t.Errorf("ε = %q: %d of %d guesses about Ana are right", epsilon, right[i],
					files*Guesses)
			}
		}
		if off := right[1] - right[0]; off > 20 || off < -20 {
			t.Errorf("ε = %q: with Ana %d guesses are right, without her %d", epsilon, right[1],
				right[0])
		}
	}
}

// TestSeeds: the same seed shows the same, and another one something else.
func TestSeeds(t *testing.T) {
	for name, draw := range map[string]func(coin.Seed) any{
		"office":   func(s coin.Seed) any { return NewOffice(s).Pay },
		"noisy":    func(s coin.Seed) any { return NewOffice(1).Noisy(s).Total },
		"crowd":    func(s coin.Seed) any { return DrawCrowd(s, CrowdEpsilon, 5).With },
		"guesses":  func(s coin.Seed) any { return GuessEach(s, "1").All },
		"spending": func(s coin.Seed) any { return Spend(s).Answers },
		"ranges":   func(s coin.Seed) any { return DrawRanges(s).Mean },
		"studies":  func(s coin.Seed) any { return RunStudies(s, StudyEpsilon, true).Smokers },
	} {
		if a, b := fmt.Sprint(draw(3)), fmt.Sprint(draw(3)); a != b {
			t.Errorf("%s: one seed shows %s and %s", name, a, b)
		}
		if a, b := fmt.Sprint(draw(3)), fmt.Sprint(draw(4)); a == b {
			t.Errorf("%s: two seeds show %s", name, a)
		}
	}
}
