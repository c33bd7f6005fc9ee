package ask

import (
	"bytes"
	"fmt"
	"strings"

	"hush/core/phrase"
)

// Aside counts the people set aside in a lesson whose label agrees with their own answer.
type Aside struct {
	People int   `json:"people"`
	Quiet  int   `json:"quiet"` // at QuietEpsilon
	Draws  []int `json:"draws"`
}

const (
	mostTaughtRows = 200_000
	mostAside      = 1000
)

// aside makes cases of people beyond those the lesson learns from, as a table, and returns their
// own answers. It skips people without an answer or without a feature.
func (l Lesson) aside(t *Task) (cases string, answers []string, err error) {
	if t.Cases == "" {
		return "", nil,
			Refuse("aside", fmt.Sprint(l.Aside), phrase.Of("0: this question labels no cases"))
	}
	if l.Aside < 0 || l.Aside > mostAside {
		return "", nil,
			Refuse("aside", fmt.Sprint(l.Aside), phrase.Of("a number from 0 to %d", mostAside))
	}
	others, err := t.CheckOthers(l.Recipe.Others)
	if err != nil {
		return "", nil, err
	}
	from, further := l.Rows, l
	if from == 0 {
		set, err := l.set()
		if err != nil {
			return "", nil, err
		}
		from = set.Rows
	}
	further.Rows = from + 4*l.Aside
	file, err := further.File()
	if err != nil {
		return "", nil, err
	}
	lines := bytes.Split(file, []byte("\n"))
	var table strings.Builder
	for i, line := range append(lines[:1], lines[from+1:]...) {
		fields := strings.Split(string(line), ",") // no field of a made-up set needs quotes
		answer, features, ok := choose(others, fields)
		if i > 0 && !ok || len(answers) == l.Aside {
			continue
		}
		table.WriteString(strings.Join(features, ",") + "\n")
		if i > 0 {
			answers = append(answers, answer)
		}
	}
	return table.String(), answers, nil
}

// choose picks the answer and the features from the fields of a row; ok reports whether each has a
// value.
func choose(others []Other, fields []string) (answer string, features []string, ok bool) {
	ok = true
	for i, o := range others {
		if o.Column > len(fields) {
			return "", nil, false
		}
		cell := fields[o.Column-1]
		code, known := o.Values.Encode([]byte(cell))
		ok = ok && known
		if i == 0 {
			answer = o.Values.Decode(code)
		} else {
			features = append(features, cell)
		}
	}
	return answer, features, ok
}

// rightly counts the cases of a result whose labels agree with the answers.
func rightly(r Result, answers []string) (count int) {
	labels := r.(Labelled)
	for i, answer := range answers {
		if labels.LabelOf(i) == answer {
			count++
		}
	}
	return count
}

// Labelled is the Result of a question that labels cases (Task.Cases), with labels in their order.
type Labelled interface {
	Result
	LabelOf(i int) string
}
