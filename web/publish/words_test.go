package publish

import (
	"strings"
	"testing"

	"hush/core/table"
)

// What stands beside a wrong ε must not praise it.
func TestStrength(t *testing.T) {
	for _, wrong := range []string{"0", "-1", "101", "99999999999999999999", "1e400", "few", ""} {
		if s := strength(wrong); s != "" {
			t.Errorf("ε %q is called %q", wrong, s)
		}
	}
	for epsilon, want := range map[string]string{
		"0.000000001": "Very strong", "0.5": "Strong", "3": "Moderate", "100": "Weak",
	} {
		if s := strength(epsilon); !strings.HasPrefix(s, want) {
			t.Errorf("ε %s is called %q, want %q", epsilon, s, want)
		}
	}
}

func TestReadingText(t *testing.T) {
	one := readingText(
		table.Options{Columns: 1, Delimiter: ",", Header: table.Yes, Encoding: "utf-8"})
	if want := "1 column, separated by commas, names in the first row, utf-8 text"; one != want {
		t.Errorf("got %q, want %q", one, want)
	}
}
