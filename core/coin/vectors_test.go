package coin

import (
	"bufio"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestSeededVectors holds the seeded stream to results computed by testdata/seeded.py, which shares
// no code with us.
func TestSeededVectors(t *testing.T) {
	r, near := base(3, 2), base(1<<40+1, 1<<40)
	big100 := new(big.Int).Sub(new(big.Int).Lsh(bigOne, 100), new(big.Int).Lsh(bigOne, 98))
	groups := list{{score: -2, m: 1}, {score: 0, m: 5}, {score: 1, m: 0}, {score: 3, m: 40}}
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	draws := map[string]func(s Source) string{
		"word":        func(s Source) string { return number(s.(*bitSource).word()) },
		"uniform-10":  func(s Source) string { return number(s.Uniform(10)) },
		"uniform-big": func(s Source) string { return s.UniformBig(big100).String() },
		"bernoulli-2/5": func(s Source) string {
			return number(uint64(toNumber(s.Bernoulli(Ratio(2, 5)))))
		},
		"bernoulli-3/4-power-2": func(s Source) string {
			return number(uint64(toNumber(s.Bernoulli(Ratio(3, 4).TimesPower(r, 2)))))
		},
		"geometric-3/2":     func(s Source) string { return number(s.Geometric(r)) },
		"geometric-1+2^-40": func(s Source) string { return number(s.Geometric(near)) },
		"choose": func(s Source) string {
			i, err := s.Choose(groups, r, nil)
			if err != nil {
				return err.Error()
			}
			return strconv.Itoa(i)
		},
	}
	file, err := os.Open("testdata/seeded.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	met := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Fields(lines.Text())
		seed, err := strconv.ParseUint(fields[1], 10, 64)
		draw := draws[fields[0]]
		if err != nil || draw == nil {
			t.Fatalf("unknown line %q", lines.Text())
		}
		met[fields[0]] = true
		source := NewSeeded(Seed(seed))
		for i, want := range fields[2:] {
			if have := draw(source); have != want {
				t.Errorf("%s, seed %d: result %d is %s, want %s", fields[0], seed, i, have, want)
				break
			}
		}
	}
	if len(met) != len(draws) {
		t.Errorf("vectors for %v only", met)
	}
}
