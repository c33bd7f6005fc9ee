package task

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/phrase"
)

// binsOf holds the bins of a column, and the facts that are needed to name them.
type binsOf struct {
	spec   domain.Spec
	values domain.Domain
	starts []uint64 // the first code of each
	size   uint64   // of the domain
}

// limits returns the first and the last code of a bin.
func (b binsOf) limits(bin int) (first, last uint64) {
	if bin+1 < len(b.starts) {
		return b.starts[bin], b.starts[bin+1] - 1
	}
	return b.starts[bin], b.size - 1
}

// edges lists where bins begin, and where the last one ends: behind its last value, like every
// other bin. Where the last bin also took in the range's last value, which would otherwise have
// been a bin of its own, it ends at that value.
func (b binsOf) edges() []string {
	plain := b.spec.Plain()
	d, err := domain.New(plain)
	if err != nil {
		return nil // unreachable: it is the column's domain
	}
	var edges []string
	for _, first := range b.starts {
		edges = append(edges, d.Decode(first))
	}
	count := len(b.starts)
	first, last := b.limits(count - 1)
	if count > 1 {
		start, end := b.limits(count - 2)
		if last-first == end-start+1 {
			return append(edges, d.Decode(last))
		}
	}
	plain.Hi = ""
	if open, err := domain.New(plain); err == nil && last < math.MaxUint64 &&
		open.Size().Cmp(new(big.Int).SetUint64(last+1)) > 0 {
		return append(edges, open.Decode(last+1))
	}
	return append(edges, d.Decode(last))
}

// label names a bin by its first and last value.
func (b binsOf) label(i int) string {
	first, last := b.limits(i)
	if first == last {
		return b.values.Decode(first)
	}
	return b.values.Decode(first) + "–" + b.values.Decode(last)
}

// roundBins returns the codebook's bins of a public range, and their width.
func roundBins(spec domain.Spec, few uint64) (starts []uint64, width string, err error) {
	values := codebook.Values{Spec: spec, Whole: spec.Lo == "" || spec.Hi == ""}
	bins, err := values.Bins(few)
	if err != nil {
		var fault *codebook.Fault
		if errors.As(err, &fault) {
			err = fault.Err
		}
		return nil, "", err
	}
	width = bins.Width
	if bins.Unit != "" {
		if width += " " + string(bins.Unit); bins.Width != "1" {
			width += "s"
		}
	}
	return bins.Starts, width, nil
}

// startsAt returns the codes at which bins begin: 0, and the codes of the values that a text lists,
// written as bounds are.
func startsAt(text string, spec domain.Spec) ([]uint64, error) {
	d, err := domain.New(spec.Plain())
	if err != nil {
		return nil, err // unreachable: it is the column's domain
	}
	starts := []uint64{0}
	for value := range strings.SplitSeq(strings.TrimRight(text, ", "), ",") {
		code, ok := d.Encode([]byte(strings.TrimSpace(value)))
		if !ok || code <= starts[len(starts)-1] {
			return nil, ask.Refuse(ask.ParamEdges, fmt.Sprintf("%.40q", value),
				phrase.Of("possible values above the smallest, in ascending order with a comma "+
					"between them, up to %q", d.Decode(new(big.Int).Sub(d.Size(), one).Uint64())))
		}
		starts = append(starts, code)
	}
	if len(starts) > basic.MaxBins {
		return nil, ask.Refuse(ask.ParamEdges, phrase.Of("%d values", len(starts)-1),
			phrase.Of("at most %d bins", basic.MaxBins))
	}
	return starts, nil
}

// smallSize is the number of values of a domain that must fit 64 bits.
func smallSize(d domain.Domain) (uint64, error) {
	size := d.Size()
	if !size.IsUint64() {
		return 0, ask.Refuse("hi", d.Describe(),
			phrase.Of("bounds with fewer than 2^64 values between them"))
	}
	return size.Uint64(), nil
}

// stepOf is the distance of neighbouring values: the step of a number, and 1 where steps are days
// or other units of time.
func stepOf(d domain.Domain) *big.Rat {
	if numeric, ok := d.(domain.Numeric); ok {
		_, step := numeric.Linear()
		return step
	}
	return big.NewRat(1, 1)
}
