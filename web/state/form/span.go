package form

import (
	"regexp"
	"strings"

	"hush/core/domain"
)

// spanText is a range as people type it: "0–120", "-5 to 40", "2019-2024". The number of either
// bound is read with the marks of the column.
var spanText = regexp.MustCompile(
	`^\s*(-?[\d.,']*\d)\s*(?:–|—|-|\.\.|…|to|bis|à|a)\s*(-?[\d.,']*\d)\s*$`)

// Span is the range that a text says of a column that holds what f says, numbers or dates; of dates
// it names years. ok is false where it says none.
func Span(text string, f DomainForm) (spec domain.Spec, ok bool) {
	ends := spanText.FindStringSubmatch(text)
	if ends == nil || !f.Bounded() {
		return spec, false
	}
	spec = domain.Spec{Kind: f.Kind, Step: f.Step}
	for i, end := range ends[1:] {
		switch {
		case f.Dated():
			if len(end) != len("2024") || strings.Trim(end, "0123456789") != "" {
				return spec, false
			}
			end += []string{"-01-01", "-12-31"}[i]
			if f.Kind == domain.Timestamp {
				end += []string{"T00:00:00", "T23:59:59"}[i]
			}
		default:
			if f.Group != "" {
				end = strings.ReplaceAll(end, f.Group, "")
			}
			if f.Mark == "," {
				end = strings.ReplaceAll(end, ",", ".")
			}
			if spec.Kind == domain.Integer && strings.Contains(end, ".") {
				spec.Kind, spec.Step = domain.Decimal, "0.01"
			}
		}
		if i == 0 {
			spec.Lo = end
		} else {
			spec.Hi = end
		}
	}
	if spec.Kind == domain.Date {
		spec.Step = ""
	}
	return spec, true
}
