package review

import (
	"fmt"
	"slices"
	"strings"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/privacy"
	"hush/core/publication"
	"hush/core/task"
)

// releases lists the releases of the page, each once, in the order of their figures.
func (r *reviewed) releases() (list []*task.Release) {
	for _, f := range r.page.Figures() {
		if !slices.Contains(list, f.Release) {
			list = append(list, f.Release)
		}
	}
	return list
}

// title is the page's title.
func (r *reviewed) title() string {
	if r.page.Title != "" {
		return r.page.Title
	}
	first := r.releases()[0]
	if first.Recipe.Data != "" {
		return first.Recipe.Data
	}
	return first.Plan.Task + " of " + first.Plan.Column
}

// orBlank returns a text, or the mark for a missing one.
func orBlank(text string) string {
	if strings.TrimSpace(text) == "" {
		return Blank
	}
	return text
}

// items answers the questions in the layers of NIST SP 800-226's pyramid, from its top to its base.
func (r *reviewed) items() string {
	var b strings.Builder
	head := func(text string) { fmt.Fprintf(&b, "\n## %s\n\n", text) }
	line := func(name, text string) { fmt.Fprintf(&b, "- **%s**: %s\n", name, inline(text)) }
	list := r.releases()
	fmt.Fprintf(&b, "# %s: items of NIST SP 800-226\n\n", inline(r.title()))
	b.WriteString("Made from the release itself. “" + Blank + "” marks what no file can know.\n")

	head("Privacy parameters")
	line("Guarantee", r.total.Loss.String()+", "+variant(r.total.Loss))
	for _, part := range r.total.Parts {
		name := "Figure "
		if len(part.Figures) > 1 {
			name = "Figures "
		}
		line(name+numbers(part.Figures), part.Loss.String())
	}
	line("Composition", r.composition())
	line("Rationale of ε", Blank)

	head("Unit of privacy")
	for _, text := range each(list, func(a *task.Release) string {
		return a.Plan.Guarantee.Neighbours
	}) {
		line("Neighbours", text)
	}
	line("Bounded or unbounded", "bounded: one person replaced, the number of people is public")
	for _, text := range each(list, func(a *task.Release) string {
		return message.Grouped(a.Plan.People) + " " + a.Voice(nil).Many()
	}) {
		line("People, public", text)
	}

	head("Algorithms and correctness")
	for i, a := range list {
		line(fmt.Sprintf("Answer %d, %s of %s", i+1, a.Plan.Task, a.Plan.Column),
			a.Plan.Algorithm+", "+a.Plan.Loss.String())
	}
	line("Proofs and audits", "each algorithm has a written proof beside its code, and "+
		"exact audits over all neighbours of tiny data; the bundle lists them under Evidence")
	line("Program", "Hush, build "+orBlank(r.page.Build))

	head("Utility and bias")
	for i, a := range list {
		if a.Verdict != nil {
			line(fmt.Sprintf("Answer %d", i+1), a.Verdict.Text)
		}
		for _, f := range a.Plan.Forecast {
			line(fmt.Sprintf("Answer %d, %s", i+1, f.Label), f.Value+"; "+f.Detail)
		}
	}
	line("Statistical bias", "values outside of the public range are cut to it or left "+
		"out, as the recipe says; small groups drown in noise and are marked")
	line("Systemic and human bias", Blank)

	head("Queries and access")
	line("Model", "not interactive: questions are fixed by the holder of the data, who alone asks")
	line("Ledger", "every release is debited on the holder's device before it is drawn, and never "+
		"given back")
	line("Other releases from the same data", Blank)

	head("Trust model")
	line("Model", "central: the holder of the data runs the program on a device of their own, and "+
		"nothing leaves it but the release")
	line("Who can see the data", Blank)

	head("Side channels and implementation")
	line("Arithmetic", "noise is drawn in whole numbers by exact rational laws; no floating-point "+
		"number decides what is released")
	for _, text := range each(list, func(a *task.Release) string {
		if a.Origin == coin.Crypto {
			return "the system's cryptographic generator"
		}
		return string(a.Origin)
	}) {
		line("Randomness", text)
	}
	line("Running time", "outside of the guarantee: who can watch the device while it computes "+
		"may learn from it")

	head("Security and access control")
	line("Storage, access, retention", Blank)

	head("Data collection exposure")
	line("Collection and consent", Blank)
	line("Source", orBlank(publication.Source(nil, r.source())))
	return b.String()
}

// source is the line below the charts.
func (r *reviewed) source() string {
	if r.page.Source != "" {
		return r.page.Source
	}
	return r.releases()[0].Recipe.Source
}

// variant names the definition that a loss meets.
func variant(l privacy.Loss) string {
	if l.Delta().Sign() > 0 {
		return "approximate differential privacy"
	}
	return "pure differential privacy"
}

// composition states how the parts were added up.
func (r *reviewed) composition() string {
	switch {
	case len(r.total.Parts) == 1 && r.total.Parts[0].Plan > 0:
		return "one plan of questions, fixed before the first draw and composed by the least of " +
			"the plain sum, the bound by ρ and the law of the loss itself"
	case len(r.total.Parts) == 1:
		return "one release"
	}
	return "the plain sum of the parts above, which holds however each was chosen"
}

// each lists the different texts that releases give, in their order.
func each(list []*task.Release, text func(*task.Release) string) (texts []string) {
	for _, a := range list {
		if one := text(a); !slices.Contains(texts, one) {
			texts = append(texts, one)
		}
	}
	return texts
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// inline writes a text such that it stays on one line of Markdown, without being markup.
func inline(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;",
		"[", "\\[", "|", "\\|").Replace(text)
}
