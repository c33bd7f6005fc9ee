//go:build peer

package joint

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"os/exec"
	"strings"
	"testing"
	"time"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

var (
	peerDirs = flag.String("peers", "", "directory of the peers' environments, as "+
		"./build.sh bench peers makes them")
	peerLimit = flag.Duration("peer-limit", 10*time.Minute, "time for one peer's rows")
	peerSeeds = flag.Int("peer-seeds", 1, "runs of each")
	peerOnly  = flag.String("peer-only", "", "the only algorithm that others are asked for")
)

//go:embed peers.py
var peersScript string

// peer is an algorithm of another library, in an environment of its own.
type peer struct{ environment, library, algorithm, name string }

var peers = []peer{
	{"dpmm", "dpmm", "MST", "MST, dpmm 0.1.9"},
	{"smart", "smartnoise", "MST", "MST, SmartNoise synth 1.0.8"},
	{"tables", "opendp", "MST", "MST, OpenDP 0.16.0 with mbi 1.1.0"},
	{"dpmm", "dpmm", "AIM", "AIM, dpmm 0.1.9"},
	{"smart", "smartnoise", "AIM", "AIM, SmartNoise synth 1.0.8"},
	{"tables", "opendp", "AIM", "AIM, OpenDP 0.16.0 with mbi 1.1.0"},
}

const peersHeading = `# Made-up rows beside those of other libraries

Made by TestJointPeers; do not edit (ADULT=adult.csv ./build.sh bench peers).

The people, the columns and the measures are those of JOINT.md: ten columns of the Adult data, the
first 36 000 persons, ε = %s, δ = 10⁻⁷. Each library has the ρ of zCDP that Hush takes this for; of
neighbours who come or go it is given half, since a replaced person moves twice as many counts. What
a library chooses, a replaced person moves further than that, so the others get a little more than
their part. Each has an environment of its own, and %v for a run; means of %d (Hush: %d). Other work
ran beside it: the seconds are rough.

| Rows | pairs | triples | area | right | seconds |
|---|--:|--:|--:|--:|--:|
`

// TestJointPeers measures other libraries' rows as TestJoint measures ours, and writes PEERS.md.
func TestJointPeers(t *testing.T) {
	if *peerDirs == "" || *adult == "" {
		t.Skip("takes many minutes: ADULT=adult.csv ./build.sh bench peers")
	}
	const granted = "1"
	all, sizes := readAdult(t)
	people, test := head(all, learned), make([][]uint8, len(all))
	for i, column := range all {
		test[i] = column[learned:]
	}
	d := delta("0.0000001")
	rho := must(privacy.RhoFor(epsilon(granted), d))
	text := &strings.Builder{}
	fmt.Fprintf(text, peersHeading, granted, *peerLimit, *peerSeeds, seeds)
	row := func(name string, runs int, made func(seed int) ([][]uint8, error)) {
		var l line
		took := 0.0
		for seed := range runs {
			began := time.Now()
			rows, err := made(seed)
			if err != nil {
				fmt.Fprintf(text, "| %s | %s | | | | |\n", name, err)
				t.Logf("%s: %v", name, err)
				return
			}
			of := float64(runs)
			took += time.Since(began).Seconds() / of
			area, right := logistic(rows, test, sizes)
			l.pairs += distance(people, rows, sizes, 2) / of
			l.triples += distance(people, rows, sizes, 3) / of
			l.area, l.right = l.area+area/of, l.right+right/of
		}
		said := fmt.Sprintf("| %s | %.4f | %.4f | %.3f | %.3f | %.0f |\n", name, l.pairs,
			l.triples, l.area, l.right, took)
		text.WriteString(said)
		t.Log(said)
	}
	row("real", 1, func(int) ([][]uint8, error) { return people, nil })
	row("Hush: all pairs, greatest entropy", seeds, func(seed int) ([][]uint8, error) {
		p := PairsParams{Epsilon: epsilon(granted), Delta: d, Sizes: sizes}
		p.Alone = must(PartAlone(p, learned))
		m, err := NewPairs(p)
		if err != nil {
			return nil, err
		}
		src := coin.NewSeeded(coin.Seed(seed))
		model, err := Fit(src, must(m.Release(src, people, nil)), nil)
		if err != nil {
			return nil, err
		}
		return columnsOf(model), nil
	})
	row("independent columns", seeds, func(seed int) ([][]uint8, error) {
		return noisySingles(coin.NewSeeded(coin.Seed(seed)), people, sizes, rho), nil
	})
	half := halfOf(rho, d)
	for _, p := range peers {
		if *peerOnly != "" && p.algorithm != *peerOnly {
			fmt.Fprintf(text, "| %s | not asked this time | | | | |\n", p.name)
			continue
		}
		row(p.name, *peerSeeds, func(seed int) ([][]uint8, error) {
			return p.rows(people, sizes, rho, half, seed)
		})
	}
	audittest.Document(t, "PEERS.md", text.String())
}

// halfOf is the largest ε, to four digits, whose ρ is at most half of this one.
func halfOf(rho privacy.Rho, d privacy.Delta) (half float64) {
	half = 1
	want := new(big.Rat).Quo(rho.Rat(), big.NewRat(2, 1))
	for step := 0.5; step > 1e-4; step /= 2 {
		of := must(privacy.RhoFor(epsilon(fmt.Sprintf("%.5f", half)), d)).Rat()
		if of.Cmp(want) > 0 {
			half -= step
		} else {
			half += step
		}
	}
	return half
}

// lastWords is the last line of an error that says something, up to its numbers.
func lastWords(text string) (last string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) > len("Error") {
			last = line
		}
	}
	if at := strings.IndexAny(last, "0123456789|"); at >= 0 {
		last = last[:at]
	}
	return strings.Trim(last, " :")
}

// rows asks the library, within the limit.
func (p peer) rows(people [][]uint8, sizes []int, rho privacy.Rho, half float64,
	seed int) (made [][]uint8, err error) {
	columns := make([][]int, len(people))
	for i, column := range people {
		for _, place := range column {
			columns[i] = append(columns[i], int(place))
		}
	}
	rhoFloat, _ := rho.Rat().Float64()
	in, err := json.Marshal(map[string]any{"library": p.library, "algorithm": p.algorithm,
		"sizes": sizes, "columns": columns, "rho": rhoFloat, "half": half, "delta": 1e-7,
		"seed": seed})
	if err != nil {
		return nil, err
	}
	within, stop := context.WithTimeout(context.Background(), *peerLimit)
	defer stop()
	run := exec.CommandContext(within, *peerDirs+"/peers-"+p.environment+"/bin/python",
		"-W", "ignore", "-c", peersScript)
	var out, failed bytes.Buffer
	run.Stdin, run.Stdout, run.Stderr = bytes.NewReader(in), &out, &failed
	if err := run.Run(); err != nil {
		if within.Err() != nil {
			return nil, fmt.Errorf("not ready after %v", *peerLimit)
		}
		if failed.Len() == 0 {
			return nil, errors.New("does not install")
		}
		return nil, fmt.Errorf("fails: %.80s", lastWords(failed.String()))
	}
	if err := json.Unmarshal(out.Bytes(), &columns); err != nil {
		return nil, err
	}
	for _, column := range columns {
		places := make([]uint8, len(column))
		for row, place := range column {
			places[row] = uint8(place)
		}
		made = append(made, places)
	}
	return made, nil
}
