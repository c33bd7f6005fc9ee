package session

import (
	"slices"

	"hush/core/task"
)

// Collected are the answers of the report, in the order in which they were added. They live in the
// page's memory only.
type Collected []*task.Release

// Holds reports whether an answer is in the report.
func (c Collected) Holds(r *task.Release) bool { return slices.Contains(c, r) }
