package coin

import (
	"math/big"
	"testing"
)

// Native: go test -bench . ./core/coin Browser's engine: GOOS=js GOARCH=wasm go test -exec "$(go
// env GOROOT)/lib/wasm/go_js_wasm_exec" -run '^$' -bench . ./core/coin

func benchBase(b *testing.B, exponent string) Base {
	r, err := ExpBelow(rat(exponent))
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func BenchmarkCryptoWord(b *testing.B) {
	s := NewCrypto().(*bitSource)
	for b.Loop() {
		s.word()
	}
}

func BenchmarkBernoulliFraction(b *testing.B) {
	s, p := NewCrypto(), Ratio(2, 7)
	for b.Loop() {
		s.Bernoulli(p)
	}
}

func BenchmarkBernoulliPower(b *testing.B) {
	s, p := NewCrypto(), Ratio(2, 7).TimesPower(benchBase(b, "1/1000"), 1234)
	for b.Loop() {
		s.Bernoulli(p)
	}
}

func BenchmarkBernoulliLongFraction(b *testing.B) {
	s, p := NewCrypto(),
		RatioBig(new(big.Int).Lsh(bigOne, 100),
			new(big.Int).Add(new(big.Int).Lsh(bigOne, 101), bigOne))
	for b.Loop() {
		s.Bernoulli(p)
	}
}

func BenchmarkUniform(b *testing.B) {
	s := NewCrypto()
	for b.Loop() {
		s.Uniform(1000003)
	}
}

func BenchmarkGeometricThreeHalves(b *testing.B) {
	s, r := NewCrypto(), base(3, 2)
	for b.Loop() {
		s.Geometric(r)
	}
}

func BenchmarkGeometricScale1e6(b *testing.B) {
	s, r := NewCrypto(), benchBase(b, "1/1000000")
	for b.Loop() {
		s.Geometric(r)
	}
}

func BenchmarkGeometricScale2to40(b *testing.B) {
	s, r := NewCrypto(), benchBase(b, "1/1099511627776")
	for b.Loop() {
		s.Geometric(r)
	}
}

// ramp has n groups with scores like those of a median: falling, then rising.
type ramp int

func (n ramp) Len() int { return int(n) }

func (n ramp) Group(i int) (int64, uint64, *big.Int) {
	return -int64(min(i, int(n)-i)), uint64(i%17) + 1, nil
}

func BenchmarkChoose1e7Groups(b *testing.B) {
	s, r := NewCrypto(), benchBase(b, "1/1000")
	for b.Loop() {
		s.Choose(ramp(1e7), r, nil)
	}
}

func BenchmarkChoose1e3Groups(b *testing.B) {
	s, r := NewCrypto(), benchBase(b, "1/2")
	for b.Loop() {
		s.Choose(ramp(1e3), r, nil)
	}
}

// BenchmarkChooseLongMultiplicities has 1000 groups of up to 2^(2^20) outcomes each.
func BenchmarkChooseLongMultiplicities(b *testing.B) {
	var groups list
	huge := new(big.Int).Sub(new(big.Int).Lsh(bigOne, 1<<20), bigOne)
	for i := range int64(1000) {
		groups = append(groups, group{score: -i, many: huge})
	}
	s, r := NewCrypto(), benchBase(b, "1/2")
	for b.Loop() {
		s.Choose(groups, r, nil)
	}
}
