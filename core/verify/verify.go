package verify

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/publication"
	"hush/core/task"
)

// MaxBytes is the size of the largest file that is opened.
const MaxBytes = 16_000_000

// File reads a release or a publication as JSON, or a publication as HTML, and lists which of its
// claims hold. build is the program that runs, and empty if it is not known. Whatever the file
// holds, the answer is a report.
func File(say *message.Language, text []byte, build string) Report {
	return Signed(say, text, build, nil, nil)
}

// Signature is a signature in a file, as checked by a program with the curve.
type Signature struct {
	Key   string `json:"key"`   // the public half, in hexadecimal
	Holds bool   `json:"holds"` // it is for the file's bytes, by that key
	Own   bool   `json:"own"`   // the key is of this device
}

// Signed is File for a file whose signature was checked, and a page whose display is compared with
// the page as rewrite writes it; a nil rewrite leaves that out.
func Signed(say *message.Language, text []byte, build string, s *Signature,
	rewrite Rewrite) Report {
	v := &verifier{say: say, text: text, build: build, signature: s, rewrite: rewrite}
	sum := sha256.Sum256(text)
	v.report = Report{Unknowable: unknowable(say), Fingerprint: hex.EncodeToString(sum[:])}
	v.open()
	rank := func(c Check) int { // failures in places first: a checksum has no place
		if c.Status == Fails && c.Faults[0].Path != "checksum" {
			return -1
		}
		return slices.Index([]Status{Fails, Holds, Cannot}, c.Status)
	}
	slices.SortStableFunc(v.report.Checks, func(a, b Check) int {
		return cmp.Compare(rank(a), rank(b))
	})
	v.report.visible()
	return v.report
}

type verifier struct {
	say    *message.Language
	text   []byte
	build  string
	report Report
	tree   *tree

	signature *Signature
	rewrite   Rewrite
	sealed    bool // the file has a checksum, so its version writes all fields
}

func (v *verifier) add(c Check) { v.report.Checks = append(v.report.Checks, c) }

// fault is a fault at a byte of the file.
func (v *verifier) fault(path string, at int, says, law, means string) Fault {
	line, column := position(v.text, at)
	return Fault{Path: path, Line: line, Column: column, Says: says, Law: law, Means: means,
		Lines: around(v.text, at)}
}

// whole is the check that a file is unchanged.
func (v *verifier) whole() Check {
	return Check{Title: v.say.Text("The file is whole"), Status: Holds, Class: Recomputed}
}

// unread refuses a file that cannot be read from a byte on.
func (v *verifier) unread(at int, says string) {
	v.add(v.whole().refused([]Fault{v.fault("", at, says,
		v.say.Text("A release is a file as Hush writes it."),
		v.say.Text("It was changed after it was written, cut off, or never a release."))}))
}

// open finds out what kind of file it is.
func (v *verifier) open() {
	say := v.say
	if len(v.text) > MaxBytes {
		v.text = v.text[:0]
		v.unread(0, say.Format("It has more than %d MB.", MaxBytes/1_000_000))
		return
	}
	from, to := 0, len(v.text)
	html := bytes.Index(v.text, []byte(publication.AppendixStart))
	if html >= 0 {
		from = html + len(publication.AppendixStart)
		length := bytes.Index(v.text[from:], []byte(publication.AppendixEnd))
		if length < 0 {
			v.unread(from, say.Text("The data of the page do not end."))
			return
		}
		to = from + length
	}
	tree, wrong := scanAt(v.text, from, to)
	if wrong != nil {
		if html < 0 {
			whole := v.whole()
			if v.sum(&whole); whole.Status == Fails {
				v.add(whole)
			}
		}
		v.unread(wrong.at, say.Format("Here %s.", wrong.why))
		return
	}
	v.tree = tree
	if html >= 0 || tree.has("publication") {
		v.page(from, to, html >= 0)
		return
	}
	v.read()
}

// read checks a single release.
func (v *verifier) read() {
	say, tree, unread, whole := v.say, v.tree, v.unread, v.whole()
	if !v.sum(&whole) {
		v.add(whole)
	}
	release := new(task.Release)
	if err := json.Unmarshal(v.text, release); err != nil {
		unread(tree.offset(tree.faulty(err)), say.Format("It cannot be read: %s.", say.Error(err)))
		return
	}
	if release.Answer.Result == nil || !task.Known(release.Recipe.Task) {
		unread(tree.offset("recipe.task"), say.Text("It holds no question and answer of Hush."))
		return
	}
	if whole.Status == Holds && v.sealed {
		v.add(whole)
	}
	if v.sealed {
		if _, _, v.report.Fingerprint = ask.Checksum(string(v.text)); whole.Status == Holds {
			v.report.Fingerprint = v.leafText("checksum")
		}
	}
	v.report.About = about(say, release)
	v.report.Loss = say.Phrase(release.Plan.Loss)
	v.release("", release)
	v.made(v.leafText("build"))
	v.signed()
}

// signed states by which key the file is signed, and what that is worth.
func (v *verifier) signed() {
	if v.tree.has("signature") {
		v.signedBy(v.leafText("signature.key"), v.tree.offset("signature.value"))
	}
}

// signedBy states what a signature at a byte of the file is worth, which names a key.
func (v *verifier) signedBy(named string, at int) {
	say := v.say
	c := Check{Title: say.Text("It is signed"), Status: Cannot, Class: Unknowable,
		Detail: say.Text("This program did not look at the signature.")}
	switch s := v.signature; {
	case s == nil:
	case !s.Holds || s.Key != named:
		c = c.refused([]Fault{v.fault("signature", at,
			say.Text("The signature is not of these bytes."),
			say.Text("A signature covers all bytes before it and is made with the key beside it."),
			say.Text("The file was changed after it was signed, by somebody who did not sign it "+
				"again."))})
	default:
		sum := sha256.Sum256([]byte(s.Key))
		key := hex.EncodeToString(sum[:])
		key = key[:4] + " " + key[4:8] + " " + key[8:12] + " " + key[12:16]
		c.Status = Holds
		c.Detail = say.Format("By the key %s. One device signed all files with that key; to "+
			"anyone who does not know the key from elsewhere it proves nothing.", key)
		if s.Own {
			c.Detail = say.Format("By the key %s of this device, like all files that you signed "+
				"here. To anyone who does not know the key from elsewhere it proves nothing.", key)
		}
	}
	v.add(c)
}

// faulty finds the place of a value that a release cannot have, or nothing if the place is not
// known.
func (t *tree) faulty(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return kind.Field
	}
	var refused *param.Error
	if errors.As(err, &refused) {
		for _, suffix := range []string{"loss." + refused.Field, "." + refused.Field} {
			for _, path := range t.order {
				if strings.HasSuffix(path, suffix) {
					return path
				}
			}
		}
	}
	return ""
}

// sum checks the checksum and the form of the file. It returns false where the check is complete:
// the file has no checksum, or a wrong one.
func (v *verifier) sum(whole *Check) (fine bool) {
	say := v.say
	body, stated, found := ask.Checksum(string(v.text))
	if stated == "" {
		if v.sealed = v.rewritten(whole); v.sealed {
			return true
		}
		if bytes.Contains(v.text, []byte(`"checksum"`)) {
			*whole = whole.refused([]Fault{v.fault("checksum",
				bytes.LastIndex(v.text, []byte(`"checksum"`)),
				say.Text("The checksum does not stand where Hush writes it."),
				say.Text("It is the last line but one, and covers every byte before it."),
				say.Text("The file was changed after it was written."))})
			return false
		}
		whole.Status = Cannot
		whole.Detail = say.Text("It has no checksum, like files of earlier versions. An " +
			"accidental change shows only where something else follows from the changed part.")
		return false
	}
	v.sealed = true
	if stated != found && v.rewritten(whole) {
		return true
	}
	if stated != found {
		*whole = whole.refused([]Fault{v.fault("checksum",
			bytes.LastIndex(v.text, []byte(`"checksum"`)),
			say.Format("It states the checksum %s… of its bytes.", stated[:min(16, len(stated))]),
			say.Format("They give %s… instead.", found[:16]),
			say.Text("At least one byte of the file was changed after it was written. A checksum "+
				"cannot show where; anything inconsistent is listed as well."))})
		return false
	}
	var compact, form bytes.Buffer
	if json.Compact(&compact, []byte(body)) == nil &&
		json.Indent(&form, compact.Bytes(), "", "  ") == nil {
		if form.WriteByte('\n'); !bytes.Equal(form.Bytes(), []byte(body)) {
			at := 0
			for at < len(body) && at < form.Len() && body[at] == form.Bytes()[at] {
				at++
			}
			*whole = whole.refused([]Fault{v.fault("", at,
				say.Text("It is not written as Hush writes it."),
				say.Text("Each value has a line of its own, with two spaces for each level."),
				say.Text("The file was changed after it was written, and its checksum renewed."))})
			return false
		}
	}
	whole.Detail = say.Text("Its bytes give the checksum that it states.")
	return true
}

// rewritten reports whether the file has the values that give its checksum, as another program
// wrote them: on one line, or with letters of other alphabets escaped.
func (v *verifier) rewritten(whole *Check) bool {
	form := indented(respelt(v.text), "  ") + "\n"
	_, stated, found := ask.Checksum(form)
	if stated == "" || stated != found || !ofAProgram(v.text) {
		return false
	}
	whole.Detail = v.say.Text("Another program wrote it again. Written by Hush, its values give " +
		"the checksum that it states.")
	return true
}

// respelt writes JSON with its texts spelt as Hush does, without spaces between its parts; empty if
// it is not JSON.
func respelt(text []byte) []byte {
	var compact bytes.Buffer
	if json.Compact(&compact, spelt(text)) != nil {
		return nil
	}
	return compact.Bytes()
}

// spelt writes JSON with its texts spelt as Hush does.
func spelt(text []byte) []byte {
	var all bytes.Buffer
	for rest := text; len(rest) > 0; {
		start := bytes.IndexByte(rest, '"')
		if start < 0 {
			all.Write(rest)
			break
		}
		end := start + 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return nil
		}
		var plain string
		again := rest[start : end+1]
		if json.Unmarshal(again, &plain) == nil {
			again, _ = json.Marshal(plain) // a text always can
		}
		all.Write(rest[:start])
		all.Write(again)
		rest = rest[end+1:]
	}
	return all.Bytes()
}

// indented writes JSON with each value on a line of its own; empty if it is not JSON.
func indented(text []byte, by string) string {
	var form bytes.Buffer
	if json.Indent(&form, text, "", by) != nil {
		return ""
	}
	return form.String()
}

// ofAProgram reports whether JSON is spaced uniformly, as programs write it but no hand does.
func ofAProgram(text []byte) bool {
	is, compact := strings.TrimSuffix(string(spelt(text)), "\n"), respelt(text)
	line := strings.NewReplacer(",\n", ", ", "\n", "").Replace(indented(compact, ""))
	return is == string(compact) || is == line ||
		slices.ContainsFunc([]string{" ", "  ", "   ", "    ", "\t"}, func(by string) bool {
			return is == indented(compact, by)
		})
}

// about describes a release in one line.
func about(say *message.Language, r *task.Release) string {
	text := say.Format("%s of %s, about %s %s", r.Plan.Task, r.Plan.Column,
		message.Grouped(r.Plan.People), r.Voice(say).Many())
	if r.Recipe.Source != "" {
		text += ". " + r.Recipe.Source
	}
	return text
}

// leafText returns the text at a place; empty if there is none.
func (v *verifier) leafText(path string) string {
	var text string
	if json.Unmarshal([]byte(v.tree.leaves[path].text), &text) != nil {
		return ""
	}
	return text
}

// made states which program made the file. Names can be copied and prove nothing, and it says so.
func (v *verifier) made(build string) {
	say := v.say
	c := Check{Title: say.Text("Which program made it"), Status: Cannot, Class: Unknowable,
		Detail: say.Text("It does not say.")}
	switch {
	case build == "":
	case build == v.build:
		c.Detail = say.Format("It names %s, the program that this page runs. Anybody can copy "+
			"that name.", short(build))
	default:
		c.Detail = say.Format("It names %s, another program than this page runs. Anybody can "+
			"write such a name.", short(build))
	}
	v.add(c)
}

func short(build string) string { return build[:min(len(build), 12)] }

// part is a group of fields that follow from others together, and what it means if they do not.
type part struct {
	title, wrong  string // what holds, and what fails otherwise
	detail, means string
	places        []string
}

// release checks, for a release at a place of the file, what follows from other fields.
func (v *verifier) release(place string, r *task.Release) {
	say := v.say
	again, language, err := v.redo(place, r)
	if err != nil {
		v.add(Check{Title: say.Text("The guarantee follows from the question"),
			Class: Recomputed}.refused([]Fault{v.fault(join(place, "recipe"),
			v.tree.offset(join(place, "recipe")),
			say.Format("The question cannot be worked out: %s.", say.Error(err)),
			say.Text("A release of Hush has a question that Hush can ask."),
			say.Text("Nothing is known to be promised. Do not rely on any number of it."))}))
		return
	}
	changed := say.Text("It was changed after it was written, or made by a program that does not " +
		"keep its promise.")
	parts := []part{
		{say.Text("The guarantee follows from the question"),
			say.Text("The guarantee differs from the question's"),
			say.Format("Its question about %s people costs %s.", message.Grouped(r.Plan.People),
				say.Phrase(again.Release.Plan.Loss)),
			say.Text("The release promises more than its question gives. Rely on the guarantee " +
				"that the law gives, or on none."), []string{"plan.loss",
				"plan.guarantee"}},
		{say.Text("The law of the noise fits the guarantee"),
			say.Text("The noise, or its error, does not fit the guarantee"),
			task.Capital(again.Release.Plan.Algorithm) + ".",
			say.Text("The noise, or its stated error, does not match the guarantee. Either this " +
				"was changed by hand, or its noise was smaller than " +
				"promised."), []string{"plan.algorithm", "plan.forecast", "plan.range",
				"plan.errorUnit", "plan.errorOf", "plan.off", "head.bases", "head.draws",
				"head.before"}},
		{say.Text("The description follows from the question"),
			say.Text("The description is not of this question"),
			say.Format("%s of %s.", again.Release.Plan.Task, again.Release.Plan.Column),
			changed, []string{"plan.task", "plan.column", "plan.domain", "plan.others",
				"plan.frame", "plan.verdict", "version"}},
		{say.Text("Every number follows from the draw"),
			say.Text("A number does not follow from the draw"), "",
			say.Text("Either this number was changed by hand, or it was not computed from the " +
				"numbers drawn. Its error bar does not hold."), []string{"answer", "tuned"}},
		{say.Text("The verdict follows the rule"), say.Text("The verdict breaks the rule"),
			again.Release.Verdict.Text, say.Text("The answer is called better or worse than its " +
				"error makes it."), []string{"verdict"}},
		{say.Text("The sentence matches the numbers"),
			say.Text("The sentence does not match the numbers"),
			again.Release.Statement,
			say.Text("The sentence says something other than the release. Read the numbers."),
			[]string{statementPath}},
	}
	v.compared(place, r, parts, again, language)
	v.related(place, r)
}

// language is the language of a file's prose.
type language struct{ foreign bool }

// redo recomputes a release in English and in the reader's language, and returns the one that
// differs less from the file. A file in which no text of the guarantee is in either language is in
// a third.
func (v *verifier) redo(place string, r *task.Release) (best ask.Again[task.All], l language,
	err error) {
	least := math.MaxInt
	for _, say := range []*message.Language{nil, v.say} {
		again, fault := ask.Redo(say, task.All{}, r)
		if fault != nil {
			return best, l, fault
		}
		if n := differing(r, &again.Release); n < least {
			best, least = again, n
		}
	}
	l.foreign = least == len(told(r))
	return best, l, nil
}

// told returns the texts from which the language of a release is recognised.
func told(r *task.Release) []string {
	g := r.Plan.Guarantee
	return []string{r.Plan.Task, r.Plan.Algorithm, g.Plain, g.Exact, g.Neighbours}
}

func differing(a, b *task.Release) (n int) {
	other := told(b)
	for i, text := range told(a) {
		if text != other[i] {
			n++
		}
	}
	return n
}

// compared checks a release in the file against the recomputed one.
func (v *verifier) compared(place string, r *task.Release, parts []part,
	again ask.Again[task.All], l language) {
	say := v.say
	text, err := json.Marshal(&again.Release)
	if err != nil {
		panic("verify: internal error: " + err.Error())
	}
	want, wrong := scan(text)
	if wrong != nil {
		panic("verify: internal error: a release is no JSON")
	}
	places := want.order
	for _, path := range v.tree.order {
		if inside, is := inPlace(path, place); is && !want.has(inside) {
			places = append(places, inside)
		}
	}
	lacking, foreign, older := 0, 0, 0
	for i, p := range parts {
		var faults []Fault
		count := 0
		for _, path := range places {
			if !p.has(path) {
				continue
			}
			count++
			now, is := v.tree.leaves[join(place, path)]
			law, known := want.leaves[path]
			switch {
			case is && known && same(now.text, law.text):
				continue
			case !is && (!v.sealed || slices.Contains(later, path)):
				lacking++ // of an earlier version
				continue
			case is && known && (v.otherwise(path, now.text, law.text) ||
				path == statementPath && again.Before != "" &&
					v.otherwise(path, now.text, again.Before)):
				older++
				continue
			case l.foreign && (!is || prose(now.text)) && (!known || prose(law.text)):
				foreign++
				continue
			}
			at := v.tree.offset(join(place, path))
			faults = append(faults, v.fault(join(place, path), at, v.says(path, now.text, is),
				v.law(path, law.text, known), p.means))
		}
		c := Check{Title: p.title, Detail: p.detail, Status: Holds, Class: Recomputed}
		switch {
		case i == answerPart && !again.Drawn:
			c.Title, c.Class, c.Status = say.Text("The numbers that were drawn"), Related, Cannot
			c.Detail = say.Text("The file does not hold them separately from the answer, so only " +
				"parts of it can be worked out again.")
		case i == answerPart:
			c.Detail = say.Format("%s fields of the answer were worked out again from the %s "+
				"numbers drawn.",
				message.Grouped(int64(count)),
				message.Grouped(int64(drawnIn(r))))
		case i == statementPart && !again.Told:
			c.Status, c.Class, c.Detail = Cannot, Related, say.Text("It rests on more than the "+
				"file holds.")
		}
		if i == statementPart && !again.Told {
			faults = nil
		}
		if c = c.refused(faults); c.Status == Fails {
			c.Title = p.wrong
		}
		v.add(c)
	}
	if origin := r.Origin; origin != coin.Crypto {
		at := v.tree.offset(join(place, "origin"))
		v.add(Check{Title: say.Text("The noise came from the system"), Class: Recomputed}.refused(
			[]Fault{v.fault(join(place, "origin"), at,
				say.Format("The file says that its noise came from “%s”.", string(origin)),
				say.Text("Only noise of the system's cryptographic generator is a release."),
				say.Text("Anybody who knows the seed can take the noise away: it protects "+
					"nobody."))}))
	}
	if r.Unverified {
		v.add(Check{Title: say.Text("Where it comes from"), Status: Cannot, Class: Unknowable,
			Detail: say.Text("It was opened from a file and saved again by a page that did not " +
				"draw it.")})
	}
	if lacking > 0 {
		v.add(Check{Title: say.Text("Fields of later versions"), Status: Cannot, Class: Unknowable,
			Detail: say.Format("It was written by an earlier version, which did not state %d of "+
				"the fields that are checked today.", lacking)})
	}
	if older > 0 {
		v.report.Shown = Cannot
		v.add(Check{Title: say.Text("Its texts"), Status: Cannot, Class: Unknowable,
			Detail: say.Format("It was written by another version, which words %d of its texts "+
				"otherwise. Their numbers are the same but for the last digit of some; their "+
				"words were not compared.", older)})
	}
	if foreign > 0 {
		v.add(Check{Title: say.Text("Its texts"), Status: Cannot, Class: Unknowable,
			Detail: say.Format("They are in another language than this page speaks: %d of them "+
				"were not compared, numbers were.", foreign)})
	}
	v.extra(place, parts, want)
}

// later lists the fields that releases have had only since some version: earlier releases lack
// them, and state nothing false by that.
var later = []string{"plan.loss.rho", "plan.range"}

// otherwise reports whether the text at a path says the same as the recomputed one in other words,
// as another version may: their numbers are the same. Grades, names and numbers are not such texts.
func (v *verifier) otherwise(path, now, law string) bool {
	worded := slices.ContainsFunc([]string{"plan.guarantee", "plan.forecast", "plan.range",
		"plan.algorithm", "plan.errorUnit", "plan.frame.axis", "plan.verdict.text", "verdict.text",
		statementPath},
		func(at string) bool { return within(path, at) })
	own := v.build != "" && v.build == cmp.Or(v.leafText("build"), v.leafText("page.build"))
	return worded && !own && slices.EqualFunc(numbersIn(now), numbersIn(law), nearly)
}

// nearly reports whether two written numbers are within one unit of the last digit of the coarser
// one: another version may have rounded to nearest where this one rounds outwards.
func nearly(a, b string) bool {
	if a == b {
		return true
	}
	plain := strings.NewReplacer("\u00a0", "", "\u202f", "", "\u2212", "-")
	a, b = plain.Replace(a), plain.Replace(b)
	x, ok := new(big.Rat).SetString(a)
	y, also := new(big.Rat).SetString(b)
	if !ok || !also {
		return false
	}
	digits := func(text string) int {
		_, behind, _ := strings.Cut(text, ".")
		return len(behind)
	}
	unit := big.NewRat(1, 1)
	for range min(digits(a), digits(b)) {
		unit.Quo(unit, big.NewRat(10, 1))
	}
	return x.Sub(x, y).Abs(x).Cmp(unit) <= 0
}

// numbersIn returns the numbers in a text of JSON, as they are written, in order.
func numbersIn(text string) []string { return written.FindAllString(unquoted(text), -1) }

var written = regexp.MustCompile(`[-\x{2212}]?[0-9]+([.\x{a0}\x{202f}][0-9]+)*`)

// The parts that are described differently.
const (
	answerPart    = 3
	statementPart = 5
)

// statementPath is the path of a release's sentence.
const statementPath = "statement"

// extra checks the fields that no part is about: those that a program may read differently from
// people, and those that no release has.
func (v *verifier) extra(place string, parts []part, want *tree) {
	say := v.say
	var faults []Fault
	var unknown []Fault // otherwise a renamed field, such as a checksum, would be passed over
	for _, path := range v.tree.order {
		inside, is := inPlace(path, place)
		if !is || inside == "checksum" || inside == "build" ||
			within(inside, "signature") ||
			slices.ContainsFunc(parts, func(p part) bool { return p.has(inside) }) {
			continue
		}
		law, known := want.leaves[inside]
		twin := slices.IndexFunc(want.order, func(at string) bool {
			return at != inside && strings.EqualFold(at, inside)
		})
		switch {
		case known && same(v.tree.leaves[path].text, law.text):
		case known || twin >= 0:
			faults = append(faults, v.fault(path, v.tree.leaves[path].at,
				v.says(inside, v.tree.leaves[path].text, true), say.Format("It is read as %s.",
					cut(unquoted(law.text))), say.Text("People and programs would read two "+
					"different releases.")))
		case !slices.Contains(blank, v.tree.leaves[path].text):
			unknown = append(unknown, v.fault(path, v.tree.leaves[path].at,
				v.says(inside, v.tree.leaves[path].text, true), v.law(inside, "", false),
				say.Text("Its name was changed after it was written, or a newer program wrote "+
					"it.")))
		}
	}
	if len(faults) > 0 {
		v.add(Check{Title: say.Text("Fields are read as they stand"),
			Class: Recomputed}.refused(faults))
	}
	if len(unknown) > 0 {
		v.add(Check{Title: say.Text("It has fields that no release has"),
			Class: Recomputed}.refused(unknown))
	}
}

// blank lists the values that stand for a missing field.
var blank = []string{"null", "false", "0", `""`, "[]", "{}"}

// has reports whether a path is in the part.
func (p part) has(path string) bool {
	return slices.ContainsFunc(p.places, func(at string) bool { return within(path, at) })
}

// inPlace returns a path relative to a place, or false if it lies elsewhere.
func inPlace(path, place string) (string, bool) {
	if !within(path, place) {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, place), "."), true
}

// drawnIn is the number of drawn numbers that a release holds.
func drawnIn(r *task.Release) int {
	if r.Head != nil {
		all := len(r.Head.Sums)
		for _, d := range r.Head.Draws {
			all += len(d.Sums)
		}
		return all
	}
	return len(r.Drawn)
}

// same reports whether two values of JSON say the same. The last digits of a fraction may differ by
// processor.
func same(a, b string) bool {
	if a == b {
		return true
	}
	var one, other string
	if json.Unmarshal([]byte(a), &one) == nil && json.Unmarshal([]byte(b), &other) == nil {
		return one == other && strings.HasPrefix(a, `"`) && strings.HasPrefix(b, `"`)
	}
	x, no := strconv.ParseFloat(a, 64)
	y, neither := strconv.ParseFloat(b, 64)
	const close = 1e-9
	return no == nil && neither == nil && (strings.ContainsAny(a+b, ".eE")) &&
		math.Abs(x-y) <= close*max(math.Abs(x), math.Abs(y))
}

// prose reports whether a value is a text with letters of words.
func prose(text string) bool {
	return strings.HasPrefix(text, `"`) && strings.ContainsFunc(text[1:], func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 127
	})
}

func (v *verifier) says(path, text string, is bool) string {
	if !is {
		return v.say.Format("The file has no “%s”.", cut(path))
	}
	return v.say.Format("The file says %s.", cut(unquoted(text)))
}

func (v *verifier) law(path, text string, known bool) string {
	if !known {
		return v.say.Format("There is no “%s” in such a release.", cut(path))
	}
	return v.say.Format("The law that it names gives %s.", cut(unquoted(text)))
}

// unquoted returns a value as people read it.
func unquoted(text string) string {
	var plain string
	if json.Unmarshal([]byte(text), &plain) == nil {
		return "“" + plain + "”"
	}
	return text
}

func cut(text string) string {
	if list := []rune(text); len(list) > longestLine {
		return string(list[:longestLine]) + "…"
	}
	return text
}

// related checks fields that need not follow from others, but must fit them.
func (v *verifier) related(place string, r *task.Release) {
	say := v.say
	var faults []Fault
	refuse := func(path, says, law string) {
		path = join(place, path)
		faults = append(faults, v.fault(path, v.tree.offset(path), says, law,
			say.Text("These cannot all be numbers of one release.")))
	}
	if r.Head != nil {
		last := ""
		latest := ask.Before{Epsilon: r.Recipe.Epsilon}
		for i, b := range append(slices.Clone(r.Head.Before), latest) {
			if last != "" && !rises(last, b.Epsilon) {
				refuse("head.before["+strconv.Itoa(i-1)+"]", say.Format("An answer with ε = %s "+
					"was topped up to ε = %s.", last, b.Epsilon), say.Text("Each is larger than "+
					"the one before."))
			}
			last = b.Epsilon
		}
	}
	for _, f := range relations(say, r) {
		refuse(f.path, f.says, f.law)
	}
	v.add(Check{Title: say.Text("Numbers that must fit together do"), Status: Holds,
		Class: Related, Detail: say.Text("Ends of ranges, orders of values, totals and places.")}.
		refused(faults))
}

// rises reports whether an ε is larger than the one before.
func rises(before, after string) bool {
	x, no := privacy.ParseEpsilon(before)
	y, neither := privacy.ParseEpsilon(after)
	return no == nil && neither == nil && x.Cmp(y) < 0
}

// misfit is a place of a release that contradicts others.
type misfit struct{ path, says, law string }
