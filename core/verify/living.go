package verify

import (
	"encoding/json"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/task"
)

// Living opens a living table: a release of made-up rows that keep the relations between columns.
// It is nil where any check of the file fails, or where it is another release; the report says what
// fails, where, and what that means.
func Living(say *message.Language, text []byte, build string) (*task.LivingTable, Report) {
	report := File(say, text, build)
	if report.Count(Fails) > 0 {
		return nil, report
	}
	v := &verifier{say: say, text: text}
	refuse := func(path, says, law, means string) (*task.LivingTable, Report) {
		if v.tree, _ = scan(text); v.tree == nil {
			v.tree = new(tree) // for a page in HTML
		}
		report.Checks = append([]Check{{Title: say.Text("It is no living table"),
			Class: Recomputed, Status: Fails, Faults: []Fault{v.fault(path, v.tree.offset(path),
				says, law, means)}}}, report.Checks...)
		return nil, report
	}
	release := new(task.Release)
	if err := json.Unmarshal(text, release); err != nil || release.Answer.Result == nil {
		return refuse("", say.Text("It holds several releases, or none."),
			say.Text("A living table is the file of one release."),
			say.Text("Open the file that “Save the living table” wrote."))
	}
	if _, stated, _ := ask.Checksum(string(text)); stated == "" {
		return refuse("", say.Text("It has no checksum."),
			say.Text("A living table ends with a checksum, which covers every byte before it."),
			say.Text("Open the file that “Save the living table” wrote."))
	}
	if _, is := release.Answer.Result.(*task.Joint); !is {
		return refuse("recipe.task", say.Format("It is a release of “%s”.", release.Plan.Task),
			say.Text("A living table is made of made-up data that keeps what goes together."),
			say.Text("Open that release on the page that it was saved from."))
	}
	table, err := task.NewLivingTable(say, release)
	if err != nil {
		return refuse("answer", say.Format("It cannot be asked: %s.", say.Error(err)),
			say.Text("Tables, noise and rows are those of its question."),
			say.Text("It was changed after it was written. Ask its publisher for the file again."))
	}
	return table, report
}
