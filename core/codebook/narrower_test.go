package codebook

import (
	"strings"
	"testing"

	"hush/core/domain"
)

func TestNarrower(t *testing.T) {
	for _, c := range []struct {
		spec domain.Spec
		want string
	}{
		{domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "500000"}, "300000 200000 150000 100000"},
		{domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "20000", Step: "0.01"},
			"15000 10000 5000"},
		{domain.Spec{Kind: domain.Decimal, Lo: "0.5", Hi: "10", Step: "2"}, "4.5 2.5"},
		{domain.Spec{Kind: domain.Float64, Lo: "-1", Hi: "7"}, "5 3 2 1.5"},
		{domain.Spec{Kind: domain.Integer, Lo: "-500", Hi: "100"}, ""},
		{domain.Spec{Kind: domain.Integer}, ""},
		{domain.Spec{Kind: domain.Date, Lo: "2026-01-01", Hi: "2026-12-31"}, ""},
		{domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"}, ""},
	} {
		var list []string
		for _, s := range Narrower(c.spec) {
			if s.Lo != c.spec.Lo || s.Step != c.spec.Step {
				t.Errorf("%+v of %+v", s, c.spec)
			}
			if _, err := domain.New(s); err != nil {
				t.Errorf("%+v: %v", s, err)
			}
			list = append(list, s.Hi)
		}
		if got := strings.Join(list, " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.spec, got, c.want)
		}
	}
}
