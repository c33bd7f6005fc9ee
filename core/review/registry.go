package review

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"hush/core/task"
)

// node is a field of YAML: a text, a number, a list of texts, or nested fields.
type node struct {
	name   string
	text   string
	number string
	list   []string
	fields []node
}

// registry writes an entry for the public registry of deployments of differential privacy, by the
// schema of Ghazi, Nanayakkara and Vadhan.
func (r *reviewed) registry() string {
	list := r.releases()
	var b strings.Builder
	write(&b, 0, []node{
		{name: "url_slug", text: r.slug()},
		{name: "status", text: "Draft"},
		{name: "tier", number: "3"},
		{name: "deployment", fields: []node{
			{name: "basic", fields: []node{
				{name: "name", text: r.title()},
				{name: "data_curators", list: []string{orBlank(r.page.Publisher)}},
				{name: "intended_use", text: Blank},
				{name: "data_product_type", text: productOf(list)},
				{name: "data_product_region", text: Blank},
				{name: "description", text: strings.Join(each(list, func(a *task.Release) string {
					return a.Statement
				}), " ")},
				{name: "publication_date", text: orBlank(r.page.Date)},
			}},
			{name: "dp_variant", fields: []node{
				{name: "variant_name", text: map[bool]string{true: "Approximate DP",
					false: "Pure DP"}[r.total.Loss.Delta().Sign() > 0]},
				{name: "data_domain", text: r.domain()},
				{name: "unprotected_quantities", text: "The number of people, and everything " +
					"typed into the form: ranges, bins, categories, conditions."},
			}},
			{name: "privacy_loss", fields: []node{
				{name: "privacy_unit", text: unitOf(list)},
				{name: "privacy_unit_details", text: strings.Join(each(list,
					func(a *task.Release) string { return a.Plan.Guarantee.Neighbours }), " ")},
				{name: "privacy_parameters", fields: r.parameters()},
				{name: "privacy_parameters_details", text: r.total.Loss.String() +
					" for one person replaced, the number of people public."},
			}},
			{name: "deployment_model", fields: []node{
				{name: "model_name", text: "Central"},
				{name: "actors", text: "The holder of the data, who runs the program on a device " +
					"of their own; readers, who see the release alone. " + Blank},
				{name: "release_type", text: "One release"},
				{name: "release_type_details", text: Blank},
				{name: "data_source_type", text: "Static"},
				{name: "access_type", text: "Non-interactive"},
			}},
			{name: "accounting", fields: []node{
				{name: "post_processing", text: "Charts, tables, roundings and sentences are " +
					"made of the noisy numbers alone."},
				{name: "composition", text: r.composition()},
			}},
			{name: "implementation", fields: []node{
				{name: "preprocessing_and_hyperparameter_tuning", text: Blank},
				{name: "mechanisms", text: strings.Join(each(list, func(a *task.Release) string {
					return a.Plan.Algorithm
				}), "; ") + ". Hush, build " + orBlank(r.page.Build) + ": noise in whole numbers " +
					"by exact rational laws, from the system's cryptographic generator."},
				{name: "justification", text: Blank},
			}},
			{name: "administrative", fields: []node{
				{name: "sources", text: orBlank(r.source())},
				{name: "registry_authors", list: []string{Blank}},
			}},
		}},
	})
	return b.String()
}

// write writes fields. A text of JSON is also one of YAML.
func write(b *strings.Builder, depth int, fields []node) {
	for _, n := range fields {
		b.WriteString(strings.Repeat("  ", depth) + n.name + ":")
		switch {
		case n.fields != nil:
			b.WriteString("\n")
			write(b, depth+1, n.fields)
		case n.list != nil:
			b.WriteString("\n")
			for _, text := range n.list {
				b.WriteString(strings.Repeat("  ", depth+1) + "- " + quoted(text) + "\n")
			}
		case n.number != "":
			b.WriteString(" " + n.number + "\n")
		default:
			b.WriteString(" " + quoted(n.text) + "\n")
		}
	}
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic("review: internal error: " + err.Error())
	}
	return string(out)
}

// parameters lists ε, and δ where there is one, rounded up.
func (r *reviewed) parameters() (list []node) {
	if epsilon, known := r.total.Loss.Epsilon(); known {
		list = append(list, node{name: "epsilon", number: decimalUp(epsilon, 6)})
	}
	if delta := r.total.Loss.Delta(); delta.Sign() > 0 {
		list = append(list, node{name: "delta", text: decimalUp(delta, 20)})
	}
	return list
}

// decimalUp writes x with at most that many digits behind the point, rounded up.
func decimalUp(x *big.Rat, digits int) string {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	scaled := new(big.Rat).Mul(x, new(big.Rat).SetInt(unit))
	up, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		up.Add(up, big.NewInt(1))
	}
	text := new(big.Rat).SetFrac(up, unit).FloatString(digits)
	if text = strings.TrimRight(text, "0"); strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text
}

// slug is the title in a form for an address.
func (r *reviewed) slug() string {
	parts := strings.FieldsFunc(strings.ToLower(r.title()+" "+r.page.Publisher+" "+r.page.Date),
		func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	return strings.Join(append([]string{"hush"}, parts...), "-")
}

// productOf names the kind of product, from the schema's list.
func productOf(list []*task.Release) string {
	has := func(kinds ...string) bool {
		return slices.ContainsFunc(list, func(a *task.Release) bool {
			return slices.Contains(kinds, a.Answer.Kind())
		})
	}
	switch {
	case has("madeup"):
		return "Synthetic data"
	case has("labels", "rule"):
		return "Machine learning model"
	}
	return "Summary statistics"
}

// unitOf states the unit of privacy in a few words.
func unitOf(list []*task.Release) string {
	return strings.Join(each(list, func(a *task.Release) string {
		one, _ := a.Recipe.Noun.Words()
		return "one " + one.String()
	}), ", ")
}

// domain states which values are possible.
func (r *reviewed) domain() string {
	return strings.Join(each(r.releases(), func(a *task.Release) string {
		text := a.Plan.Column + ": " + a.Plan.Domain
		for _, o := range a.Plan.Others {
			text += "; " + o.Column + ": " + o.Domain
		}
		return text
	}), ". ")
}
