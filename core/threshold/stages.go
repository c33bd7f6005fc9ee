package threshold

import "hush/core/coin"

// stages reports progress in public stages: how much work a stage holds is private, so within one
// it calls step without advancing.
type stages struct {
	step        coin.Step
	done, total int64
}

func newStages(step coin.Step, total int) *stages {
	return &stages{step: step, total: int64(total)}
}

// next ends a stage.
func (s *stages) next() error {
	s.done++
	return s.report()
}

func (s *stages) report() error {
	if s.step == nil {
		return nil
	}
	return s.step(s.done, s.total)
}

// pause is called by long work within a stage; it is nil when nobody listens.
func (s *stages) pause() func() error {
	if s.step == nil {
		return nil
	}
	return s.report
}
