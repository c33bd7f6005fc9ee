package outside

import (
	"strings"

	"hush/core/domain"
	"hush/web/say"
)

// CountsAs says which cells count as a category beside its own name; it is empty where there are
// none.
func CountsAs(spec domain.Spec) string {
	var list []string
	for _, s := range spec.Spellings {
		list = append(list, say.Format("“%s” as “%s”", s.Cell, s.As))
	}
	switch {
	case spec.Other != "" && len(spec.Missing) > 0:
		list = append(list, say.Format("every other cell but “%s” as “%s”",
			strings.Join(spec.Missing, "”, “"), spec.Other))
	case spec.Other != "":
		list = append(list, say.Format("every other cell as “%s”", spec.Other))
	}
	if spec.Fold {
		list = append(list, say.Text("case and spaces do not count"))
	}
	return strings.Join(list, ", ")
}
