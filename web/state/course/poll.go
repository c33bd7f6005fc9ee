package course

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hush/core/coin"
	"hush/core/course"
	"hush/core/phrase"
	"hush/web/state/place"
)

// The pages beside the lessons that help to give a class, by their names in the address.
const (
	PollPage  = "poll"
	PlanPage  = "plan"
	SheetPage = "sheet"
)

// Poll is the poll of a class, as its teacher or one of its pupils sees it. The address holds the
// question and its ε, and no answer; nothing is sent.
type Poll struct {
	Of       *course.Poll
	Typed    string // its question, as the teacher types it
	Teaching bool
	Pasted   string // the codes, one a line
	Source   coin.Source

	Recalled bool              // what the device has kept is known: nobody is asked before
	codes    map[string]string // drawn on this device, by their polls
	stored   map[string]string // those that the device keeps
	drawn    map[string]string // those that the device is keeping: another tab may be first
}

const (
	usualPoll    = 3 // the place of its ε
	longQuestion = 200
)

// show reads the settings of an address. Who opens one with a question is a pupil.
func (p *Poll) show(query string) {
	q, err := url.ParseQuery(query)
	if err != nil {
		q = nil
	}
	place := slices.Index(course.PollEpsilons, q.Get("e"))
	if place < 0 {
		place = usualPoll
	}
	p.set(q.Get("ask"), place)
	p.Teaching = p.Of.Question == "" || q.Get("teach") == "1"
}

func (p *Poll) set(question string, place int) {
	if all := []rune(question); len(all) > longQuestion {
		question = string(all[:longQuestion])
	}
	p.Typed = question
	of := course.NewPoll(question, place)
	if p.Of == nil || p.Of.ID() != of.ID() {
		p.Pasted = "" // codes of another poll
	}
	p.Of = of
}

// PollAddress is the poll behind the #, for its pupils or for its teacher.
func (p *Poll) PollAddress(teaching bool) string {
	q := url.Values{}
	if p.Of.Question != "" {
		q.Set("ask", p.Of.Question)
	}
	if p.Of.Place != usualPoll {
		q.Set("e", course.PollEpsilons[p.Of.Place])
	}
	if teaching && p.Of.Question != "" {
		q.Set("teach", "1")
	}
	return strings.TrimSuffix(place.ViewLearn.Path()+"/"+PollPage+"?"+q.Encode(), "?")
}

// Ask is the question as a teacher types it, and the place of its ε. Codes of another are gone.
func (c *Course) Ask(question string, place int) {
	if c.Beside != PollPage || place < 0 || place >= len(course.PollEpsilons) {
		return
	}
	c.Poll.set(question, place)
	if c.WriteAddress != nil {
		c.WriteAddress(c.Poll.PollAddress(true))
	}
	c.Update()
}

// Say draws the code of a pupil's answer, once: a second answer gives the code of before. It is not
// shown before the device has said what it keeps, since another tab may have drawn one at the same
// moment, and only the one kept first is anybody's code. The answer itself is kept nowhere.
func (c *Course) Say(yes bool) {
	p := &c.Poll
	if c.Beside != PollPage || !p.Recalled || p.Code() != "" || p.drawn[p.key()] != "" {
		return
	}
	if p.Source == nil {
		p.Source = coin.NewCrypto()
	}
	if p.drawn == nil {
		p.drawn = map[string]string{}
	}
	p.drawn[p.key()] = p.Of.Answer(p.Source, yes)
	if c.Keeper != nil {
		c.Keeper.KeepPolls(p.kept())
	} else {
		p.Recall("")
	}
	c.Update()
}

func (p *Poll) key() string { return strconv.FormatUint(p.Of.ID(), 36) }

// Code is the code that was drawn here for this poll; empty: none was.
func (p *Poll) Code() string {
	code := p.codes[p.key()]
	if p.Of.Read(code) > course.ReadYes {
		return "" // not what was kept
	}
	return code
}

// Kept reports whether the device keeps that code.
func (p *Poll) Kept() bool { return p.stored[p.key()] == p.codes[p.key()] }

// kept writes all codes, in an order of their own. One just drawn replaces what is no code.
func (p *Poll) kept() string {
	codes := maps.Clone(p.codes)
	maps.Copy(codes, p.drawn)
	var all []string
	for key, code := range codes {
		all = append(all, key+"="+code)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// Recall takes what the device keeps, also when another tab has changed it; what is drawn here and
// is kept otherwise there gives way.
func (p *Poll) Recall(text string) {
	p.Recalled, p.stored = true, map[string]string{}
	if p.codes == nil {
		p.codes = map[string]string{}
	}
	for _, entry := range strings.Fields(text) {
		if key, code, ok := strings.Cut(entry, "="); ok {
			p.stored[key], p.codes[key] = code, code
		}
	}
	for key, code := range p.drawn {
		if p.stored[key] == "" { // the device keeps nothing
			p.codes[key] = code
		}
	}
	p.drawn = nil
}

// Paste takes the codes, one a line.
func (c *Course) Paste(text string) {
	c.Poll.Pasted = text
	c.Update()
}

// WrongLine is a line that is no code of this poll.
type WrongLine struct {
	Number int // from 1
	Text   string
	As     course.Reading
}

// Count reads the pasted codes: the share that they tell of, and the lines that are none.
func (p *Poll) Count() (course.Share, []WrongLine) {
	codes, yes, number := 0, 0, 0
	var wrong []WrongLine
	for line := range strings.SplitSeq(p.Pasted, "\n") {
		number++
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		switch as := p.Of.Read(line); as {
		case course.ReadYes:
			codes, yes = codes+1, yes+1
		case course.ReadNo:
			codes++
		default:
			wrong = append(wrong, WrongLine{number, line, as})
		}
	}
	return p.Of.Estimate(codes, yes), wrong
}

// Part is one part of a class, or of its discussion: about how long it takes, what to ask, and what
// to say then.
type Part struct {
	Minutes  int
	Ask, Say phrase.Key
}

// Discussion is what follows a poll.
var Discussion = []Part{
	{1, "Is your code your answer?", "For most of you it is; the share stands above. " +
		"Nobody can tell for one of you: each can say that it was the coin."},
	{1, "Why is the range so wide?", "The coins flip some answers one way and some the other, " +
		"and never quite as many. Four times as many pupils make the range half as wide."},
	{1, "What if somebody answers twice?", "Two codes give away more about one person than one " +
		"does: that is lesson 4. So a tab gives the same code again."},
	{1, "Whom did you have to trust?", "Nobody with your answer; only the coins in your own tab. " +
		"Somebody who knows all answers could publish a count with far less noise."},
	{2, "Which questions should you still not ask?", "Those that hurt because they are asked. " +
		"The range also says something about all of you: that is lesson 6."},
}

// PlanMinutes is how long a class takes.
const PlanMinutes = 45

// Stage is one part of the plan: a lesson, the poll, or what else there is to do.
type Stage struct {
	Minutes int
	Lesson  int // 0: none
	Title   phrase.Key
	What    phrase.Key
}

// Plan is a class of PlanMinutes, in its order. Of a lesson the speaker's notes say what to do.
var Plan = []Stage{
	{Minutes: 2, Title: "Begin", What: "Ask who has ever been asked something in a survey that " +
		"they did not want to answer. Keep the hands in mind for the poll."},
	{Minutes: 7, Lesson: 1},
	{Minutes: 6, Lesson: 2},
	{Minutes: 5, Lesson: 3},
	{Minutes: 10, Title: "Poll your class", What: "Four minutes: everybody opens the link, " +
		"answers, and reads a code out. Six minutes: the discussion that stands below the range."},
	{Minutes: 5, Lesson: 4},
	{Minutes: 4, Lesson: 5},
	{Minutes: 4, Lesson: 6},
	{Minutes: 2, Title: "End", What: "Hand out the sheet. Its second part has the answers, " +
		"for you."},
}
