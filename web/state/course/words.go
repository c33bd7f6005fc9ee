package course

import "hush/core/phrase"

// Words are the texts of a lesson.
type Words struct {
	Title   phrase.Key
	About   phrase.Key // in the list of lessons
	Minutes int

	Lead, Rule  phrase.Key // what there is, and what matters about it
	Bet         phrase.Key
	Bets        []Choice
	Right       int // the bet that holds, from 1
	Yes, No     phrase.Key
	Keep        phrase.Key // the sentence to keep
	Question    phrase.Key
	Answers     []phrase.Key
	RightAnswer int // from 1
	Why         phrase.Key
	Speaker     phrase.Key
	Shown       []phrase.Key // terms of the glossary in what the bet reveals
}

// Choice is one of the bets.
type Choice struct{ Name, About phrase.Key }

// All are the lessons, in their order, and what offices do. Each number in them is computed in a
// test.
var All = [Offices]Words{
	{
		Title:   "Exact tables betray someone",
		About:   "Two harmless totals, one subtraction, and you know what one person earns.",
		Minutes: 5,
		Lead:    "An office of 25 answers any question about its pay, exactly. It has one rule.",
		Rule:    "No answer is about fewer than 20 people.",
		Bet:     "Your bet: can anyone learn what one person earns?",
		Bets: []Choice{
			{"No", "20 people hide one another."},
			{"Roughly", "To within some hundred euros."},
			{"Exactly", "To the last euro."},
		},
		Right: 3,
		Yes:   "You were right. Both answers kept to the rule; the harm is in their difference.",
		No: "The rule looks safe, and both answers kept to it. The harm is in their " +
			"difference.",
		Keep:        "Two harmless exact answers can be one person’s secret.",
		Question:    "The office now wants at least 24 people in each answer. Does that help?",
		Answers:     []phrase.Key{"Yes, it does", "No, it does not"},
		RightAnswer: 2,
		Why: "The attack asked about 25 people, and about 24 of them. Both questions still " +
			"pass. If such pairs are refused, other tables do it: choose “Everyone” above.",
		Speaker: "Ask for hands before anybody clicks: most say No. Let the room name the " +
			"person. Then choose “Everyone”: 60 tables, none of them about fewer than 20, give " +
			"away all 25.",
	},
	{
		Title:   "Noise hides one person and not the crowd",
		About:   "Draw a number again and again, with Ana ill and with Ana well.",
		Minutes: 4,
		Lead:    "A clinic of 200 publishes how many are ill, plus a random number: noise.",
		Rule:    "An attacker knows everybody’s health but Ana’s, and sees one such answer.",
		Bet:     "Your bet: how often is it guessed rightly whether Ana is ill?",
		Bets: []Choice{
			{"Nearly always", "All the others are known, after all."},
			{"3 times in 4", "The noise gets in the way."},
			{"As by a coin", "About half of the time."},
		},
		Right: 3,
		Yes: "You were right. The answers with Ana ill and with Ana well lie in one heap. Now " +
			"move the slider.",
		No: "The answers with Ana ill and with Ana well lie in one heap: a guess is a coin. " +
			"Now move the slider.",
		Keep:     "Noise that hides any one person still shows the crowd.",
		Question: "An outbreak makes 100 more people ill. Do readers of one answer see it?",
		Answers: []phrase.Key{"No, noise hides that too", "About every second time",
			"Yes, nearly always"},
		RightAnswer: 3,
		Why: "Set the slider to 100 people: more than 99 of 100 guesses are right. The noise " +
			"stays the same, however many people there are.",
		Speaker: "Keep the slider at 1 until everybody has seen one heap. Then go up slowly, " +
			"and ask when the room can tell the heaps apart.",
		Shown: []phrase.Key{"95 of 100"},
	},
	{
		Title:   "What ε does",
		About:   "One dial sets how well anybody can guess. Read it as odds.",
		Minutes: 4,
		Lead: "Of 100 people like you each tosses a coin: heads is a secret yes. All join a " +
			"private count.",
		Rule: "The dial ε (epsilon) sets how much noise there is. It stands at 1.",
		Bet:  "Your bet: of 100 such secrets, how many are guessed rightly?",
		Bets: []Choice{
			{"About 55", "Hardly more than by a coin."},
			{"About 73", "Some more than by a coin."},
			{"About 95", "Nearly all."},
		},
		Right: 2,
		Yes:   "You were right: about 73 at ε = 1. Now turn the dial.",
		No:    "At ε = 1 it is about 73, against 50 without any answer. Now turn the dial.",
		Keep: "At ε = 0.1, of 100 people who join, somebody guesses right about 52; without " +
			"them 50.",
		Question:    "A clinic chooses ε = 0.5. How many of 100 are guessed rightly, at most?",
		Answers:     []phrase.Key{"50", "About 62", "About 88"},
		RightAnswer: 2,
		Why: "Set the dial to 0.5: about 62, on average. No attack does better, whatever the " +
			"attacker knows and however much it computes.",
		Speaker: "Odds are what people understand best. Give yours: “52 instead of 50”. Do not " +
			"say that data are safe; say how much better a guess gets.",
	},
	{
		Title:   "Spending adds up",
		About:   "Ask the same question 50 times, and watch the hiding wear off.",
		Minutes: 4,
		Lead:    "One answer at ε = 0.5 lets about 62 of 100 secrets be guessed.",
		Rule:    "The clinic answers the same question 50 times, each time with new noise.",
		Bet:     "Your bet: how many of 100 secrets are guessed now?",
		Bets: []Choice{
			{"Still 62", "Each answer is as private as the first."},
			{"About 75", "A little more with each."},
			{"More than 90", "The noise averages out."},
		},
		Right: 3,
		Yes:   "You were right. Each answer is a weak hint, and 50 weak hints are a strong one.",
		No: "Each answer is a weak hint, and 50 weak hints are a strong one. New noise each " +
			"time averages out.",
		Keep:     "Every answer is paid for, and what is paid adds up.",
		Question: "Twelve monthly numbers about the same people, ε = 0.25 each. What is the sum?",
		Answers: []phrase.Key{"0.25: each month is protected", "3: it adds up",
			"It depends on the numbers"},
		RightAnswer: 2,
		Why: "12 times 0.25 is 3. A limit for the year is set beforehand, and a ledger counts " +
			"what is spent of it.",
		Speaker: "Begin at 1 and double. The table below the slider shows three ways to spend " +
			"the same: ask which one the room would buy before you scroll down to it.",
	},
	{
		Title:   "Why bounds are public",
		About:   "A range too narrow cuts people off, one too wide needs too much noise.",
		Minutes: 4,
		Lead: "200 people’s average pay is published with noise. People who earn more than the " +
			"top of the range count as earning the top.",
		Rule: "The wider the range, the more noise is needed to hide anyone in it.",
		Bet:  "Your bet: which range gives the best average?",
		Bets: []Choice{
			{"0 to 2 000 EUR", "The least noise."},
			{"0 to 5 000 EUR", "Most people fit."},
			{"0 to 50 000 EUR", "Everybody fits."},
		},
		Right: 2,
		Yes:   "You were right. Too narrow is wrong each time; too wide is wrong by chance.",
		No: "Too narrow, and the average is too low each time. Too wide, and the noise " +
			"drowns it.",
		Keep:     "Set the range before you look, from what everybody knows.",
		Question: "The largest pay in the file is 48 000 EUR. May the range end there?",
		Answers: []phrase.Key{"Yes, noise hides that person",
			"No, the range itself gives that person away"},
		RightAnswer: 2,
		Why: "The range is published as it is. One that was read off the data told in 100 of " +
			"100 files whether the chief is in it.",
		Speaker: "Let the room set the range before you reveal: somebody wants to look at the " +
			"data first. The attack at the end is for them.",
		Shown: []phrase.Key{"ε"},
	},
	{
		Title:   "What it does not promise",
		About:   "A study about others says something about you, and nobody took it from you.",
		Minutes: 4,
		Lead: "A private study of a made-up town finds that smokers fall ill far more often. " +
			"Ana smokes. She did not take part.",
		Rule: "Her insurer reads the study, and raises her price.",
		Bet:  "Your bet: what would have changed, had Ana taken part?",
		Bets: []Choice{
			{"Everything", "Her data would have betrayed her."},
			{"A little", "One more person counts a little."},
			{"Nothing to speak of", "The finding is the same without her."},
		},
		Right: 3,
		Yes:   "You were right. The insurer learned about smokers, and Ana is one.",
		No: "The study finds the same without her. The insurer learned about smokers, and Ana " +
			"is one.",
		Keep:     "It protects what your data add, not what is true of people like you.",
		Question: "Which of these is promised?",
		Answers: []phrase.Key{"Nobody learns anything about Ana",
			"Nobody learns much more than without Ana’s data",
			"The published numbers are right"},
		RightAnswer: 2,
		Why: "What is learned about everybody also fits Ana. The promise is about the " +
			"difference that her own data make.",
		Speaker: "This is the lesson people argue about. Ask whether the study should have been " +
			"published. Noise cannot answer that.",
		Shown: []phrase.Key{"ε"},
	},
	{
		Title:   "One table, six ways to publish it",
		About:   "What statistical offices do today, each with an attack and what it costs users.",
		Minutes: 6,
		Lead: "A town of three districts publishes how many are well and ill. Ana lives in " +
			"Mill, where all the others are well.",
		Rule: "The attacker knows everybody’s health but hers.",
		Bet:  "Your bet: how many of the six ways hide whether Ana is ill?",
		Bets: []Choice{
			{"Only one", "All the others can be attacked."},
			{"Three of them", "Half of them are good enough."},
			{"Five of them", "All but the table as it is."},
		},
		Right: 1,
		Yes:   "You were right. Below, each attack has run; red is what it learned.",
		No: "Only one. Below, each attack has run; red is what it learned. Swapping lowers the " +
			"odds, and does not say to what.",
		Keep:     "Only the last one says how much it gives away, and how wrong it is.",
		Question: "Users want to know how far the printed numbers may be off. Who can tell them?",
		Answers: []phrase.Key{"An office that swaps", "An office that uses differential privacy",
			"Every one of the six"},
		RightAnswer: 2,
		Why: "Swapping keeps its rate secret, for else it protects less. The law of private " +
			"noise is public, so each error can be stated.",
		Speaker: "Give each group one of the ways and five minutes to break it, before anybody " +
			"reads the attacks. Then compare.",
		Shown: []phrase.Key{"noise", "ε", "95 of 100", "composition"},
	},
}
