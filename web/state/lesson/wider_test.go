package lesson

import (
	"testing"

	"hush/core/domain"
)

func TestWider(t *testing.T) {
	for _, c := range []struct {
		hi     string
		powers int
		want   string
	}{{"100", 0, "100"}, {"100", 2, "10000"}, {"12.5", 1, "125"}, {"12.5", 3, "12500"},
		{"12.345", 1, "123.45"}} {
		if got := wider(domain.Spec{Hi: c.hi}, c.powers).Hi; got != c.want {
			t.Errorf("%s with %d powers of ten is %s, want %s", c.hi, c.powers, got, c.want)
		}
	}
}
