package task

import (
	"errors"
	"slices"

	"hush/core/classify"
	"hush/core/message"
)

// VotesLeft is how many further cases votes answer: so many in all, and of them at most so many on which the votes are too close.
type VotesLeft struct {
	Cases    uint64 `json:"cases"`
	Unstable uint64 `json:"unstable"`
}

func votesLeft(b *classify.Ballot) *VotesLeft {
	cases, unstable := b.Left()
	return &VotesLeft{cases, unstable}
}

// voting is a release whose rules still vote. It holds the rules, which are secret, and no data.
type voting struct {
	labelling *labelling
	ballot    *classify.Ballot
	release   *Release
}

// ErrEnded is the answer to a case for which nobody votes any more.
var ErrEnded error = message.Error("task: the votes have ended: with the cases paid for, another release, another file, or the engine that held them. What they answered stays; release again to ask more")

// keep goes on with the votes of a release where cases may be asked later. Nothing else is released while they go on: a run ends them first, so that
// what each release costs adds up as that of one after another (classify/stable.md).
func (s *Session) keep(p prepared, r *Release) {
	if c, ok := p.(*labelling); ok && c.ballot != nil {
		s.voting = &voting{c, c.ballot, r}
	}
}

// Label asks the votes of the last release for one further case, its features as cells of text, and returns the release with the answer. The case is public, and may depend
// on the answers before it; it was paid for with the release. *param.Error (case.0, case.1…) refuses a case, which then does not count; ErrEnded says that there are no votes.
func (s *Session) Label(cells []string) (*Release, error) {
	v := s.voting
	if v == nil {
		return nil, ErrEnded
	}
	point, values, err := readCase(v.labelling.features, cells)
	if err != nil {
		return nil, err
	}
	answer, err := v.ballot.Answer(point)
	if errors.Is(err, classify.ErrNoMore) {
		s.voting = nil
		return nil, ErrEnded
	}
	if err != nil {
		return nil, err // unreachable: answers have no other error
	}
	release, labels := *v.release, *v.release.Answer.Result.(*Labels) // what was returned before stays as it was
	labels.Cases = slices.Clip(labels.Cases)
	labels.add(values, answer)
	labels.Left = votesLeft(v.ballot)
	release.Answer, release.Statement = Answer{&labels}, v.labelling.state(&labels)
	v.release = &release
	if labels.Left.Cases == 0 || labels.Left.Unstable == 0 {
		s.voting = nil
	}
	return v.release, nil
}
