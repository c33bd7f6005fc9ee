package asking

import "hush/core/ask"

// BySection splits the catalogue into its sections.
func BySection(tasks []ask.Task) (sections [][]ask.Task) {
	for i, t := range tasks {
		if i == 0 || t.Section != tasks[i-1].Section {
			sections = append(sections, nil)
		}
		last := &sections[len(sections)-1]
		*last = append(*last, t)
	}
	return sections
}
