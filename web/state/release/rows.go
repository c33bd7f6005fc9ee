package release

import (
	"cmp"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/asking"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
)

// Choice is the private choice of how many rows of each person count or, if these are bounded by
// group, of how many groups: a separate release.
type Choice struct {
	Epsilon  string // as typed; empty: rowsEpsilon
	Running  bool
	Progress engine.Progress
	Failure  *engine.Fault
	Result   *task.Release // of the last one
	Of       form.How      // what it was of

	request engine.Request
}

// rowsEpsilon is the price of the choice unless another is given.
const rowsEpsilon = "0.1"

// begin asks again, for the same price.
func (c *Choice) begin(of form.How) {
	*c = Choice{Epsilon: c.Epsilon, Running: true, Of: of}
}

// end takes the release, or the reason why there is none.
func (c *Choice) end(result *task.Release, failure *engine.Fault) {
	*c = Choice{Epsilon: c.Epsilon, Result: result, Failure: failure, Of: c.Of}
}

// Price is the ε that the choice costs.
func (c Choice) Price() string { return cmp.Or(strings.TrimSpace(c.Epsilon), rowsEpsilon) }

// Rows chooses how many rows of each person count.
type Rows struct {
	place.Link
	Choice

	Data     *dataset.Data
	Codebook *book.Codebook
	Claims   *book.Claims
	Question *asking.Question
	Forecast *asking.Forecast
	Answer   *Answer
}

// SetPrice sets the ε for the choice.
func (w *Rows) SetPrice(epsilon string) {
	w.Epsilon, w.Failure = epsilon, nil
	w.Update()
}

// MayChoose reports whether everything that the choice needs is there.
func (w *Rows) MayChoose() bool {
	return w.Data.Phase == dataset.Opened && w.Data.Opened.StorageRefused == "" && !w.Data.Misfit &&
		w.Data.Unusable() == "" && w.Data.Confirmed && w.Codebook.Rows.Person() > 0 &&
		(w.Codebook.Form.Use.How != form.ByGroup || w.Codebook.Form.Use.GroupColumn > 0) &&
		len(w.Claims.Open()) == 0 && !w.Running && w.Answer.Phase != Running
}

// Choose releases how many rows of each person are to count, and puts that number into the form.
// The ledger is debited first.
func (w *Rows) Choose() {
	if !w.MayChoose() {
		return
	}
	base := w.Question.Recipe()
	base.Epsilon, base.Unit, base.Label = w.Price(), "", say.Text("number of rows")
	asked := task.RowsBound(base)
	if w.Codebook.Form.Use.How == form.ByGroup {
		asked = task.GroupsBound(base, w.Codebook.Form.Use.GroupColumn)
		asked.Label = say.Text("number of groups")
	}
	w.begin(w.Codebook.Form.Use.How)
	w.release(asked)
	w.Update()
}

func (w *Rows) release(r ask.Recipe) {
	if w.Data.Looked() && !w.Data.Account.MayAsk(r) {
		w.end(nil, &engine.Fault{Code: engine.Refused,
			Message: say.Text("nothing new is released from data whose owner has looked at the " +
				"true answers")})
		return
	}
	w.call(engine.Plan.With(r), func([]byte) {
		run := engine.RunOf{Recipe: r, Agreed: w.Claims.Agreed(r)}
		w.call(engine.Run.With(run), func(body []byte) {
			released := w.Answer.Take(engine.Run.Read(body))
			w.end(released, nil)
			w.Answer.AskLedger()
			if k, _, ok := task.ChosenRows(released); ok {
				w.Codebook.Edit("", func(b *form.BookForm) {
					switch chosen := strconv.Itoa(k); {
					case w.Of != b.Use.How: // it was changed meanwhile
					case w.Of == form.ByGroup:
						b.Use.Groups = chosen
					default:
						b.Use.Rows = chosen
					}
				})
			}
		})
	})
}

// call asks the engine for a step of the choice.
func (w *Rows) call(c engine.Call, done func(body []byte)) {
	w.request = w.Call(c, func(r engine.Request, kind string, body []byte) {
		if r != w.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, &w.Progress)
		case engine.ReplyDone:
			done(body)
		case engine.ReplyFailed:
			w.end(nil, place.Failure(body))
			w.Answer.AskLedger()
			w.Forecast.Replan() // the engine holds the choice's columns
		}
		w.Update()
	})
}

// CancelChoice cancels the choice. What was debited stays debited.
func (w *Rows) CancelChoice() { w.Cancel(w.request) }
