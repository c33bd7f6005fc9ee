package report

import (
	"cmp"
	"encoding/json"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/svg"
)

// said holds the texts that a chart of a release may contain.
type said struct {
	texts  []string // complete ones, and their lines
	lo, hi float64  // of all numbers that the chart is given
	times  bool     // it has an axis of times
}

// saidBy gathers the texts and numbers of a release's chart.
func saidBy(r *task.Release) *said {
	option, _, _ := chart.Bare(r)
	s := &said{lo: math.Inf(1), hi: math.Inf(-1)}
	d := json.NewDecoder(strings.NewReader(string(option)))
	d.UseNumber()
	var whole any
	if d.Decode(&whole) != nil {
		panic("web: internal error: a chart is no JSON")
	}
	s.gather(whole)
	s.stack(whole)
	if e, is := r.Answer.Result.(*task.Estimates); is && e.Of == ask.OfShare {
		for _, row := range e.Rows { // pages of earlier versions drew shares from 0 to 1
			s.texts, s.lo = append(s.texts, plainText(row.Shown())), min(s.lo, 0)
		}
	}
	return s
}

// stack extends the numbers to the sums of what stands on each other, such as the top of a band.
func (s *said) stack(option any) {
	tops := map[string]float64{}
	series, _ := option.(map[string]any)["series"].([]any)
	for _, one := range series {
		one, _ := one.(map[string]any)
		name, stacked := one["stack"].(string)
		points, _ := one["data"].([]any)
		top := math.Inf(-1)
		for _, point := range points {
			if point, _ := point.([]any); stacked && len(point) == 2 {
				if number, is := point[1].(json.Number); is {
					y, _ := number.Float64()
					top = max(top, y)
				}
			}
		}
		if !math.IsInf(top, 0) {
			tops[name] += top
			s.hi = max(s.hi, tops[name])
		}
	}
}

func (s *said) gather(v any) {
	switch v := v.(type) {
	case map[string]any:
		s.times = s.times || v["type"] == "time"
		for _, inside := range v {
			s.gather(inside)
		}
	case []any:
		for _, inside := range v {
			s.gather(inside)
		}
	case string:
		s.texts = append(s.texts, plainText(v))
		if lines := strings.Split(v, "\n"); len(lines) > 1 {
			for _, line := range lines {
				s.texts = append(s.texts, plainText(line))
			}
		}
	case json.Number:
		if x, err := v.Float64(); err == nil {
			s.lo, s.hi = min(s.lo, x), max(s.hi, x)
		}
	}
}

// plainText returns a text with single spaces between its words.
func plainText(text string) string { return strings.Join(strings.Fields(text), " ") }

// timeText matches a part of a time as the chart library writes it on an axis.
var timeText = regexp.MustCompile(`^([0-9]{1,4}|[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?( [0-9]{3})?|` +
	`[A-Z][a-z]{2,8})$`)

// strange returns the texts of a picture that no chart of the release has: words that are none of
// its texts, and numbers that are neither one of its texts nor on an axis.
func (s *said) strange(p *svg.Picture) (list []string) {
	if p == nil {
		return nil
	}
	texts := p.Texts()
	for i, t := range texts {
		text := plainText(t.Text)
		known := text == "" || slices.Contains(s.texts, text) ||
			s.times && timeText.MatchString(text)
		if value, number := numberOf(t.Text); number {
			known = known || s.tick(texts, i, value)
		} else if strings.Trim(text, "0123456789.,-\u2212% ") != "" {
			known = known || s.has(text)
		}
		if !known {
			list = append(list, t.Text)
		}
	}
	return list
}

// numberOf returns the number that an axis writes as this text.
func numberOf(text string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.NewReplacer("\u00a0", "", "\u2212", "-").Replace(text), 64)
	return x, err == nil
}

// has reports whether a text is one of the chart's, or a line of one.
func (s *said) has(text string) bool {
	start := strings.TrimSuffix(text, "…")
	for _, whole := range s.texts {
		if whole == text || start != text && strings.HasPrefix(whole, start) {
			return true
		}
		for at := 0; text != ""; at++ {
			found := strings.Index(whole[at:], text)
			if found < 0 {
				break
			}
			at += found
			if breaks(whole, at) && breaks(whole, at+len(text)) {
				return true
			}
		}
	}
	return false
}

// longWord is the least length, in bytes, of a word that is broken over lines anywhere.
const longWord = 24

// breaks reports whether a line of a text may begin or end at a position: at a space, beside a mark
// at which the chart library breaks words, and in a long word.
func breaks(text string, at int) bool {
	before, after := text[:at], text[at:]
	const marks = " ,&?/;]"
	if before == "" || after == "" || strings.ContainsRune(marks, rune(before[at-1])) ||
		strings.ContainsRune(marks, rune(after[0])) {
		return true
	}
	end := strings.IndexByte(after, ' ')
	if end < 0 {
		end = len(after)
	}
	return at-1-strings.LastIndexByte(before, ' ')+end > longWord
}

// tick reports whether a number belongs to an axis: it is in line with two others in its row or
// column, at the position that they imply, and no further from the numbers of the chart than they
// are from each other. If there are only two numbers, each confirms the other.
func (s *said) tick(texts []svg.Text, i int, value float64) bool {
	at := texts[i]
	for _, along := range []bool{true, false} {
		var line []mark
		for _, t := range texts {
			x, number := numberOf(t.Text)
			switch {
			case !number:
			case along && math.Abs(t.Y-at.Y) < near:
				line = append(line, mark{t.X, x, t == at})
			case !along && math.Abs(t.X-at.X) < near:
				line = append(line, mark{t.Y, x, t == at})
			}
		}
		slices.SortFunc(line, func(a, b mark) int { return cmp.Compare(a.place, b.place) })
		size := min(3, len(line))
		for k := range len(line) - size + 1 {
			marks := line[k : k+size]
			if size > 1 && slices.ContainsFunc(marks, func(m mark) bool { return m.own }) &&
				(even(marks, plain) || even(marks, math.Log)) {
				step := math.Abs(marks[1].value - marks[0].value)
				return value >= s.lo-step && value <= s.hi+step
			}
		}
	}
	return false
}

// mark is a number in a row or a column of numbers.
type mark struct {
	place, value float64
	own          bool // it is the number in question
}

// near is the distance in points up to which positions count as one.
const near = 1.5

// even reports whether the scaled values grow in proportion to their positions, as on one ruler.
func even(marks []mark, scale func(float64) float64) bool {
	a, b := marks[0], marks[len(marks)-1]
	slope := (scale(b.value) - scale(a.value)) / (b.place - a.place)
	if slope == 0 || math.IsInf(slope, 0) {
		return false
	}
	for _, m := range marks {
		want := scale(a.value) + slope*(m.place-a.place)
		if !(math.Abs(scale(m.value)-want) <= math.Abs(slope)*near) { // also NaN
			return false
		}
	}
	return true
}

func plain(x float64) float64 { return x }

// escaped returns a text as it stands in a page.
func escaped(text string) string { return html.EscapeString(text) }
