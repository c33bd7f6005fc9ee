// Package course is the course of six lessons: which one is shown, what was bet and answered in it,
// and which of them are done.
package course

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hush/core/coin"
	"hush/core/course"
	"hush/web/state/place"
)

// Keeper keeps which lessons are done, and the codes drawn in polls, on this device.
type Keeper interface {
	KeepCourse(done string)
	KeepPolls(codes string) // and says what is kept then
}

// Course is the lesson that is shown, and how far its reader is.
type Course struct {
	place.Link
	Keeper       Keeper
	WriteAddress func(path string)

	Done [Lessons]bool

	Beside string // the page beside the lessons that is shown: PollPage and so on; empty: none is
	Poll   Poll

	Number int       // of the lesson shown, from 1, or Offices; 0: none is
	Seed   coin.Seed // of everything made up in it
	At     string    // where its control stands: one of Stops
	Bet    int       // from 1; 0: none yet, and nothing is shown
	Answer int       // to its question, from 1; 0: none yet
	Drawn  Drawn

	Presenting bool
	Step       int // that is presented, one of Steps
}

// Lessons is their number. Offices is the page beside them that shows what offices do.
const (
	Lessons = 6
	Offices = Lessons + 1
)

// offices is the name of that page in the address.
const offices = "offices"

// None is the stop at which no way of publishing is attacked in a hundred towns.
const None = "none"

// Drawn holds what the lesson at hand shows: one of these.
type Drawn struct {
	Office, Noisy *course.Office
	Crowd         *course.Crowd
	Guessing      *course.Guessing
	Spending      *course.Spending
	Ways          course.Ways
	Ranges        *course.Ranges
	Chief         struct{ FromData, FromPublic int }
	Studies       [2]*course.Study // without Ana, and with her
	Town          *course.Town
	Published     [course.WaysOfOffices]*course.Published
	Right         int // of Guesses towns, those in which the attack on the chosen way is right
}

// Everyone is the stop of the first lesson at which all of its people are solved for.
const Everyone = "all"

// The stops of the last lesson.
const (
	Out = "out"
	In  = "in"
)

// Epsilons are the stops of the third lesson.
var Epsilons = []string{"0.01", "0.05", "0.1", "0.2", "0.5", "1", "2", "5"}

// Stops are where the control of a lesson may stand; usual is where it begins.
func Stops(number int) (stops []string, usual string) {
	texts := func(all []int) (list []string) {
		for _, n := range all {
			list = append(list, strconv.Itoa(n))
		}
		return list
	}
	switch number {
	case 1:
		return append(slices.Clone(course.Names), Everyone), "Ana"
	case 2:
		return texts(course.Differs), "1"
	case 3:
		return Epsilons, "1"
	case 4:
		return texts(course.Times), "50"
	case 5:
		var tops []string
		for _, top := range course.Tops {
			tops = append(tops, strconv.FormatInt(top, 10))
		}
		return tops, "5000"
	case 6:
		return []string{Out, In}, Out
	default:
		stops = []string{None}
		for way := range course.WaysOfOffices {
			stops = append(stops, strconv.Itoa(int(way)))
		}
		return stops, None
	}
}

// Place is the position of the control among its stops.
func (c *Course) Place() int {
	stops, _ := Stops(c.Number)
	return max(slices.Index(stops, c.At), 0)
}

// Words are the texts of the lesson that is shown.
func (c *Course) Words() *Words { return &All[c.Number-1] }

// Show shows the lesson that an address behind the # names, as its sender saw it, or none.
func (c *Course) Show(path string) {
	if c.Number > 0 && path == c.Address() {
		return
	}
	c.read(path)
	c.Presenting, c.Step = false, 0
	c.draw()
}

func (c *Course) read(path string) {
	c.Number, c.Seed, c.At, c.Bet, c.Answer = 0, 1, "", 0, 0
	name, query, _ := strings.Cut(path, "?")
	name = strings.TrimPrefix(name, place.ViewLearn.Path()+"/")
	c.showBeside(name, query)
	number, err := strconv.Atoi(name)
	if name == offices {
		number = Offices
	} else if err != nil || number < 1 || number > Lessons {
		return
	}
	q, err := url.ParseQuery(query)
	if err != nil {
		q = nil // an address that was cut off shows the lesson as it begins
	}
	c.Number = number
	stops, usual := Stops(number)
	if c.At = q.Get("at"); !slices.Contains(stops, c.At) {
		c.At = usual
	}
	if seed, err := strconv.ParseUint(q.Get("seed"), 10, 32); err == nil {
		c.Seed = coin.Seed(seed)
	}
	c.Bet = choice(q.Get("bet"), len(c.Words().Bets))
	if c.Bet > 0 {
		c.Answer = choice(q.Get("answer"), len(c.Words().Answers))
	}
}

// showBeside shows a page beside the lessons, if it is one.
func (c *Course) showBeside(name, query string) {
	c.Beside = ""
	switch name {
	case PollPage:
		c.Poll.show(query)
	case PlanPage, SheetPage:
	default:
		return
	}
	c.Beside = name
}

func choice(text string, of int) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= of {
		return n
	}
	return 0
}

// Path is the address of a lesson as it begins, behind the #.
func Path(number int) string {
	name := strconv.Itoa(number)
	if number == Offices {
		name = offices
	}
	return place.ViewLearn.Path() + "/" + name
}

// Address is the lesson as it stands, behind the #.
func (c *Course) Address() string {
	path, q := Path(c.Number), url.Values{}
	set := func(key, value, usual string) {
		if value != usual {
			q.Set(key, value)
		}
	}
	_, usual := Stops(c.Number)
	set("seed", strconv.FormatUint(uint64(c.Seed), 10), "1")
	set("at", c.At, usual)
	set("bet", strconv.Itoa(c.Bet), "0")
	set("answer", strconv.Itoa(c.Answer), "0")
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// draw makes what the lesson shows. It takes milliseconds, so the page does it, and the first
// lessons need no engine.
func (c *Course) draw() {
	c.Drawn = Drawn{}
	if c.Number == 0 || c.Bet == 0 && !c.Presenting && c.Number != 1 {
		return // the office stands there before the bet
	}
	at, d := c.Place(), &c.Drawn
	switch c.Number {
	case 1:
		d.Office = course.NewOffice(c.Seed)
		if c.At == Everyone {
			d.Noisy = d.Office.Noisy(c.Seed)
		}
	case 2:
		d.Crowd = course.DrawCrowd(c.Seed, course.CrowdEpsilon, course.Differs[at])
	case 3:
		d.Guessing = course.GuessEach(c.Seed, c.At)
	case 4:
		d.Spending, d.Ways = course.Spend(c.Seed), course.SpendAlike(c.Seed)
	case 5:
		d.Ranges = course.DrawRanges(c.Seed)
		d.Chief.FromData, d.Chief.FromPublic = course.Chief(c.Seed)
	case 6:
		for i := range d.Studies {
			d.Studies[i] = course.RunStudies(c.Seed, course.StudyEpsilon, i == 1)
		}
	case Offices:
		d.Town = course.NewTown(c.Seed)
		for way := range d.Published {
			d.Published[way] = course.NewTown(c.Seed).Publish(course.Way(way))
		}
		if at > 0 {
			d.Right = course.AttackTowns(c.Seed, course.Way(at-1))
		}
	}
}

// change makes what has changed, writes it to the address, and reports it.
func (c *Course) change(draw bool) {
	if c.Number == 0 { // it was left, and its controls are still on the screen
		return
	}
	if draw {
		c.draw()
	}
	if c.WriteAddress != nil {
		c.WriteAddress(c.Address())
	}
	c.Update()
}

// Choose places the bet.
func (c *Course) Choose(bet int) {
	first := c.Bet == 0
	c.Bet = bet
	c.change(first)
}

// Turn moves the control to one of Stops. In the fourth and fifth lesson all stops are drawn.
func (c *Course) Turn(at string) {
	c.At = at
	c.change(c.Number != 4 && c.Number != 5)
}

// Redraw takes other coins.
func (c *Course) Redraw() {
	c.Seed++
	c.change(true)
}

// Reply answers the question. With it the lesson is done, whatever the answer.
func (c *Course) Reply(answer int) {
	c.Answer = answer
	c.finish()
	c.change(false)
}

func (c *Course) finish() {
	if c.Number == 0 || c.Number > Lessons || c.Done[c.Number-1] {
		return
	}
	c.Done[c.Number-1] = true
	if c.Keeper != nil {
		c.Keeper.KeepCourse(c.kept())
	}
}

// Forget begins the course again.
func (c *Course) Forget() {
	c.Done = [Lessons]bool{}
	if c.Keeper != nil {
		c.Keeper.KeepCourse("")
	}
	c.Update()
}

// kept writes which lessons are done, a digit for each.
func (c *Course) kept() string {
	text := make([]byte, Lessons)
	for i, done := range c.Done {
		if text[i] = '0'; done {
			text[i] = '1'
		}
	}
	return string(text)
}

// Recall takes what the device has kept; anything else than kept writes is nothing.
func (c *Course) Recall(text string) {
	c.Done = [Lessons]bool{}
	for i := range min(len(text), Lessons) {
		c.Done[i] = text[i] == '1'
	}
}

// Count is the number of lessons done.
func (c *Course) Count() (done int) {
	for _, d := range c.Done {
		if d {
			done++
		}
	}
	return done
}

// Minutes is about how long the others take.
func (c *Course) Minutes() (left int) {
	for i, d := range c.Done {
		if !d {
			left += All[i].Minutes
		}
	}
	return left
}

// Next is the number of the first lesson that is not done; 0: all are.
func (c *Course) Next() int { return slices.Index(c.Done[:], false) + 1 }

// The steps of a lesson that is presented, one a screen: the reveal is held back.
const (
	StepTitle = iota
	StepBet
	StepReveal
	StepKeep
	StepQuestion
	StepAnswer
	Steps
)

// Present begins to present the lesson, or ends it.
func (c *Course) Present() {
	if c.Number == 0 {
		return
	}
	c.Presenting, c.Step = !c.Presenting, StepTitle
	c.draw()
	c.Update()
}

// Go goes to the step that lies so many further, if there is one.
func (c *Course) Go(by int) {
	if c.Presenting {
		c.Step = min(max(c.Step+by, StepTitle), Steps-1)
		c.Update()
	}
}
