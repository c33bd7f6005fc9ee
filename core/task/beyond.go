package task

import (
	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
)

// Beyond says that a released value is an end of the range. Values beyond the range count as that
// end, so the true one may lie anywhere beyond it. This follows from the value and the recipe, at
// no cost.
type Beyond string

const (
	Above Beyond = "above" // it is the largest value
	Below Beyond = "below" // it is the smallest one
)

// BeyondRange compares a released value with the ends of the range. Texts that are cut have no end.
func BeyondRange(spec domain.Spec, value string) Beyond {
	switch spec.Kind {
	case domain.Integer, domain.Decimal, domain.Float64, domain.Date, domain.Timestamp:
	default:
		return ""
	}
	d, err := domain.New(spec)
	if err != nil || spec.Outside != domain.Clamp || d.Size().Cmp(one) <= 0 {
		return ""
	}
	last := d.Size()
	switch value {
	case d.Decode(last.Sub(last, one).Uint64()):
		return Above
	case d.Decode(0):
		return Below
	}
	return ""
}

// Of writes a value at an end as "100 or more", and any other value as it is.
func (b Beyond) Of(say *message.Language, kind domain.Kind, value string) string {
	dated := kind == domain.Date || kind == domain.Timestamp
	switch {
	case b == Above && dated:
		return say.Format("%s or later", value)
	case b == Above:
		return say.Format("%s or more", value)
	case b == Below && dated:
		return say.Format("%s or earlier", value)
	case b == Below:
		return say.Format("%s or less", value)
	}
	return value
}

// tooNarrow adjusts the verdict on an answer with values at an end of the range: it is never good,
// however small the noise.
func tooNarrow(q *ask.Query, v ask.Verdict, values ...Beyond) ask.Verdict {
	at := false
	for i, b := range values {
		if b == "" {
			continue
		}
		at = true
		if v.Grade == ask.Good {
			v.Grade = ask.Rough
		}
		if i < len(v.Cells) && v.Cells[i] == ask.Good {
			v.Cells[i] = ask.Rough
		}
	}
	if at {
		v.Text += " " + q.Say.Text("Values beyond the range count as its end, where a value of "+
			"the answer lies: the range is too narrow.")
	}
	return v
}
