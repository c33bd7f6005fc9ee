package ask

import (
	"strings"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/table"
)

// Words returns a recipe's question as a sentence, with the blanks of the task's text filled in:
// “What is the mean salary for each district?”
func (t *Task) Words(say *message.Language, r Recipe) string {
	words := strings.ReplaceAll(t.filled(say, r, t.Sentence, r.Whom(say), "for each %s"), " ?", "?")
	if len(r.Filter) > 0 && !strings.Contains(string(t.Sentence), "{many}") {
		words = strings.TrimSuffix(words, "?") + " " + say.Format("of %s", r.Whom(say)) + "?"
	}
	return phrase.Settled(words)
}

// Named returns a recipe's question as a title, with its conditions: “Mean salary by district”.
func (t *Task) Named(say *message.Language, r Recipe) string {
	name := t.filled(say, r, t.Heading, r.voice(say).Many(), "by %s")
	if len(r.Filter) > 0 {
		name = say.Format("%s, among those with %s", name, r.Having(say))
	}
	return phrase.Settled(phrase.Capital(name))
}

// Named returns the recipe's question as a title.
func (q *Query) Named() string { return q.Task.Named(q.Say, q.Recipe) }

// filled fills the blanks in a text of a task; whom names the people that it is about.
func (t *Task) filled(say *message.Language, r Recipe, key phrase.Key, whom string,
	group phrase.Key) string {
	var text strings.Builder
	rest := say.Text(key)
	for {
		before, behind, found := strings.Cut(rest, "{")
		text.WriteString(before)
		if !found {
			break
		}
		name, behind, _ := strings.Cut(behind, "}")
		switch name {
		case "many":
			text.WriteString(whom)
		case "column":
			if len(t.Domains) == 0 {
				text.WriteString(r.titles(say, name))
				break
			}
			text.WriteString(titleOf(say, r.Label, r.Column))
		case "values":
			text.WriteString(r.counted(say))
		case "group":
			if r.Group != nil {
				text.WriteString(say.Format(group, titleOf(say, r.Group.Label, r.Group.Column)))
			}
		case FurtherGroups:
			if list := r.titles(say, name); list != "" {
				text.WriteString(" " + say.Text("and") + " " + list)
			}
		default:
			text.WriteString(r.titles(say, name))
		}
		rest = behind
	}
	return phrase.Settled(strings.Join(strings.Fields(text.String()), " "))
}

// FurtherGroups is the role of columns whose values are combined with the groups.
const FurtherGroups = "and"

// titleOf is the published name of a column, or its number where it has none.
func titleOf(say *message.Language, label string, column int) string {
	if label == "" {
		return say.Format("column %d", column)
	}
	return label
}

// titles lists the names of the further columns of a role.
func (r Recipe) titles(say *message.Language, role string) string {
	var list []string
	for _, f := range r.Others {
		if f.Role == role {
			list = append(list, titleOf(say, f.Label, f.Column))
		}
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " " + say.Text("and") + " " + list[len(list)-1]
}

// counted lists the values of the main column that count.
func (r Recipe) counted(say *message.Language) string {
	switch spec := r.Domain; {
	case spec.Kind == domain.Category && len(spec.Categories) > 0:
		return OneOf(say, spec.Categories)
	case spec.Lo != "" && spec.Hi != "":
		c := Condition(say, table.Condition{Label: "\x00", Spec: spec, From: spec.Lo, To: spec.Hi})
		return strings.TrimSpace(strings.ReplaceAll(c, "\x00", ""))
	}
	return ""
}
