package core

import (
	"errors"
	"fmt"
	"io"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/table"
	"hush/core/table/decoding"
	"hush/core/task"
	"hush/core/verify"
)

// File is an opened table and the questions asked about it. It is not safe for concurrent use.
type File struct {
	from    io.ReadSeeker
	session *task.Session
	opened  *ask.Opened
}

// Open reads a file once and finds out how it is to be read: encoding, delimiter, header, quotes.
// The file has to stay open, and as it is, while questions are asked. Errors say where a file is
// damaged, by its byte or its row.
func Open(from io.ReadSeeker) (*File, error) { return OpenAs(from, Reading{}) }

// OpenAs opens a file like [Open], but reads it as stated; it finds out only what is left empty.
func OpenAs(from io.ReadSeeker, as Reading) (*File, error) {
	return open(from, as, coin.NewCrypto())
}

func open(from io.ReadSeeker, as Reading, src coin.Source) (*File, error) {
	f := &File{from: from, session: task.NewSession(src)}
	f.session.Decoders = decoding.Web
	var err error
	if f.opened, err = f.session.Open(from, as); err != nil {
		return nil, err
	}
	return f, nil
}

// Rows returns the number of rows below the header. It equals n, and is public, unless a recipe
// names the column of persons or of counts.
func (f *File) Rows() int64 { return f.opened.Rows }

// Reading returns how the file is read, including all that was found out about it.
func (f *File) Reading() Reading { return f.opened.Options }

// Columns returns the names in the header; they are empty where there is no header.
func (f *File) Columns() []string {
	var names []string
	for _, field := range f.opened.Fields {
		names = append(names, field.Name)
	}
	return names
}

// Column returns the number, from 1, of the column with this name, or 0 where there is none or more
// than one: a recipe with column 0 is refused unless its question needs no column.
func (f *File) Column(name string) (number int) {
	for _, field := range f.opened.Fields {
		if field.Name == name {
			if number > 0 {
				return 0
			}
			number = field.Column
		}
	}
	return number
}

// Price says what a question costs and how exact its answer will be. It reads public facts alone
// and spends nothing. Errors name the field of the recipe and what it should be (*param.Error).
func (f *File) Price(r Recipe) (Price, error) {
	r = f.complete(r)
	plan, err := f.session.Plan(r)
	if errors.Is(err, ask.ErrNotRead) { // for n, which its column of persons or counts says
		if err = f.session.Read(f.from, r); err == nil {
			plan, err = f.session.Plan(r)
		}
	}
	if err != nil {
		return Price{}, err
	}
	p := Price{Loss: lossOf(plan.Loss), People: plan.People, Forecast: plan.Forecast}
	if plan.Verdict != nil {
		p.Verdict = *plan.Verdict
	}
	return p, nil
}

// Release answers a question. The ledger is debited first: whatever happens then, what was spent
// stays spent. ErrLimit says that it has too little left; nothing is spent then, nor where the
// recipe or the file is refused.
func (f *File) Release(l *Ledger, r Recipe) (*Release, error) {
	r = f.complete(r)
	if err := f.session.Read(f.from, r); err != nil {
		return nil, err
	}
	plan, err := f.session.Plan(r)
	if err != nil {
		return nil, err
	}
	if err := l.debit(Entry{Task: r.Task, Label: r.Label}, plan.Loss); err != nil {
		return nil, err
	}
	drawn, err := f.session.Run(r, nil)
	return released(drawn, err)
}

// TopUp repeats a released question with a larger ε and charges only the difference. It takes a
// release of noisy numbers that this File drew and has not topped up yet.
func (f *File) TopUp(l *Ledger, of *Release, epsilon string) (*Release, error) {
	if of.drawn == nil {
		return nil, errors.New("core: the release was not drawn by this file: ask again")
	}
	if err := f.session.Read(f.from, of.Recipe); err != nil {
		return nil, err
	}
	plan, err := f.session.PlanTopUp(of.drawn, epsilon)
	if err != nil {
		return nil, err
	}
	if err := l.debit(Entry{Task: of.Recipe.Task, Label: of.Recipe.Label},
		plan.Debit.Whole()); err != nil {
		return nil, err
	}
	drawn, err := f.session.TopUp(of.drawn, epsilon, nil)
	return released(drawn, err)
}

// Plan divides the ε of several questions among them, and says what each costs and what all cost
// together. It spends nothing.
func (f *File) Plan(s Several) (*Plan, error) {
	s.Parts = append([]Part(nil), s.Parts...)
	for i := range s.Parts {
		r := f.complete(s.Parts[i].Recipe)
		s.Parts[i].Recipe = r
		if r.Person > 0 || r.Count > 0 {
			r.Epsilon = "1" // of which n does not depend
			if err := f.session.Read(f.from, r); err != nil {
				return nil, err
			}
		}
	}
	together, err := f.session.Together(s, nil)
	if err != nil {
		return nil, err
	}
	p := &Plan{Epsilons: together.Epsilons, Never: together.Never,
		Total: lossOf(together.Total.Loss.Stated()),
		loss:  together.Total.Loss, fixed: s.At(together.Epsilons)}
	for _, plan := range together.Plans {
		price := Price{Loss: lossOf(plan.Loss), People: plan.People, Forecast: plan.Forecast}
		if plan.Verdict != nil {
			price.Verdict = *plan.Verdict
		}
		p.Prices = append(p.Prices, price)
	}
	return p, nil
}

// ReleasePlan answers all questions of a plan for one debit. Where one fails, the releases before
// it are returned with the error; all are paid for.
func (f *File) ReleasePlan(l *Ledger, p *Plan) ([]*Release, error) {
	for _, r := range p.fixed.Questions { // what cannot be read costs nothing
		if err := f.session.Read(f.from, r); err != nil {
			return nil, err
		}
	}
	if err := l.debit(Entry{Task: "plan", Label: fmt.Sprintf("%d questions",
		len(p.fixed.Questions))}, p.loss); err != nil {
		return nil, err
	}
	var all []*Release
	for _, r := range p.fixed.Questions {
		if err := f.session.Read(f.from, r); err != nil {
			return all, err
		}
		drawn, err := f.session.Run(r, nil)
		one, err := released(drawn, err)
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

// complete fills in what a recipe leaves to the file: the version, and how the file is read.
func (f *File) complete(r Recipe) Recipe {
	if r.Version == 0 {
		r.Version = ask.RecipeVersion
	}
	if r.Table == (table.Options{}) {
		r.Table = f.opened.Options
	}
	return r
}

// Tasks lists what can be asked, with the columns and parameters that each takes.
func Tasks() []Task { return task.Catalogue() }

// Check opens a release or a publication without its data, and lists which of its claims hold.
func Check(text []byte) Report { return verify.File(nil, text, "") }
