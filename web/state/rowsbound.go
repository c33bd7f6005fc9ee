package state

import (
	"cmp"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
)

// RowsChoice is the private choice of how many rows of each person count, or, where these are
// bounded by group, of how many groups: a release of its own.
type RowsChoice struct {
	Epsilon  string // as typed; empty: rowsEpsilon
	Running  bool
	Progress engine.Progress
	Failure  *engine.Fault
	Result   *task.Release // of the last one
	Of       form.How      // what it was of

	request engine.Request
}

// rowsEpsilon is what the choice costs where nobody says another price.
const rowsEpsilon = "0.1"

// begin asks again, for the same price.
func (c *RowsChoice) begin(of form.How) {
	*c = RowsChoice{Epsilon: c.Epsilon, Running: true, Of: of}
}

// end takes the release, or the reason why there is none.
func (c *RowsChoice) end(result *task.Release, failure *engine.Fault) {
	*c = RowsChoice{Epsilon: c.Epsilon, Result: result, Failure: failure, Of: c.Of}
}

// Price is the ε that the choice costs.
func (c RowsChoice) Price() string { return cmp.Or(strings.TrimSpace(c.Epsilon), rowsEpsilon) }

// SetRowsPrice takes the ε for the choice.
func (m *Publish) SetRowsPrice(epsilon string) {
	m.Rows.Epsilon, m.Rows.Failure = epsilon, nil
	m.Update()
}

// MayChooseRows reports whether all is there that the choice needs.
func (m *Publish) MayChooseRows() bool {
	return m.Data.Phase == dataset.Opened && m.Data.Opened.StorageRefused == "" && !m.Data.Misfit &&
		m.Data.Unusable() == "" && m.Data.Confirmed && m.Codebook.Rows.Person() > 0 &&
		(m.Codebook.Form.Use.How != form.ByGroup || m.Codebook.Form.Use.GroupColumn > 0) &&
		len(m.Claims.Open()) == 0 && !m.Rows.Running && m.Release.Phase != ReleaseRunning
}

// ChooseRows releases how many rows of each person are to count, and puts that number into the
// form. The ledger is debited first.
func (m *Publish) ChooseRows() {
	if !m.MayChooseRows() {
		return
	}
	base := m.Question.Recipe()
	base.Epsilon, base.Unit, base.Label = m.Rows.Price(), "", say.Text("number of rows")
	asked := task.RowsBound(base)
	if m.Codebook.Form.Use.How == form.ByGroup {
		asked = task.GroupsBound(base, m.Codebook.Form.Use.GroupColumn)
		asked.Label = say.Text("number of groups")
	}
	m.Rows.begin(m.Codebook.Form.Use.How)
	m.releaseRows(asked)
	m.Update()
}

func (m *Publish) releaseRows(r ask.Recipe) {
	if m.Data.Looked() && !m.Data.Account.MayAsk(r) {
		m.Rows.end(nil, &engine.Fault{Code: engine.Refused,
			Message: say.Text("nothing new is released from data whose owner has looked at the " +
				"true answers")})
		return
	}
	m.callRows(engine.Plan.With(r), func([]byte) {
		run := engine.RunOf{Recipe: r, Agreed: m.Claims.Agreed(r)}
		m.callRows(engine.Run.With(run), func(body []byte) {
			released := m.released(engine.Run.Read(body))
			m.Rows.end(released, nil)
			m.askLedger()
			if k, _, ok := task.ChosenRows(released); ok {
				m.Codebook.Edit("", func(b *form.BookForm) {
					switch chosen := strconv.Itoa(k); {
					case m.Rows.Of != b.Use.How: // it was changed meanwhile
					case m.Rows.Of == form.ByGroup:
						b.Use.Groups = chosen
					default:
						b.Use.Rows = chosen
					}
				})
			}
		})
	})
}

// callRows asks the engine for a step of the choice.
func (m *Publish) callRows(c engine.Call, done func(body []byte)) {
	m.Rows.request = m.Call(c, func(r engine.Request, kind string, body []byte) {
		if r != m.Rows.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, &m.Rows.Progress)
		case engine.ReplyDone:
			done(body)
		case engine.ReplyFailed:
			m.Rows.end(nil, place.Failure(body))
			m.askLedger()
			m.Forecast.Replan() // the engine holds the choice's columns
		}
		m.Update()
	})
}

// CancelRows gives the choice up. What was debited stays debited.
func (m *Publish) CancelRows() { m.Cancel(m.Rows.request) }
