package course

import "hush/core/coin"

// The clinic of the lessons on noise: how many of its patients are ill is published, with Ana and
// without her.
const (
	ClinicPeople = 200
	ClinicIll    = 80 // without the people in which the two heaps differ
	CrowdEpsilon = "0.1"
)

// Differs are the stops of the slider: how many people the two heaps differ in.
var Differs = []int{1, 2, 5, 10, 20, 50, 100}

// Crowd holds answers about two clinics that differ in some people: ill in the one, well in the
// other.
type Crowd struct {
	Differ        int
	Without, With []int64 // answers, half of Guesses each
	Right         int     // of all those answers, whose clinic is guessed rightly
	Expected      float64 // of 100, on average
	Most          float64 // of 100: no guess is right more often, whatever the noise (Odds)
	Within        int64   // the noise of 95 of 100 answers
}

// DrawCrowd draws the answers with an ε. An attacker who sees one of them guesses by the middle
// between both truths.
func DrawCrowd(seed coin.Seed, epsilon string, differ int) *Crowd {
	m, src := laplace(epsilon, 1), coin.NewSeeded(seed)
	c := &Crowd{Differ: differ, Within: m.ErrorBound(0.05),
		Most: Odds(float64(differ) * Epsilon(epsilon))}
	from := int64(ClinicIll + (differ+1)/2) // an answer from here on is taken for the larger
	for range Guesses / 2 {
		less, more := m.AddTo(src, ClinicIll), m.AddTo(src, int64(ClinicIll+differ))
		c.Without, c.With = append(c.Without, less), append(c.With, more)
		c.Right += int(one(less < from) + one(more >= from))
	}
	z := m.Noise()
	c.Expected = 100 * (above(z, from-int64(ClinicIll+differ)) + 1 - above(z, from-ClinicIll)) / 2
	return c
}

// Guess is the guess of one person's secret, from a private count of people like that person.
type Guess struct{ Ill, Guessed bool }

// Guessing holds the guesses of Guesses people's secrets, one for each.
type Guessing struct {
	All   []Guess
	Right int
}

// GuessEach lets Guesses people join a count, each with a coin's yes or no. All others in the count
// are known to the attacker, who sees it with noise, or exactly where the ε is empty.
func GuessEach(seed coin.Seed, epsilon string) *Guessing {
	src := coin.NewSeeded(seed)
	add := func(count int64) int64 { return count }
	if epsilon != "" {
		m := laplace(epsilon, 1)
		add = func(count int64) int64 { return m.AddTo(src, count) }
	}
	g := &Guessing{}
	for range Guesses {
		ill := heads(src)
		guess := Guess{Ill: ill, Guessed: add(ClinicIll+one(ill)) > ClinicIll}
		g.All, g.Right = append(g.All, guess), g.Right+int(one(guess.Guessed == ill))
	}
	return g
}
