//go:build peer

package peer

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/differential-privacy/go/v3/dpagg"
)

//go:embed peers.py
var peersScript string

// google is the answer of Google's library, which counts persons added or removed: a single count
// or sum from 0 moves as far by a replaced person, a tree of quantiles twice. Nil: it has none.
func (j job) google(t *testing.T) (answer []float64) {
	people := func(add func(value float64) error) {
		for i, v := range j.Values {
			for range j.Counts[i] {
				if err := add(float64(v)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	switch j.Kind {
	case "count":
		c, err := dpagg.NewCount(&dpagg.CountOptions{Epsilon: j.Epsilon,
			MaxPartitionsContributed: 1})
		if err == nil {
			err = c.IncrementBy(int64(j.real[0]))
		}
		if err != nil {
			t.Fatal(err)
		}
		result, err := c.Result()
		if err != nil {
			t.Fatal(err)
		}
		return []float64{float64(result)}
	case "sum":
		s, err := dpagg.NewBoundedSumFloat64(&dpagg.BoundedSumFloat64Options{Epsilon: j.Epsilon,
			MaxPartitionsContributed: 1, Lower: 0, Upper: float64(j.Size - 1)})
		if err != nil {
			t.Fatal(err)
		}
		people(s.Add)
		result, err := s.Result()
		if err != nil {
			t.Fatal(err)
		}
		return []float64{result}
	case "percentiles":
		if j.N > mostPeople {
			return nil
		}
		upTo := j.set.googleFunction(t, j.Epsilon/2)
		for _, probe := range j.Probes {
			answer = append(answer, upTo(probe))
		}
		return answer
	case "quantiles":
		q := googleTree(t, j.Epsilon/2, j.Size)
		people(q.Add)
		for _, target := range j.Targets {
			value, err := q.Result(target)
			if err != nil {
				t.Fatal(err)
			}
			answer = append(answer, value)
		}
		return answer
	}
	return nil
}

// askPeers has the script answer all jobs, and says of each library that is missing why.
func askPeers(t *testing.T, jobs []job, outcomes []outcome) (missing []string) {
	if *python == "" {
		return []string{"OpenDP, diffprivlib, mbi: no Python was named"}
	}
	why, installed := map[string]string{}, map[string]bool{}
	for _, interpreter := range []string{*python, *tablesPython} {
		var number []int // of the jobs asked
		var asked []job
		for i, j := range jobs {
			if interpreter == *python || j.Kind == "tables" {
				number, asked = append(number, i), append(asked, j)
			}
		}
		in, err := json.Marshal(asked)
		if err != nil {
			t.Fatal(err)
		}
		if interpreter == "" {
			continue
		}
		run := exec.Command(interpreter, "-W", "ignore", "-c", peersScript)
		run.Stdin, run.Stderr = bytes.NewReader(in), os.Stderr
		out, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		for lines := json.NewDecoder(bytes.NewReader(out)); ; {
			var said struct {
				Job       *int
				Peer, Why string
				Answers   [][]float64
			}
			if err := lines.Decode(&said); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if said.Job == nil {
				why[said.Peer] = said.Why
				continue
			}
			installed[said.Peer] = true
			j := number[*said.Job]
			for _, answer := range said.Answers {
				outcomes[j].add(said.Peer, jobs[j].error(answer))
			}
			if said.Why != "" {
				outcomes[j].why[said.Peer] = said.Why
			}
		}
	}
	for _, peer := range slices.Sorted(maps.Keys(why)) {
		if !installed[peer] { // by no interpreter
			missing = append(missing, peer+": "+why[peer])
		}
	}
	return missing
}
