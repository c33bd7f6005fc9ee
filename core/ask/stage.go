package ask

import "hush/core/phrase"

// Stage is a part of long work, with the name that is shown while it runs.
type Stage struct {
	Name   phrase.Key
	Until  int64      // where it ends, in thousandths of all progress
	Rounds int64      // the most rounds that it has, all as long; 0: none are counted
	Hidden phrase.Key // why its progress is not shown; empty: it is shown
}

// StageAt returns the stage that progress has reached, and its round, from 1; 0 if rounds are not
// counted.
func StageAt(list []Stage, done, total int64) (stage int, round int64) {
	const whole = 1000
	from := int64(0)
	total = max(total, 1)
	for stage < len(list)-1 && whole*done >= list[stage].Until*total {
		from = list[stage].Until
		stage++
	}
	if of := list[stage]; of.Rounds > 0 {
		round = (whole*done-from*total)*of.Rounds/((of.Until-from)*total) + 1
		round = min(max(round, 1), of.Rounds)
	}
	return stage, round
}
