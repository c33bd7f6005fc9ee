package main

import (
	"fmt"
	"strings"

	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/task"
)

var questionsCommand = &command{name: "questions", run: questions,
	what: "lists what can be asked: TASK, the columns that it takes, and what it answers"}

// questions lists the catalogue, section by section.
func questions(c *call) error {
	if c.json {
		return writeJSON(c, task.Catalogue())
	}
	section := phrase.Key("")
	for _, t := range task.Catalogue() {
		if t.Section != section {
			section = t.Section
			fmt.Fprintf(c.out, "\n%s\n", section)
		}
		var columns []string
		if len(t.Domains) > 0 {
			columns = append(columns, "COLUMN: "+kinds(t.Domains))
		}
		for _, role := range t.Others {
			columns = append(columns, fmt.Sprintf("-with %s, %d to %d: %s", role.Name, role.Min,
				role.Max, kinds(role.Domains)))
		}
		fmt.Fprintf(c.out, "  %-14s %s\n", t.ID, t.Question)
		for _, line := range columns {
			fmt.Fprintf(c.out, "  %-14s   %s\n", "", line)
		}
	}
	return nil
}

func kinds(list []domain.Kind) string {
	var words []string
	for _, k := range list {
		words = append(words, string(k))
	}
	return strings.Join(words, ", ")
}
