package spelling

import (
	"strings"

	"hush/core/domain"
)

// A category is typed as its name, which is what readers see, and the other cells that count as it:
// "female = w, W, weiblich", "married = 1". What would be read otherwise stands in double quotes,
// which are doubled inside: `"a = b" = "x, y"`. The equals sign of "<=", ">=" and "!=" is part of
// a name.

// Line reads a category and the cells that count as it, between which sep stands.
func Line(line string, sep byte) (name string, cells []string) {
	name, rest, more := part(line, equals)
	for more {
		var cell string
		cell, rest, more = part(rest, func(text string, i int) bool { return text[i] == sep })
		if cell != "" {
			cells = append(cells, cell)
		}
	}
	return name, cells
}

// equals reports whether the sign at i parts a name from cells.
func equals(text string, i int) bool {
	return text[i] == '=' && !strings.HasPrefix(text[i+1:], "=") &&
		(i == 0 || !strings.ContainsAny(text[i-1:i], "<>!="))
}

// part returns the text before the first place that ends it, and what follows there. A name does
// not begin with the equals sign that ends it.
func part(text string, ends func(text string, i int) bool) (part, rest string, more bool) {
	text = strings.TrimSpace(text)
	if inside, after, ok := unquoted(text); ok {
		switch {
		case after == "":
			return inside, "", false
		case ends(after, 0):
			return inside, after[1:], true
		}
	}
	for i := range len(text) {
		if (i > 0 || text[0] != '=') && ends(text, i) {
			return strings.TrimSpace(text[:i]), text[i+1:], true
		}
	}
	return text, "", false
}

// unquoted returns what stands in quotes at the start of a text, and what follows.
func unquoted(text string) (inside, after string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", "", false
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
		case strings.HasPrefix(text[i+1:], `"`):
			i++
		default:
			return strings.ReplaceAll(text[1:i], `""`, `"`), strings.TrimSpace(text[i+1:]), true
		}
	}
	return "", "", false
}

// Parse reads a list, with a category on each line and commas between cells.
func Parse(text string) (categories []string, spellings []domain.Spelling) {
	for line := range strings.SplitSeq(text, "\n") {
		name, cells := Line(line, ',')
		if name == "" {
			continue
		}
		categories = append(categories, name)
		for _, cell := range cells {
			spellings = append(spellings, domain.Spelling{Cell: cell, As: name})
		}
	}
	return categories, spellings
}

// Text writes a list as Parse reads it.
func Text(categories []string, spellings []domain.Spelling) string {
	cells := make(map[string][]string)
	for _, s := range spellings {
		as, cell := strings.Trim(s.As, " \t"), strings.Trim(s.Cell, " \t")
		cells[as] = append(cells[as], plain(cell, comma))
	}
	lines := make([]string, len(categories))
	for i, name := range categories {
		name = strings.Trim(name, " \t")
		lines[i] = plain(name, equals)
		if list := cells[name]; len(list) > 0 {
			lines[i] += " = " + strings.Join(list, ", ")
		}
	}
	return strings.Join(lines, "\n")
}

func comma(text string, i int) bool { return text[i] == ',' }

// plain returns a text, in quotes where it would be read otherwise without.
func plain(text string, ends func(text string, i int) bool) string {
	if alone, _, more := part(text, ends); !more && alone == text && !strings.HasPrefix(text, `"`) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
