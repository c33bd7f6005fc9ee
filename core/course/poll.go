package course

import (
	"hash/fnv"
	"math"
	"sort"
	"strconv"
	"strings"

	"hush/core/coin"
	"hush/core/query"
)

// PollEpsilons are what an answer to a poll may cost. A code names one by its place, from 1.
var PollEpsilons = []string{"0.5", "1", "1.5", "2", "3"}

// Poll asks a class one question of yes or no. Coins flip each answer in its pupil's own tab, and
// only a code of the flipped answer leaves it. The codes of all give a range for the share of yes.
//
// # Guarantee
//
// Pure ε-DP for each pupil's own answer, with nobody trusted: that of [query.Local], for one code.
// Two codes drawn for one pupil cost twice as much, so the caller of Answer keeps the code. Proof:
// poll.md.
//
// # Input and output
//
// One answer, and the code of three signs for it: the flipped answer, the place of ε, and a check
// letter, which also stands for the question. Codes of one answer are equal, also those of two
// pupils.
//
// # Errors
//
// NewPoll returns nil for a place of ε that is not there.
//
// # Cost and accuracy
//
// An estimate holds the true share of those who answered with a chance of at least 95 %, whatever
// they said: poll.md. It takes O(n·log n) of n codes.
//
// # Reference
//
// Warner, "Randomized Response", 1965; Clopper, Pearson, "The Use of Confidence or Fiducial Limits
// Illustrated in the Case of the Binomial", 1934. Differs: the pupils of a class are fixed, so the
// law is that of two kinds of pupils and not of a sample.
type Poll struct {
	Question string
	Place    int // of its ε in PollEpsilons
	local    *query.Local
}

// NewPoll returns the poll with the ε at that place of PollEpsilons, or nil.
func NewPoll(question string, place int) *Poll {
	if place < 0 || place >= len(PollEpsilons) {
		return nil
	}
	m, err := query.NewLocal(query.LocalParams{Epsilon: parsed(PollEpsilons[place])})
	if err != nil {
		panic("course: internal error: " + err.Error())
	}
	return &Poll{Question: strings.TrimSpace(question), Place: place, local: m}
}

// Answer draws the code of an answer. The caller draws one for a pupil, and keeps it (H: poll.md
// one-code).
func (p *Poll) Answer(src coin.Source, yes bool) string {
	said, err := p.local.Answer(src, yes)
	if err != nil { // unreachable: only a replay of a meter refuses
		panic("course: internal error: " + err.Error())
	}
	return p.code(said)
}

// Kept returns how many of 100 codes say what their pupils answered, on average.
func (p *Poll) Kept() float64 { return 100 * (1 - p.local.Lie()) }

// checks are the check letters: without I, O and U, which are misread. Their number is a prime, so
// that no sign of a code can be wrong alone.
const checks = "ABCDEFGHJKLMNPQRSTVWXYZ"

// ID tells this poll from others.
func (p *Poll) ID() uint64 {
	h := fnv.New64a()
	h.Write([]byte(PollEpsilons[p.Place] + "\n" + p.Question))
	return h.Sum64()
}

func (p *Poll) code(yes bool) string {
	bit := one(yes)
	check := (p.ID()%uint64(len(checks)) + 3*uint64(bit) + 7*uint64(p.Place)) %
		uint64(len(checks))
	return strconv.FormatInt(bit, 10) + strconv.Itoa(p.Place+1) + checks[check:check+1]
}

// Reading is what a text is that should be a code.
type Reading int

// What a text may be.
const (
	ReadNo Reading = iota
	ReadYes
	NoCode       // it has not the shape of a code
	OtherEpsilon // its poll has another ε
	Misread      // its check letter is another: of another question, or misread
)

// alike are signs that are read or typed for others.
var alike = strings.NewReplacer(" ", "", "-", "", "\t", "", "\r", "", "O", "0", "I", "1")

// Read reads a code as a person pastes or types it.
func (p *Poll) Read(text string) Reading {
	text = alike.Replace(strings.ToUpper(text))
	switch {
	case text == p.code(true):
		return ReadYes
	case text == p.code(false):
		return ReadNo
	case len(text) != 3 || text[0] != '0' && text[0] != '1' || text[1] < '1' ||
		int(text[1]-'1') >= len(PollEpsilons) || !strings.Contains(checks, text[2:]):
		return NoCode
	case int(text[1]-'1') != p.Place:
		return OtherEpsilon
	}
	return Misread
}

// Share is the share of yes among those who answered, as codes tell it.
type Share struct {
	Codes, Yes       int     // as given: the coins have flipped some
	Low, Middle, Top float64 // from 0 to 1
}

// missed is the chance that the range misses the share, at each of its ends.
const missed = 0.025

// Estimate returns the share that this many codes of yes, of this many in all, tell of. Each code
// is another pupil's, which codes cannot show (H: poll.md own-codes).
func (p *Poll) Estimate(codes, yes int) Share {
	s := Share{Codes: codes, Yes: yes, Top: 1}
	if codes == 0 {
		s.Middle = 0.5
		return s
	}
	lie, n := p.local.Lie(), float64(codes)
	s.Middle = (float64(yes)/n - lie) / (1 - 2*lie)
	// more pupils of yes make more codes of yes likelier: poll.md
	low := sort.Search(codes, func(truth int) bool {
		return 1-p.atMost(codes, truth, yes-1) > missed-rounding
	})
	top := codes - sort.Search(codes, func(less int) bool {
		return p.atMost(codes, codes-less, yes) > missed-rounding
	})
	s.Low, s.Top = float64(low)/n, float64(top)/n
	s.Middle = min(max(s.Middle, s.Low), s.Top)
	return s
}

// rounding is more than floats are off by in a chance, of the codes of any school.
const rounding = 1e-9

// atMost is the chance of at most this many codes of yes, where truth of all pupils answered yes.
func (p *Poll) atMost(codes, truth, yes int) float64 {
	lie := p.local.Lie()
	kept, flipped := binomial(truth, 1-lie), binomial(codes-truth, lie)
	for i := 1; i < len(flipped); i++ {
		flipped[i] += flipped[i-1]
	}
	sum := 0.0
	for i, chance := range kept {
		if i > yes {
			break
		}
		sum += chance * flipped[min(yes-i, len(flipped)-1)]
	}
	return sum
}

// binomial returns the chances of 0 to n among n, each with chance q.
func binomial(n int, q float64) []float64 {
	all := make([]float64, n+1)
	whole, _ := math.Lgamma(float64(n + 1))
	for i := range all {
		in, _ := math.Lgamma(float64(i + 1))
		out, _ := math.Lgamma(float64(n - i + 1))
		all[i] = math.Exp(whole - in - out + float64(i)*math.Log(q) +
			float64(n-i)*math.Log1p(-q))
	}
	return all
}
