package session

import (
	"slices"

	"hush/core/task"
)

// Collected are the answers of the report, in the order in which they were added. Those that
// are kept come back when the page is loaded again.
type Collected []*task.Release

// Holds reports whether an answer is in the report.
func (c Collected) Holds(r *task.Release) bool { return slices.Contains(c, r) }
