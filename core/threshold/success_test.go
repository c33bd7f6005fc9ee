package threshold

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
)

// shapes are kinds of data. Each gives n codes of bits bits, a multiple of 8, as bytes without
// zeros at the end, in any order.
var shapes = []struct {
	name string
	make func(random *rand.Rand, bits, n int) [][]byte
}{
	{"uniform", func(random *rand.Rand, bits, n int) [][]byte {
		return codesFrom(n, func(int) []byte { return randomBytes(random, min(bits/8, 16)) })
	}},
	{"clustered", func(random *rand.Rand, bits, n int) [][]byte {
		// all alike but for the last quarter, of 2 bytes at most, before zeros
		same := randomBytes(random, min(bits/8*3/4, 1<<10))
		return codesFrom(n, func(int) []byte {
			return append(bytes.Clone(same), randomBytes(random, min(bits/8-len(same), 2))...)
		})
	}},
	{"duplicates", func(random *rand.Rand, bits, n int) [][]byte {
		// three fifths at one value, the others at nine
		values := codesFrom(10, func(int) []byte { return randomBytes(random, min(bits/8, 16)) })
		return codesFrom(n, func(i int) []byte {
			if i*5 < n*3 {
				return values[0]
			}
			return values[1+random.IntN(9)]
		})
	}},
	{"geometric", func(random *rand.Rand, bits, n int) [][]byte {
		// powers of two: a code leaves the path at every level
		top := min(bits, 256)
		return codesFrom(n, func(i int) []byte {
			code := make([]byte, bits/8)
			at := i % top
			code[at/8] = 1 << (7 - at%8)
			return code
		})
	}},
	{"adversarial", func(_ *rand.Rand, bits, n int) [][]byte {
		// half at 0111…1, half at 1000…0: no other interior point
		low := bytes.Repeat([]byte{0xff}, bits/8)
		low[0] = 0x7f
		return codesFrom(n, func(i int) []byte {
			if i%2 == 0 {
				return low
			}
			return []byte{0x80}
		})
	}},
}

func codesFrom(n int, code func(i int) []byte) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = bytes.TrimRight(code(i), "\x00")
	}
	return all
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// wideCodes are codes as domain wants them.
type wideCodes [][]byte

func (c wideCodes) Len() int          { return len(c) }
func (c wideCodes) Code(i int) []byte { return c[i] }

// sorted views codes as a data set: texts, or numbers where they fit.
func sorted(codes [][]byte, bits int) domain.Sorted {
	if bits <= 64 {
		numbers := make([]uint64, len(codes))
		for i, code := range codes {
			for k := range bits / 8 {
				numbers[i] <<= 8
				if k < len(code) {
					numbers[i] |= uint64(code[k])
				}
			}
		}
		slices.Sort(numbers)
		return domain.SortedCodes(numbers, bits)
	}
	order := make([]uint32, len(codes))
	for i := range order {
		order[i] = uint32(i)
	}
	wide := must(domain.NewWide(domain.Spec{Kind: domain.Bytes, Length: bits / 8}))
	return domain.SortedTexts(wide, wideCodes(codes),
		must(domain.SortTexts(wideCodes(codes), order, nil)))
}

// successes counts runs in which the finder hits an interior point of a fresh data set of n
// persons.
func successes(t *testing.T, f Finder, bits, n, runs int,
	shape func(random *rand.Rand, bits, n int) [][]byte) (good int) {
	t.Helper()
	random, src := rand.New(rand.NewPCG(uint64(bits), uint64(n))), coin.NewSeeded(coin.Seed(bits))
	var codes domain.Sorted
	for run := range runs {
		if run%10 == 0 {
			codes = sorted(shape(random, bits, n), bits)
		}
		x, err := f.Release(src, codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if depthOf(codes, x) >= 1 {
			good++
		}
	}
	return good
}

var tableBits = []int{8, 64, 256, 1024, 65536, 1 << 20}

// TestSuccess recomputes the table of the package's documentation: persons needed, and how often
// TreeLog finds an interior point with this many, for ε = 1, δ = 10^-6, β = 0.05. Short, the rates
// of a few runs must not be below 95 %; with -long they are those of the table, which -long -update
// writes.
func TestSuccess(t *testing.T) {
	runs := 40
	if *long {
		runs = 2000
	}
	text := string(must(os.ReadFile("doc.go")))
	table := ""
	for _, bits := range tableBits {
		size := values(uint(bits))
		tree := must(
			NewTreeLog(TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: size}))
		exponential := must(NewExponential(ExponentialParams{Epsilon: epsilon("1"), Size: size}))
		line := fmt.Sprintf("//	%-9d%-13d%-9d", bits, exponential.Needs(), tree.Needs())
		if !strings.Contains(text, "\n"+line) && !*audittest.Update {
			t.Errorf("doc.go has no line that begins with %q", line)
		}
		for _, shape := range shapes {
			rate := 100 * float64(successes(t, tree, bits, tree.Needs(), runs, shape.make)) /
				float64(runs)
			if rate < 95 {
				t.Errorf("TreeLog, %d bits, %s data: %.4g %% of %d runs", bits, shape.name, rate,
					runs)
			}
			line += fmt.Sprintf("%-*s", len(shape.name)+2, fmt.Sprintf("%.4g", rate))
		}
		table += strings.TrimRight(line, " ") + "\n"
	}
	if !*long {
		return
	}
	before, rest, _ := strings.Cut(text, "adversarial\n")
	_, after, _ := strings.Cut(rest, "\n// The exponential mechanism needs")
	whole := before + "adversarial\n" + table + "//\n// The exponential mechanism needs" + after
	switch {
	case whole == text:
	case *audittest.Update:
		if err := os.WriteFile("doc.go", []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("doc.go has another table than\n%s", table)
	}
}

// TestSuccessOfOthers runs the other finders with the persons they need, and all with far fewer,
// where they must fail: the requirement is not an idle one.
func TestSuccessOfOthers(t *testing.T) {
	runs := 100
	if *long {
		runs = 2000
	}
	size := values(64)
	for _, f := range []Finder{
		must(NewExponential(ExponentialParams{Epsilon: epsilon("1"), Size: size})),
		must(NewBinarySearch(
			BinarySearchParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: size})),
		must(NewTreeLog(
			TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: size, Rounds: 2})),
		must(NewTreeLog(
			TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: size, Form: Absolute,
				Persons: 1 << 20})),
	} {
		for _, shape := range shapes {
			if good := successes(t, f, 64, f.Needs(), runs, shape.make); float64(good) < 0.95*
				float64(runs) {
				t.Errorf("%s, %s data: %d of %d runs", f.Name(), shape.name, good, runs)
			}
		}
		if good := successes(t, f, 64, f.Needs()/8, runs, shapes[4].make); float64(good) > 0.8*
			float64(runs) {
			t.Errorf("%s with an eighth of the persons: %d of %d runs", f.Name(), good, runs)
		}
	}
}
