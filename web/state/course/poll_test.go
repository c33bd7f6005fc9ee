package course_test

import (
	"strings"
	"testing"

	"hush/core/coin"
	rules "hush/core/course"
	"hush/web/state"
	"hush/web/state/course"
)

const asked = "/learn/poll?ask=Have+you+ever+cheated%3F&e=1"

// TestPollOfPupil: nobody answers before it is known what the device keeps; the code drawn is kept
// and the answer is not; who answers again, also after a reload and in another tab, has it again.
func TestPollOfPupil(t *testing.T) {
	differ := false
	for seed := coin.Seed(1); seed <= 20; seed++ {
		m, f := opened(asked)
		c := &m.Course
		c.Poll.Source = coin.NewSeeded(seed)
		if c.Beside != course.PollPage || c.Poll.Teaching || c.Number != 0 ||
			c.Poll.Of.Question != "Have you ever cheated?" || c.Poll.Of.Place != 1 {
			t.Fatalf("%s shows %+v", asked, c.Poll)
		}
		if c.Say(true); c.Poll.Code() != "" || f.Polls != "" {
			t.Fatal("a code is drawn before it is known what is kept")
		}
		m.News("polls", []byte(`""`))
		c.Say(true)
		if c.Poll.Code() != "" {
			t.Fatal("a code is shown before it is known to be the one kept")
		}
		kept := f.Polls
		if c.Say(false); f.Polls != kept {
			t.Fatal("a second answer draws while the first one's code is being kept")
		}
		m.News("polls", []byte(`"`+kept+`"`))
		code := c.Poll.Code()
		differ = differ || code[0] == '0'
		if code == "" || !c.Poll.Kept() || !strings.HasSuffix(kept, "="+code) {
			t.Fatalf("drawn is %q, kept is %q", code, kept)
		}
		for range 20 {
			if c.Say(false); c.Poll.Code() != code {
				t.Fatal("who answers again has another code")
			}
		}
		again, g := opened("/learn")
		again.News("polls", []byte(`"`+f.Polls+`"`))
		again.Go(asked)
		if again.Course.Say(false); again.Course.Poll.Code() != code || g.Polls != "" {
			t.Errorf("after a reload the code is %q, want %q", again.Course.Poll.Code(), code)
		}
		again.Go("/learn/poll?ask=Another%3F&e=1")
		if again.Course.Poll.Code() != "" {
			t.Error("another question has a code already")
		}
		again.Course.Forget()
		if again.Go(asked); again.Course.Poll.Code() != code {
			t.Error("beginning the course again forgets a code")
		}
		again.Go("/ledger")
		if again.Course.Say(true); again.Course.Beside != "" || g.Polls != "" {
			t.Error("a poll that was left draws")
		}
	}
	if !differ {
		t.Error("no coin flips an answer")
	}
	m, f := opened(asked)
	m.News("polls", []byte(`"`+strings.Repeat("x= =y a=b ", 3)+`"`))
	m.Course.Say(true)
	m.News("polls", []byte(`"`+f.Polls+`"`))
	if m.Course.Poll.Code() == "" || !strings.Contains(f.Polls, "a=b") {
		t.Error("what nobody has kept stops a poll, or is lost")
	}
}

// TestPollsOfTwoTabs: of two tabs that draw at the same moment both show the code that was kept
// first, and no other at any time; where the device keeps nothing a tab shows its own.
func TestPollsOfTwoTabs(t *testing.T) {
	first, f := opened(asked)
	second, g := opened(asked)
	for i, m := range []*state.Model{first, second} {
		m.Course.Poll.Source = coin.NewSeeded(1) // the coins fall alike, and the answers differ
		m.News("polls", []byte(`""`))
		m.Course.Say(i == 0)
	}
	if f.Polls == g.Polls {
		t.Fatal("both tabs drew the same code")
	}
	for _, m := range []*state.Model{second, first} {
		if m.Course.Poll.Code() != "" {
			t.Error("a code is shown before one is kept")
		}
		m.News("polls", []byte(`"`+f.Polls+`"`))
		if !strings.HasSuffix(f.Polls, "="+m.Course.Poll.Code()) || !m.Course.Poll.Kept() {
			t.Errorf("kept is %s, and a tab shows %q", f.Polls, m.Course.Poll.Code())
		}
	}
	alone, h := opened(asked)
	alone.News("polls", []byte(`""`))
	alone.Course.Say(true)
	alone.News("polls", []byte(`""`))
	if code := alone.Course.Poll.Code(); code == "" || alone.Course.Poll.Kept() ||
		!strings.HasSuffix(h.Polls, "="+code) {
		t.Errorf("where nothing is kept the code is %q", code)
	}
}

// TestPollOfTeacher: the address holds the question and nothing that is pasted; the codes of a
// class give its share, and wrong ones are named by their lines; a new question empties the codes.
func TestPollOfTeacher(t *testing.T) {
	m, f := opened("/learn/poll")
	c := &m.Course
	if !c.Poll.Teaching || c.Poll.PollAddress(true) != "/learn/poll" {
		t.Fatalf("without a question it shows %+v", c.Poll)
	}
	c.Ask("Have you ever cheated? ", 1)
	if c.Poll.Typed != "Have you ever cheated? " || f.Addressed != asked+"&teach=1" ||
		c.Poll.PollAddress(false) != asked {
		t.Fatalf("the addresses are %s and %s", f.Addressed, c.Poll.PollAddress(false))
	}
	src := coin.NewSeeded(3)
	lines := []string{"", "  12"}
	for i := range 30 {
		lines = append(lines, c.Poll.Of.Answer(src, i < 12))
	}
	lines = append(lines, rules.NewPoll("Have you ever cheated?", 2).Answer(src, true),
		rules.NewPoll("Another?", 1).Answer(src, true))
	c.Paste(strings.Join(lines, "\n"))
	share, wrong := c.Poll.Count()
	if share.Codes != 30 || share.Low > 0.4 || share.Top < 0.4 {
		t.Errorf("12 of 30 who say yes give %+v", share)
	}
	if len(wrong) != 3 || wrong[0] != (course.WrongLine{2, "12", rules.NoCode}) ||
		wrong[1].Number != 33 || wrong[1].As != rules.OtherEpsilon || wrong[2].As != rules.Misread {
		t.Errorf("the wrong lines are %+v", wrong)
	}
	if strings.Contains(f.Addressed, lines[5]) || f.Polls != "" {
		t.Error("a code is in the address, or kept")
	}
	m.Go(f.Addressed)
	if !c.Poll.Teaching || c.Poll.Pasted == "" {
		t.Error("the same address empties the codes")
	}
	if c.Ask("Another?", 1); c.Poll.Pasted != "" {
		t.Error("the codes of another question stay")
	}
	for _, path := range []string{"/learn/poll?%zz", "/learn/poll?e=7", "/learn/poll?ask="} {
		if m, _ := opened(path); !m.Course.Poll.Teaching || m.Course.Poll.Of.Place != 3 {
			t.Errorf("%s shows %+v", path, m.Course.Poll)
		}
	}
	m, _ = opened("/learn/poll?ask=" + strings.Repeat("%C3%BC", 999))
	if n := len([]rune(m.Course.Poll.Of.Question)); n != 200 {
		t.Errorf("a question has %d letters", n)
	}
}

// TestPlan: the parts make up the class, each lesson is in it once and in order, with the poll
// after the third; the discussion fits its minutes.
func TestPlan(t *testing.T) {
	minutes, lesson, discussion := 0, 0, 0
	for _, s := range course.Plan {
		minutes += s.Minutes
		switch {
		case s.Lesson > 0:
			if lesson++; s.Lesson != lesson || s.Minutes < course.All[s.Lesson-1].Minutes ||
				s.Title != "" {
				t.Errorf("after lesson %d comes %+v", lesson-1, s)
			}
		case s.Title == "" || s.What == "":
			t.Errorf("%+v lacks a text", s)
		case s.Title == "Poll your class" && lesson != 3:
			t.Errorf("the poll comes after lesson %d", lesson)
		}
	}
	for _, d := range course.Discussion {
		discussion += d.Minutes
	}
	if minutes != course.PlanMinutes || lesson != course.Lessons || discussion != 6 {
		t.Errorf("a class has %d minutes, %d lessons and %d minutes of discussion", minutes, lesson,
			discussion)
	}
}
