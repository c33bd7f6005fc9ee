package state

import "hush/core/task"

// BySection parts the catalogue where its sections do.
func BySection(tasks []task.Task) (sections [][]task.Task) {
	for i, t := range tasks {
		if i == 0 || t.Section != tasks[i-1].Section {
			sections = append(sections, nil)
		}
		last := &sections[len(sections)-1]
		*last = append(*last, t)
	}
	return sections
}
