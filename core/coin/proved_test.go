package coin

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestProvedVectors holds the coin to core/proof/Coin.v, the same operations as programs of Coq:
// for each stream of words it gives the same results, and takes as many words.
func TestProvedVectors(t *testing.T) {
	file, err := os.Open("testdata/proved.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var operation string
	var draw func(s Source) string
	operations, draws := map[string]int{}, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		given, results, isStream := strings.Cut(lines.Text(), ":")
		switch {
		case strings.HasPrefix(given, "#"):
			continue
		case !isStream:
			operation = given
			draw = provedDraw(t, strings.Fields(given))
			operations[strings.Fields(given)[0]]++
			continue
		}
		words := numbers(t, strings.Fields(given))
		stream := newStream(words[:len(words)-1], words[len(words)-1])
		for i, want := range strings.Fields(results) {
			before := stream.taken
			have := draw(stream.source)
			have += "/" + strconv.Itoa(stream.taken-before)
			if draws++; have != want {
				t.Errorf("%s, %s: draw %d is %s, want %s", operation, given, i, have, want)
				break
			}
		}
	}
	if len(operations) != 6 || draws < 10_000 {
		t.Errorf("%d draws of %v", draws, operations)
	}
}

// stream has given words, and behind them those of a linear congruential generator.
type stream struct {
	source *bitSource
	given  []uint64
	state  uint64
	taken  int
}

func newStream(given []uint64, seed uint64) *stream {
	s := &stream{given: given, state: seed}
	s.source = newBitSource(Seeded, 8, func(block []byte) {
		s.taken++
		if len(s.given) > 0 {
			binary.LittleEndian.PutUint64(block, s.given[0])
			s.given = s.given[1:]
			return
		}
		s.state = 6364136223846793005*s.state + 1442695040888963407
		binary.LittleEndian.PutUint64(block, s.state)
	})
	return s
}

// provedDraw is the operation that a line names, with its numbers.
func provedDraw(t *testing.T, fields []string) func(s Source) string {
	t.Helper()
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	bit := func(yes bool) string { return number(uint64(toNumber(yes))) }
	if fields[0] == "choose" {
		r := numbers(t, fields[1:3])
		var groups list
		for _, field := range fields[3:] {
			score, m, _ := strings.Cut(field, "*")
			both := numbers(t, []string{score, m})
			groups = append(groups, group{score: int64(both[0]), m: both[1]})
		}
		return func(s Source) string {
			i, err := s.Choose(groups, base(int64(r[0]), int64(r[1])), nil)
			if err != nil {
				return err.Error()
			}
			return strconv.Itoa(i)
		}
	}
	if fields[0] == "uniformbig" {
		n, ok := new(big.Int).SetString(fields[1], 10)
		if !ok {
			t.Fatalf("%v: no number", fields)
		}
		return func(s Source) string { return s.UniformBig(n).String() }
	}
	of := numbers(t, fields[1:])
	switch fmt.Sprint(fields[0], " ", len(of)) {
	case "uniform 1":
		return func(s Source) string { return number(s.Uniform(of[0])) }
	case "bernoulli 2":
		return func(s Source) string { return bit(s.Bernoulli(Ratio(of[0], of[1]))) }
	case "power 5":
		p := Ratio(of[0], of[1]).TimesPower(base(int64(of[2]), int64(of[3])), of[4])
		return func(s Source) string { return bit(s.Bernoulli(p)) }
	case "geometric 2":
		r := base(int64(of[0]), int64(of[1]))
		return func(s Source) string { return number(s.Geometric(r)) }
	}
	t.Fatalf("unknown operation %v", fields)
	return nil
}

func numbers(t *testing.T, fields []string) (all []uint64) {
	t.Helper()
	for _, field := range fields {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}
