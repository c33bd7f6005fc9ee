package message

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Check refuses a translation that does not fit the catalogue, naming every message at fault: one
// that the catalogue does not have (a spelling mistake would show English for good), a text in the
// place of plural forms or the other way round, and a text whose places are not those of the
// English one. It is for the build: nothing here compiles a regular expression before it is called,
// so that the browser's binary has none.
func Check(catalogue, l *Language) error {
	var found []error
	if !tag().MatchString(l.Tag) || l.Name == "" {
		found = append(found,
			fmt.Errorf(
				`language is %q and name is %q, want a tag such as "pt-BR" and the language's own name`, l.Tag, l.Name))
	}
	if l.Direction != "" && l.Direction != "ltr" && l.Direction != "rtl" {
		found = append(found, fmt.Errorf(`direction is %q, want "ltr" or "rtl"`, l.Direction))
	}
	for _, k := range slices.Sorted(maps.Keys(l.Messages)) {
		english, ok := catalogue.Messages[k]
		if !ok {
			found = append(found, fmt.Errorf("%q: no such message, want one of the catalogue", k))
			continue
		}
		if err := fits(string(k), english, l.Messages[k]); err != nil {
			found = append(found, fmt.Errorf("%q: %w", k, err))
		}
	}
	return errors.Join(found...)
}

// tag matches the tag of a language, which is also the name of its file.
func tag() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$`) }

func fits(key string, english, m Message) error {
	if (m.Plural != nil) != (english.Plural != nil) || (m.Text != "") == (m.Plural != nil) {
		if english.Plural != nil {
			return fmt.Errorf(
				`want "plural" with the forms of a language's plural categories, %q among them`,
				Other)
		}
		return errors.New(`want "text"`)
	}
	if m.Plural == nil {
		if !english.Format {
			return nil
		}
		return samePlaces(key, m.Text, false)
	}
	if m.Plural[Other] == "" {
		return fmt.Errorf("the plural form %q is missing", Other)
	}
	for _, category := range slices.Sorted(maps.Keys(m.Plural)) {
		if !slices.Contains([]string{"zero", "one", "two", "few", "many", Other}, category) {
			return fmt.Errorf("%q is no plural category, want zero, one, two, few, many or other",
				category)
		}
		if err := samePlaces(key, m.Plural[category], category != Other); err != nil {
			return err
		}
	}
	return nil
}

// place matches a verb of a format, with the number of its argument if it has one. A variable would
// bring regular expressions into the browser's binary, which checks nothing.
func place() *regexp.Regexp {
	return regexp.MustCompile(`%(?:%|[-+# 0]*(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z]))`)
}

// places lists the verbs of a format, by argument.
func places(format string) map[int]string {
	list, next := map[int]string{}, 1
	for _, m := range place().FindAllStringSubmatch(format, -1) {
		if m[2] == "" { // %%
			continue
		}
		if m[1] != "" {
			fmt.Sscan(m[1], &next)
		}
		list[next] = m[2]
		next++
	}
	return list
}

// samePlaces refuses a text whose places are not those of the English one. A plural form may leave
// some out, if it numbers the others: "one person of %[2]s".
func samePlaces(english, text string, fewer bool) error {
	want, got := places(english), places(text)
	for _, n := range slices.Sorted(maps.Keys(got)) {
		if verb := got[n]; want[n] != verb {
			return fmt.Errorf("its place %d is %%%s, want the places of the English text: %s", n,
				verb, written(want))
		}
	}
	if stray := strings.Count(place().ReplaceAllString(text, ""), "%"); stray > 0 {
		return errors.New("a % that is no place, want %%")
	}
	if len(got) != len(want) && (!fewer || len(got) > 0 && !strings.Contains(text, "%[")) {
		return fmt.Errorf("it has %d places, want all of the English text: %s", len(got),
			written(want))
	}
	return nil
}

func written(places map[int]string) string {
	var list []string
	for _, n := range slices.Sorted(maps.Keys(places)) {
		list = append(list, fmt.Sprintf("%%[%d]%s", n, places[n]))
	}
	return strings.Join(list, " ")
}
