package replay

import (
	"flag"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"hush/core/task"
)

var (
	replays = flag.Int("replays", 3200, "how many pairs of neighbours are compared")
	around  = flag.Int("around", 2, "how many neighbours each first file has")
	first   = flag.Int("from", 0, "the seed of the first file")
	minutes = flag.Duration("for", 0, "when to stop, however many pairs are left; 0: never")
	each    = flag.Duration("each", 0,
		"when to leave a file, however many neighbours are left; 0: never")
)

// TestReplays: of files that differ in one person, every question of the catalogue in every one of
// its ways has the same public trace, inputs of primitives that differ by no more than they claim,
// and, outcomes being equal, the same release in every form, byte for byte.
//
// A long run: -v -replays N -around K -each 500ms -from S -for 10m compares N pairs, at most K
// neighbours with each of the first files of the seeds from S on, and fewer where the question
// takes long; the log says every 10 000 pairs how far it is, and where the next run goes on.
func TestReplays(t *testing.T) {
	pairs := *replays
	if testing.Short() {
		pairs = min(pairs, 200)
	}
	start, list := time.Now(), make([]*Walk[task.All], runtime.GOMAXPROCS(0))
	next := make([]int, len(list))
	var workers sync.WaitGroup
	for k := range list {
		w := NewWalk(task.All{}, 24)
		list[k] = w
		workers.Go(func() {
			said := 0
			for next[k] = k; w.Pairs*len(list) < pairs &&
				(*minutes == 0 || time.Since(start) < *minutes); next[k] += len(list) {
				file := time.Now()
				more := func() bool { return *each == 0 || time.Since(file) < *each }
				if wrong := w.Around(uint64(*first+next[k]), *around, more); wrong != "" {
					t.Error(wrong)
				}
				if w.Pairs/10_000 > said {
					said = w.Pairs / 10_000
					t.Logf("walk %d: %d pairs, seed %d", k, w.Pairs, *first+next[k])
				}
			}
		})
	}
	workers.Wait()
	whole := list[0]
	for _, w := range list[1:] {
		whole.add(w)
	}
	t.Logf("%d pairs (%d refused), %d draws, in %v; go on with -from %d", whole.Pairs,
		whole.Refused, whole.Draws, time.Since(start).Round(time.Second/10),
		*first+slices.Max(next))
	var never []string
	for name, times := range whole.Ran {
		if times == 0 {
			never = append(never, name+": "+whole.Why[name])
		}
	}
	slices.Sort(never)
	if len(never) > 0 && slices.Max(next) >= 2*whole.Ways() {
		t.Errorf("never answered: %q", never)
	}
}
