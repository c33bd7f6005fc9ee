package session

import (
	"hush/core/ask"
	"hush/core/task"
)

// VerdictOf judges an answer; nil if there is no verdict, as in releases of earlier versions.
func VerdictOf(r *task.Release) *ask.Verdict {
	if r.Verdict != nil {
		return r.Verdict
	}
	return r.Plan.Verdict
}

// IsNoise reports whether an answer is mostly noise.
func IsNoise(r *task.Release) bool {
	v := VerdictOf(r)
	return v != nil && v.Grade == ask.Noise
}
