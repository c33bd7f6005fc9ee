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
)

// TestReplays: of files that differ in one person, every question of the catalogue in every one of
// its ways has the same public trace, inputs of primitives that differ by no more than they claim,
// and, outcomes being equal, the same release in every form, byte for byte.
//
// A long run: -replays N -around K -from S -for 10m compares N pairs, K neighbours with each of the
// first files of the seeds from S on; the log says where the next run goes on.
func TestReplays(t *testing.T) {
	pairs := *replays
	if testing.Short() {
		pairs = min(pairs, 200)
	}
	start, list := time.Now(), make([]*Walk[task.All], runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for k := range list {
		w := NewWalk(task.All{}, 24)
		list[k] = w
		workers.Go(func() {
			for i := k; i**around < pairs &&
				(*minutes == 0 || time.Since(start) < *minutes); i += len(list) {
				if wrong := w.Around(uint64(*first+i), *around); wrong != "" {
					t.Error(wrong)
				}
			}
		})
	}
	workers.Wait()
	whole, least := list[0], list[0].Pairs
	for _, w := range list[1:] {
		least = min(least, w.Pairs)
		whole.add(w)
	}
	t.Logf("%d pairs (%d refused), %d draws, in %v; go on with -from %d", whole.Pairs,
		whole.Refused, whole.Draws, time.Since(start).Round(time.Second/10),
		*first+least/(*around)*len(list))
	var never []string
	for name, times := range whole.Ran {
		if times == 0 {
			never = append(never, name+": "+whole.Why[name])
		}
	}
	slices.Sort(never)
	if len(never) > 0 && whole.Pairs >= 4*whole.Ways() {
		t.Errorf("never answered: %q", never)
	}
}
