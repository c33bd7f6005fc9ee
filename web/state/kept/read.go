package kept

import (
	"encoding/json"
	"errors"
	"strings"

	"hush/core/task"
	"hush/web/say"
)

// Release reads a release written as JSON by this version of Hush or an earlier one, and refuses
// anything else: anybody can write such a text.
func (s *Shelf) Release(text string) (*task.Release, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return nil, errors.New(say.Text("it is empty"))
	case !json.Valid([]byte(text)) && strings.HasPrefix(strings.TrimSpace(text), "{"):
		return nil, errors.New(say.Text("it is cut off, or was changed by hand"))
	case !json.Valid([]byte(text)):
		return nil, errors.New(say.Text("it is another kind of file"))
	}
	r := new(task.Release)
	if err := json.Unmarshal([]byte(text), r); err != nil {
		return nil, err
	}
	switch {
	case r.Answer.Result == nil:
		return nil, errors.New(say.Text("it holds no answer"))
	case !task.Known(r.Recipe.Task):
		return nil, errors.New(say.Format("there is no task %q", r.Recipe.Task))
	}
	if l, is := r.Answer.Result.(*task.Labels); is && (l.Rule != "" || l.RuleParts != nil) {
		if _, err := task.NewLabeller(say.Language(), r); err != nil {
			return nil, err
		}
	}
	return r, s.fits(r)
}

// fits checks whether the parts of an answer belong together, by writing it in every form that its
// reader may ask for.
func (s *Shelf) fits(r *task.Release) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New(say.Text("its parts do not fit together"))
		}
	}()
	r.Table(say.Language())
	r.CSV()
	r.WideCSV()
	r.JSON("")
	if s.Draw != nil {
		s.Draw(r)
	}
	return nil
}
