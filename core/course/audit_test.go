package course

import (
	"os"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
)

func TestMain(m *testing.M) { audittest.Main(m) }

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

// lawOf is the law of a code, for a pupil who means no and for one who means yes.
func lawOf(say func(src coin.Source, yes bool) string) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			return say(src, rows[0] == 1), nil
		})
	}
}

// TestAuditPoll: the code of an answer, as a pupil reads it out, costs the ε of its poll.
func TestAuditPoll(t *testing.T) {
	one := audit.Space{Persons: 1, Values: 2, NoNone: true}
	for place, epsilon := range PollEpsilons {
		p := NewPoll("Have you ever copied homework?", place)
		loss, err := p.local.Loss(1)
		if err != nil {
			t.Fatal(err)
		}
		claim, err := audit.ClaimOf(loss)
		if err != nil {
			t.Fatal(err)
		}
		audittest.Holds(t, audit.Audit[string]{Name: "code of a poll at ε = " + epsilon, Space: one,
			Claim: claim, Law: lawOf(p.Answer)})
		audittest.Caught(t, audit.Audit[string]{
			Name: "code of a poll at ε = " + epsilon + ", drawn twice", Space: one, Claim: claim,
			Law: lawOf(func(src coin.Source, yes bool) string {
				return p.Answer(src, yes) + p.Answer(src, yes)
			})})
	}
}
