package report

import (
	"encoding/csv"
	"fmt"
	"html"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/task"
)

// A print is what is printed of a release, of which claims are taken away as they are read.
type print struct {
	reader
	release *task.Release
	texts   map[string]string     // sentences and caption
	tables  map[string][][]string // with their header
}

// The texts of a print.
const (
	itsSentence  = "sentence"
	pageSentence = "page's sentence"
	itsCaption   = "caption"
)

// claimed is what a text has that says how far off a number is.
var claimed = regexp.MustCompile(`±|\b9[0-9]\.?[0-9]* (?:of 100|%\))|at (?:most|least) ` +
	digits +
	`|within ` + digits + `|between ` + digits + ` and`)

// claims are those of a text or of a table's header.
func claims(text string) []string { return claimed.FindAllString(text, -1) }

// printOf gathers what is printed of a release.
func printOf(p reader, r *task.Release, page string, shown [][]string) print {
	text := print{p, r, map[string]string{itsSentence: r.Statement,
		itsCaption: html.UnescapeString(tagOf.ReplaceAllString(subOf.FindString(page), ""))}, nil}
	if m := headlineOf.FindStringSubmatch(page); m != nil {
		text.texts[pageSentence] = html.UnescapeString(m[1])
	}
	file, err := csv.NewReader(strings.NewReader(r.CSV())).ReadAll()
	if err != nil {
		p.Fatal(err)
	}
	text.tables = map[string][][]string{"table": r.Table(nil), "CSV": file, "page's table": shown}
	return text
}

var tagOf = regexp.MustCompile(`<[^>]*>`)

var pieces = strings.NewReplacer("NUMBER", "("+digits+")",
	" people", `[ \x{00a0}](?:people|person)`, " ", `[ \x{00a0}]`)

// take reads a claim in every text that has it, and takes it away.
func (p print) take(pattern string, read func(name string, found []string)) {
	re := compiled(`(?i)` + pieces.Replace(pattern))
	for _, name := range []string{itsSentence, pageSentence, itsCaption} {
		for _, found := range re.FindAllStringSubmatch(p.texts[name], -1) {
			read(name, found[1:])
		}
		p.texts[name] = re.ReplaceAllString(p.texts[name], "")
	}
}

// off adds whether a number is within an error of the truth.
func (p print) off(name string, value, truth, within float64) {
	if math.IsNaN(value) || math.IsNaN(truth) || math.IsNaN(within) {
		p.Errorf("%s, %s, %s: %g ± %g, and %g is true", p.q.ID, p.town.name, name, value,
			within, truth)
	}
	p.list.add(name, math.Abs(value-truth) <= within+1e-9*math.Abs(truth))
}

// atMost adds whether a number is at most as large as is said.
func (p print) atMost(name string, is float64, said string) {
	p.off(name, is, 0, max(read(said),
		0))
}

// ranges reads the tables with their low and high ends; truth is NaN of a row that is read
// elsewhere.
func (p print) ranges(truth func(row []string) float64) {
	for name, rows := range p.tables {
		low := slices.IndexFunc(rows[0], func(cell string) bool {
			return strings.HasPrefix(cell,
				"low")
		})
		if low < 0 {
			p.Errorf("%s: no range in %q", p.q.ID, rows[0])
			continue
		}
		for _, row := range rows[1:] {
			is := truth(row[:low-1])
			if math.IsNaN(is) {
				continue
			}
			from, value, to := read(row[low]), read(row[low-1]), read(row[low+1])
			if !(from <= value && value <= to) {
				p.Errorf("%s, %s, %s: %q is outside its own range", p.q.ID, p.town.name, name,
					row)
			}
			p.list.add(name, from <= is+1e-9 && is-1e-9 <= to)
		}
	}
}

// left is what nobody has read.
func (p print) left() {
	for name, text := range p.texts {
		if left := claims(text); left != nil {
			p.Errorf("%s, %s, %s: %q is not read of: %s", p.q.ID, p.town.name, name, left, text)
		}
	}
}

// count is how many people meet a condition.
func count(people []resident, is func(p resident) bool) (n float64) {
	for _, p := range people {
		if is(p) {
			n++
		}
	}
	return n
}

var yesNo = domain.Spec{Kind: domain.Category, Categories: []string{"ja", "nein"}}

// small is the column of x or y.
func small(role, label string) ask.Field {
	return ask.Field{Role: role, Column: map[string]int{"x": 5, "y": 6}[label], Label: label,
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}}
}

// others makes a recipe ask about these further columns, each of a role of the question.
func others(fields ...func(w town) ask.Field) func(w town, r *ask.Recipe) {
	return func(w town, r *ask.Recipe) {
		r.Others = nil
		for _, f := range fields {
			r.Others = append(r.Others, f(w))
		}
	}
}

func cityOf(role string) func(town) ask.Field {
	return func(town) ask.Field {
		return ask.Field{Role: role, Column: 2, Label: "city",
			Domain: citySpec}
	}
}

func marriedOf(role string) func(town) ask.Field {
	return func(town) ask.Field {
		return ask.Field{Role: role, Column: 3, Label: "married",
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"0", "1"}}}
	}
}

func yesOf(role string) func(town) ask.Field {
	return func(town) ask.Field {
		return ask.Field{Role: role, Column: 4, Label: "yes",
			Domain: yesNo}
	}
}

func smallOf(role, label string) func(town) ask.Field {
	return func(town) ask.Field { return small(role, label) }
}

// valueOf is the main column, with a cut in the middle.
func valueOf(role string, cut bool) func(town) ask.Field {
	return func(w town) ask.Field {
		f := ask.Field{Role: role, Column: 1, Label: "value", Domain: domain.Spec{
			Kind: domain.Integer, Lo: fmt.Sprint(w.lo), Hi: fmt.Sprint(w.hi)}}
		if cut {
			f.Cuts = []string{fmt.Sprint(w.middle())}
		}
		return f
	}
}

// has says whether a person has what a label of a column says: "Bern", "1", "0–41".
func (w town) has(p resident, column, label string) bool {
	switch column {
	case "city":
		return p.city == label
	case "married":
		return fmt.Sprint(p.married) == label
	case "value":
		if !strings.ContainsAny(label, "0123456789") {
			return false // no value
		}
		from, to := binRange(w, label)
		return float64(p.value) >= from && float64(p.value) <= to
	}
	panic("no column " + column)
}

// inGroup counts the people of a row of several tables: its name, and its group or, in a file,
// the
// places of city, married and value with its ends.
func (p print) inGroup(row []string) float64 {
	columns, labels := strings.Split(row[0], " · "), strings.Split(row[1], " · ")
	if len(row) > 2 {
		labels = slices.DeleteFunc(slices.Clone(row[1:4]), func(
			label string) bool {
			return label == ""
		})
	}
	return count(p.people, func(one resident) bool {
		for i, column := range columns {
			if !p.town.has(one, column, labels[i]) {
				return false
			}
		}
		return true
	})
}

// condition reads "city = Bern", "value ≥ 42".
func (w town) condition(text string) func(p resident) bool {
	for _, sign := range []string{" = ", " ≥ ", " < "} {
		if column, value, is := strings.Cut(text, sign); is {
			switch sign {
			case " = ":
				return func(p resident) bool { return w.has(p, column, value) }
			case " ≥ ":
				return func(p resident) bool { return float64(p.value) >= read(value) }
			}
			return func(p resident) bool { return float64(p.value) < read(value) }
		}
	}
	return nil
}

func all(conditions ...func(p resident) bool) func(p resident) bool {
	return func(p resident) bool {
		for _, is := range conditions {
			if !is(p) {
				return false
			}
		}
		return true
	}
}

// captionOf reads the error in a caption.
func (p print) captionOf(behind string, read func(name string, found []string)) {
	p.take(`, ± NUMBER`+behind, read)
	p.take(`, typically ± NUMBER`+behind, func(name string, found []string) {
		read(typically+name, found)
	})
}

// several reads tables of several columns.
func several(p print) {
	p.ranges(p.inGroup)
	rows := p.tables["table"][1:]
	p.take(`reaches up to NUMBER people to either side, in 95 of 100 releases`,
		func(name string, found []string) {
			for _, row := range rows {
				if reach := max(read(row[2])-read(row[3]), read(
					row[4])-read(row[2])); reach > read(found[0]) {
					p.Errorf("%s, %s: the range of %q reaches further than %s", p.q.ID,
						p.town.name, row, found[0])
				}
				p.off(name, read(row[2]), p.inGroup(row[:2]), read(found[0]))
			}
		})
	each := func(name string, found []string) {
		for _, row := range rows {
			p.off(name, read(row[2]), p.inGroup(row[:2]), read(found[0]))
		}
	}
	p.take(`Each count is within NUMBER people of the true one in 95 of 100 releases`, each)
	p.captionOf(` people in each count(?: of two columns)?`, each)
}

// upTo reads a distribution: where its counts up to a value are furthest off.
func upTo(p print, column string, at int) (most float64) {
	sum := 0.0
	for _, row := range p.tables["table"][1:] {
		if column != "" && row[0] != column {
			continue
		}
		sum += read(row[at+1])
		if column == "" {
			sum = read(row[at+2])
		}
		to := read(row[at])
		most = max(most, math.Abs(sum-count(p.people, func(one resident) bool {
			switch column {
			case "city":
				return slices.Index(cities, one.city) <= slices.Index(cities, row[at])
			case "x":
				return float64(one.x) <= to
			}
			return float64(one.value) <= to
		})))
	}
	return most
}

// cutRight says whether a cut-off is right about a person.
func cutRight(at float64) func(p resident) bool {
	return func(p resident) bool { return (float64(p.value) >= at) == p.yes }
}

func readCutoff(p print) {
	rule := ""
	for _, row := range p.tables["table"][1:] {
		rule += row[4]
	}
	at := math.Inf(1) // never
	if m := compiled(`ja from (` + digits + `) on`).FindStringSubmatch(rule); m != nil {
		at = read(m[1])
	} else if strings.Contains(rule, "always ja") {
		at = math.Inf(-1)
	}
	best := max(count(p.people, cutRight(math.Inf(1))), count(p.people, cutRight(math.Inf(-1))))
	for _, one := range p.people {
		best = max(best, count(p.people, cutRight(float64(one.value))))
	}
	behind := func(name string, found []string) {
		p.atMost(name, best-count(p.people, cutRight(at)), found[0])
	}
	p.take(`at most NUMBER people more than the best one \(in 95 of 100 releases\)`, behind)
	p.captionOf(` people more misclassified`, behind)
	n := float64(len(p.people))
	p.take(`right for about NUMBER % of the people \(between NUMBER and NUMBER %, in 95 of 100 `+
		`releases\)`,
		func(name string, found []string) {
			is := 100 * count(p.people, cutRight(at)) / n
			p.list.add(name, read(found[1]) <= is && is <= read(found[2]))
		})
	p.ranges(func(row []string) float64 {
		return 100 * count(p.people,
			cutRight(read(row[0]))) / n
	})
}

// still is the part in percent of some people without a yes when each time begins, step by step,
// and how many are at risk when its step does; those with the last time have no yes.
func still(people []resident, times []float64) (free, risk []float64) {
	now, from := 100.0, math.Inf(-1)
	for _, end := range times {
		atRisk := count(people, func(one resident) bool { return float64(one.value) >= from })
		events := count(people, func(one resident) bool {
			return one.yes && float64(one.value) >= from && float64(one.value) < end
		})
		if atRisk > 0 {
			now *= 1 - events/atRisk
		}
		free, risk, from = append(free, now), append(risk, atRisk), end
	}
	return free, risk
}

// readSurvival reads curves of everybody, and of cities where the first column of a table names
// them.
func readSurvival(p print) {
	table := p.tables["table"]
	first := slices.Index(table[0], "value")
	var times []float64
	for _, row := range table[1:] {
		if at := read(row[first]); !slices.Contains(times, at) {
			times = append(times, at)
		}
	}
	lived := func(city string) []resident {
		return slices.DeleteFunc(slices.Clone(p.people), func(one resident) bool {
			return city != "" && one.city != city
		})
	}
	free, risk := map[string][]float64{}, map[string][]float64{}
	for _, city := range append([]string{""}, cities...) {
		free[city], risk[city] = still(lived(city), times)
	}
	of := func(row []string) (city string, at int) {
		if first > 0 {
			city = row[0]
		}
		return city, slices.Index(times, read(row[first]))
	}
	p.ranges(func(row []string) float64 {
		city, at := of(row)
		return free[city][at]
	})
	for name, rows := range p.tables {
		for _, row := range rows[1:] {
			city, at := of(row)
			is := risk[city][at]
			p.list.add(name+", at risk", read(row[first+5]) <= is && is <= read(row[first+6]))
		}
	}
	p.take(`About NUMBER % of the people are still without “ja” at NUMBER \(between NUMBER and `+
		`NUMBER %, in 95 of 100 releases\)`, func(name string, found []string) {
		is := free[""][slices.Index(times, read(found[1]))]
		p.list.add(name, read(found[2]) <= is && is <= read(found[3]))
	})
	half := math.Inf(1)
	if i := slices.IndexFunc(free[""], func(part float64) bool { return part <= 50 }); i >= 0 {
		half = times[i]
	}
	p.take(`Half of the people are still without “ja” at about NUMBER \(between NUMBER and `+
		`NUMBER, in 95 of 100 releases\)`, func(name string, found []string) {
		p.list.add(name+", half", read(found[1]) <= half && half <= read(found[2]))
	})
	p.take(`With “([^”]*)”, NUMBER to NUMBER percentage points more are still without “ja” at `+
		`NUMBER than with “([^”]*)” \(in 95 of 100 releases\)`, func(name string, found []string) {
		at := slices.Index(times, read(found[3]))
		is := free[found[0]][at] - free[found[4]][at]
		p.list.add(name+", difference", read(found[1]) <= is+1e-9 && is-1e-9 <= read(found[2]))
	})
}

// strength is the covariance with a yes, in percent of the largest.
func (p print) strength(column string) float64 {
	n, sum := float64(len(p.people)), 0.0
	yes := count(p.people, func(one resident) bool { return one.yes })
	for _, one := range p.people {
		says, value := -yes/n, float64(one.x)/40
		if one.yes {
			says++
		}
		if column == "value" {
			value = float64(one.value-p.town.lo) / float64(p.town.hi-p.town.lo)
		}
		sum += says * value
	}
	return 100 * math.Abs(sum) / (n / 4)
}

func readStrongest(p print) {
	chosen := p.tables["table"][1][0]
	is := p.strength(chosen)
	behind := func(name string, found []string) {
		p.atMost(name, max(p.strength("value"), p.strength("x"))-is, found[0])
	}
	p.take(`at most NUMBER % of the strongest possible relation behind the best \(in 95 of 100 `+
		`releases\)`, behind)
	p.captionOf(` % of the strongest possible relation`, behind)
	p.take(`strength is about NUMBER % \(± NUMBER, in 95 of 100 releases\)`,
		func(name string, found []string) { p.off(name, read(found[0]), is, read(found[1])) })
	for name, rows := range p.tables {
		row := rows[1]
		behind(name, []string{strings.TrimRight(row[1], "\u00a0 %")})
		p.off(name, read(row[2]), is, read(row[3]))
	}
}

func readRule(p print) {
	attributes := []func(one resident) bool{}
	for _, text := range []string{"city = Bern", "city = Rom", "city = Ulm",
		fmt.Sprintf("value ≥ %d", p.town.middle()), fmt.Sprintf("value < %d", p.town.middle())} {
		attributes = append(attributes, p.town.condition(text))
	}
	right := func(conditions ...func(resident) bool) float64 {
		return count(p.people, func(one resident) bool {
			return all(
				conditions...)(one) == one.yes
		})
	}
	best := right()
	for i, a := range attributes {
		for _, b := range attributes[:i+1] {
			best = max(best, right(a, b))
		}
	}
	var chosen []func(resident) bool
	rule, _, _ := strings.Cut(strings.TrimPrefix(p.texts[itsSentence], "Ja if "), ", else")
	for _, text := range strings.Split(rule, " and ") {
		if is := p.town.condition(text); is != nil {
			chosen = append(chosen, is)
		}
	}
	is := right(chosen...)
	p.take(`about NUMBER of NUMBER people correctly \(± NUMBER, in 95 of 100 releases\)`,
		func(name string, found []string) { p.off(name, read(found[0]), is, read(found[2])) })
	p.captionOf(` people fewer classified correctly`, func(name string, found []string) {
		p.atMost(name, best-is, found[0])
	})
	for name, rows := range p.tables {
		value := map[string]string{}
		for _, row := range rows[1:] {
			value[row[0]] = row[1]
		}
		p.off(name, read(value["people classified correctly"]), is,
			read(value["±, in 95 of 100 releases"]))
	}
}

// readClassify knows the label of everybody: all possible values are cases, and no rule but a
// threshold parts them.
func readClassify(p print) {
	wrong := func(label func(x int) bool) float64 {
		return count(p.people, func(one resident) bool { return label(one.x) != one.yes })
	}
	labels := map[int]bool{}
	for _, row := range p.tables["table"][1:] {
		labels[int(read(row[0]))] = row[1] == "ja"
	}
	best := math.Inf(1)
	for at := range 42 {
		best = min(best, wrong(func(x int) bool { return x >= at }),
			wrong(func(x int) bool { return x < at }))
	}
	is := wrong(func(x int) bool { return labels[x] })
	more := func(name string, found []string) { p.atMost(name, is-best, found[0]) }
	p.take(`mislabels at most NUMBER people more than the best rule among those that differ on `+
		`the cases \(in 95 of 100 releases\)`, more)
	p.captionOf(` people more mislabelled`, more)
}

func readConjunctions(p print) {
	var offs []float64
	for _, row := range p.tables["table"][1:] {
		var conditions []func(resident) bool
		for _, text := range strings.Split(row[0], ", ") {
			conditions = append(conditions, p.town.condition(text))
		}
		offs = append(offs, math.Abs(read(row[1])-count(p.people, all(conditions...))))
	}
	p.take(`typically within NUMBER people[.] A single one may be further off`,
		func(name string, found []string) {
			for _, off := range offs {
				p.atMost(typically+name, off, found[0])
			}
		})
	p.captionOf(` people in an answer`, func(name string, found []string) {
		for _, off := range offs {
			p.atMost(name, off, found[0])
		}
	})
}

// typically begins the name of what half of all releases hold.
const typically = "typically: "

// readClusters reads sizes where two centres are in the midst of the two crowds, so that the
// people
// nearest to each are those of its crowd, wherever the centres were before.
func readClusters(p print) {
	near := func(x, y float64) (crowd int) {
		for k, c := range crowds {
			if math.Hypot(x-c[0], y-c[1]) < 6 {
				return k + 1
			}
		}
		return 0
	}
	size := func(crowd int) float64 {
		return count(p.people, func(one resident) bool {
			return near(float64(one.x),
				float64(one.y)) == crowd
		})
	}
	rows := p.tables["table"][1:]
	parted := len(rows) == 2 && near(read(rows[0][1]), read(rows[0][2]))*near(read(rows[1][1]),
		read(rows[1][2])) == 2
	each := func(name string, found []string) {
		for _, row := range rows {
			if parted {
				p.off(name, read(row[3]), size(near(read(row[1]), read(row[2]))), read(found[0]))
			}
		}
	}
	p.take(`sizes ± NUMBER in 95 of 100 runs`, each)
	p.captionOf(` people in the size of a group`, each)
	p.take(`No group of at least NUMBER people`, func(string, []string) {})
	if parted {
		p.ranges(func(row []string) float64 { return size(near(read(row[1]), read(row[2]))) })
	}
}

// alongOf is the spread along "0.75 x − 0.66 y", in percent of the ranges.
func (p print) alongOf(direction string) float64 {
	var weights [2]float64
	sign, parts := 1.0, strings.Fields(direction)
	for i := 0; i < len(parts); i++ {
		switch parts[i] {
		case "−":
			sign = -1
		case "+":
			sign = 1
		default:
			weights[strings.Index("xy", parts[i+1])] = sign * read(parts[i])
			i++
		}
	}
	length := math.Hypot(weights[0], weights[1]) // they are rounded
	n, sum, squares := float64(len(p.people)), 0.0, 0.0
	for _, one := range p.people {
		along := (weights[0]*float64(one.x) + weights[1]*float64(one.y)) / length / 41
		sum, squares = sum+along, squares+along*along
	}
	return 100 * math.Sqrt(max(squares/n-sum*sum/n/n, 0))
}

func readDirections(p print) {
	row := p.tables["table"][1]
	is := p.alongOf(row[0])
	p.take(`about NUMBER % of the range \(NUMBER to NUMBER % in 95 of 100 runs\)`,
		func(name string, found []string) {
			p.list.add(name, read(found[1]) <= is && is <= read(found[2]))
		})
	p.captionOf(` % of the range, in a spread`, func(name string, found []string) {
		p.off(name, read(row[1]), is, read(found[0]))
	})
	p.ranges(func(row []string) float64 { return p.alongOf(row[0]) })
}

func readContacts(p print) {
	truth := func(row []string) float64 {
		return count(p.people, func(one resident) bool {
			if row[1] == "all others" {
				return (one.from == row[0]) != (one.to == row[0])
			}
			return one.from == row[0] && one.to == row[1] || one.from == row[1] &&
				one.to == row[0]
		})
	}
	for name, rows := range p.tables {
		for _, row := range rows[1:] {
			if !p.release.Answer.Result.(*task.Contacts).Paired() {
				continue // a mean over sets, whose error is typical, as the sentence says
			}
			p.off(name, read(row[2]), truth(row), read(row[3]))
		}
	}
	half := func(name string, found []string) {
		for last := range 4 { // of the sets of half of the places
			set := []int{0, last + 1, (last+1)%5 + 1}
			answer, err := p.release.Answer.Result.(*task.Contacts).Ask(set)
			if err != nil {
				p.Fatal(err)
			}
			in := func(place string) bool {
				return slices.Contains(set, slices.Index(places,
					place))
			}
			p.off(name, answer.People, count(p.people, func(one resident) bool {
				return in(one.from) != in(one.to)
			}), read(found[0]))
		}
	}
	p.take(`typically within NUMBER of the true number, for half of the places`, func(name string,
		found []string) {
		half(typically+name, found)
	})
	p.captionOf(` contacts, for a set of half of the places`, half)
}

func readDensity(p print) {
	most := upTo(p, "", 1)
	p.take(`No count is off by more than NUMBER people \(in 95 of 100 releases\)`,
		func(name string, found []string) { p.atMost(name, most, found[0]) })
	p.captionOf(` people in any count(?: on most data)?`, func(name string, found []string) {
		p.atMost(name, most, found[0])
	})
}

func readMadeUp(p print) {
	most := max(upTo(p, "value", 2), upTo(p, "city", 2), upTo(p, "x", 2))
	p.captionOf(` people in any count of a column(?: on most data)?`, func(name string,
		found []string) {
		p.atMost(name, most, found[0])
	})
}

func init() { maps.Copy(queries, further) }

// claimsOf are those that the example of a question prints.
func claimsOf(t *testing.T, q ask.Task) (list []string) {
	t.Helper()
	r := q.Example.Recipe
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, q.ID, "1"
	taught, err := task.Teach(nil, ask.Lesson{Sample: q.Example.Sample, Recipe: r, Draws: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	release := taught.Draws[0]
	page := Of("", "2026-01-31", Answer{Release: release}).HTML()
	p := printOf(reader{T: t, q: q}, release, page, shownRows(page))
	for _, text := range p.texts {
		list = append(list, claims(text)...)
	}
	for _, rows := range p.tables {
		list = append(list, claims(strings.Join(rows[0], "; "))...)
	}
	return list
}

// TestClaimsAreFound: a question that no test reads does not go unnoticed, for claims are found
// in
// what each prints.
func TestClaimsAreFound(t *testing.T) {
	for _, q := range task.Catalogue() {
		if len(claimsOf(t, q)) == 0 {
			t.Errorf("%s: no claim is found", q.ID)
		}
	}
	if list := claims("About 12 people are from Rom, of 100."); list != nil {
		t.Errorf("claims are found where there are none: %q", list)
	}
}

// further are questions whose claims stand elsewhere than in a number with its range.
var further = map[string]query{
	"density": {recipe: func(w town, r *ask.Recipe) {
		mainColumn(w, r)
		if w.crowdedCities {
			r.Params = ask.Params{"stated": "measured"}
		}
	}, print: readDensity},
	"madeup": {recipe: others(valueOf("column", false), cityOf("column"), smallOf("column", "x")),
		print: readMadeUp},
	"tables": {recipe: others(cityOf("by"), marriedOf("by"), valueOf("by", true)),
		print: several},
	"joint": {recipe: others(cityOf("kept"), marriedOf("kept"), valueOf("kept", true)),
		print: several},
	"cutoff": {recipe: func(w town, r *ask.Recipe) {
		mainColumn(w, r)
		others(yesOf("outcome"))(w, r)
	}, print: readCutoff},
	"survival": {recipe: func(w town, r *ask.Recipe) {
		mainColumn(w, r)
		others(yesOf("end"))(w, r)
	}, print: readSurvival},
	"strongest": {recipe: others(yesOf("outcome"), valueOf("feature", false), smallOf("feature",
		"x")),
		print: readStrongest},
	"rule": {recipe: others(yesOf("outcome"), valueOf("attribute", true), cityOf("attribute")),
		print: readRule},
	"classify": {recipe: func(w town, r *ask.Recipe) {
		others(yesOf("outcome"), smallOf("feature", "x"))(w, r)
		cases := "x\n"
		for x := range 41 {
			cases += fmt.Sprintln(x)
		}
		r.Params = ask.Params{"cases": cases}
	}, print: readClassify},
	"conjunctions": {recipe: others(valueOf("attribute", true), cityOf("attribute"),
		marriedOf("attribute")),
		print: readConjunctions},
	"clusters": {recipe: others(smallOf("coordinate", "x"), smallOf("coordinate", "y")),
		print: readClusters},
	"directions": {recipe: others(smallOf("coordinate", "x"), smallOf("coordinate", "y")),
		print: readDirections},
	"contacts": {recipe: others(placeOf("from", 7), placeOf("to", 8)), print: readContacts},
}

var places = []string{"A", "B", "C", "D", "E", "F"}

func placeOf(role string, column int) func(town) ask.Field {
	return func(town) ask.Field {
		return ask.Field{Role: role, Column: column, Label: role,
			Domain: domain.Spec{Kind: domain.Category, Categories: places}}
	}
}

// crowds are where x and y of three of four and of one of four people are.
var crowds = [2][2]float64{{6, 10}, {24, 28}}
