package sample

import (
	_ "embed" // of the codebooks
	"fmt"
)

// The sets' codebooks.
var (
	//go:embed codebooks/clinic.json
	clinicBook string
	//go:embed codebooks/pay.json
	payBook string
	//go:embed codebooks/commute.json
	commuteBook string
	//go:embed codebooks/visits.json
	visitsBook string
	//go:embed codebooks/trial.json
	trialBook string
)

// clinic: two age groups come most (small children and the old), waits are short for most and very
// long for some.
var clinic = Set{
	Name:  "clinic",
	Title: "Clinic visits",
	About: "The last visit of each of 3\u202f200 made-up patients: children and old people come " +
		"most, a few waited for hours, and about three waits in a hundred were not recorded.",
	Rows: 3200,
	Columns: []Column{
		{"age", "years, 0 to 100"},
		{"wait_minutes",
			"from arrival to the doctor, minutes, 0 to 300; empty when nobody noted it"},
		{"district", "where the patient lives: Harbour, Hill, Market, Mill, Old Town or Park"},
		{"department", "children, eyes, general, heart or injuries"},
		{"visits", "by this patient in the last year, 1 to 40"},
	},
	Codebook: clinicBook,
	seed:     20240501,
	row: func(d dice) []string {
		var age int64
		switch d.pick(22, 33, 45) {
		case 0:
			age = d.tail(5)
		case 1:
			age = d.bell(38, 12)
		case 2:
			age = d.bell(71, 10)
		}
		age = clamp(age, 0, 100)

		department := "general"
		switch {
		case age < 14:
			department = []string{"children", "injuries", "eyes"}[d.pick(80, 15, 5)]
		case age < 55:
			department = []string{"general", "injuries", "eyes", "heart"}[d.pick(55, 28, 12, 5)]
		default:
			department = []string{"general", "heart", "eyes", "injuries"}[d.pick(45, 28, 18, 9)]
		}
		mean := map[string]int64{"children": 18, "eyes": 35, "general": 30, "heart": 22,
			"injuries": 58}[department]
		wait := ""
		if !d.percent(3) {
			wait = whole(clamp(3+d.tail(mean), 0, 300))
		}
		district := []string{"Harbour", "Hill", "Market", "Mill", "Old Town",
			"Park"}[d.pick(24, 9, 27, 14, 20, 6)]
		return []string{whole(age), wait, district, department,
			whole(clamp(1+d.tail(1+age/25), 1, 40))}
	},
}

// pay: salaries with a right tail, by role and years of service, part time in proportion.
var pay = Set{
	Name:  "pay",
	Title: "Salaries",
	About: "Monthly pay of 2\u202f400 made-up employees of one firm: most earn near the middle, " +
		"a few far more, and part-time work is paid in proportion.",
	Rows: 2400,
	Columns: []Column{
		{"role", "assistant, care, cleaning, engineer, manager, office, sales or director"},
		{"years", "with the firm, whole years, 0 to 45"},
		{"weekly_hours", "by contract, 10 to 40"},
		{"salary", "a month before tax, with cents, 0.00 to 30000.00"},
	},
	Codebook: payBook,
	seed:     20240502,
	row: func(d dice) []string {
		roles := []struct {
			name   string
			middle int64 // cents a month for a beginner with full hours
		}{
			{"assistant", 234000}, {"care", 268000}, {"cleaning", 205000}, {"engineer", 415000},
			{"manager", 520000}, {"office", 282000}, {"sales", 260000}, {"director", 985000},
		}
		role := roles[d.pick(14, 21, 12, 17, 7, 18, 10, 1)]
		years := clamp(d.tail(8), 0, 45)
		hours := int64(40)
		if d.percent(31) {
			hours = []int64{10, 16, 20, 24, 30, 32}[d.pick(1, 2, 6, 4, 5, 3)]
		}
		cents := role.middle + role.middle*years*12/1000
		cents = cents * d.bell(1000, 85) / 1000
		if role.name == "sales" || role.name == "director" { // bonus
			cents += cents * d.tail(18) / 100
		}
		cents = clamp(cents*hours/40, 0, 3000000)
		return []string{role.name, whole(years), whole(hours), decimal(cents, 2)}
	},
}

// commute: time follows distance and means, with two rush hours, and ties at round numbers as
// people report them.
var commute = Set{
	Name:  "commute",
	Title: "Ways to work",
	About: "How 4\u202f000 made-up people get to work: most who answered rounded minutes to " +
		"five, and one in twenty left the distance out.",
	Rows: 4000,
	Columns: []Column{
		{"means", "bike, bus, car, train or walk"},
		{"distance_km",
			"one way, kilometres with one decimal, 0.1 to 150.0; empty when not answered"},
		{"minutes", "one way, 1 to 240"},
		{"leaves_at", "time of day, hours and minutes"},
		{"days_a_week", "at the workplace, 1 to 6"},
	},
	Codebook: commuteBook,
	seed:     20240503,
	row: func(d dice) []string {
		means := d.pick(19, 22, 34, 14, 11)
		name := []string{"bike", "bus", "car", "train", "walk"}[means]
		typical := []int64{38, 72, 155, 310, 11}[means] // tenths of a kilometre
		metresAMinute := []int64{250, 290, 560, 900, 80}[means]
		fixed := []int64{2, 9, 5, 14, 0}[means] // minutes to the stop, to park

		distance := clamp(typical/4+d.tail(typical*3/4), 1, 1500)
		minutes := clamp((fixed+distance*100/metresAMinute)*d.bell(100, 14)/100, 1, 240)
		if minutes > 10 && d.percent(64) {
			minutes = (minutes + 2) / 5 * 5
		}
		leaves := clamp(d.bell(7*60+25, 42)-minutes/3, 3*60+30, 22*60)
		if d.percent(9) { // the late shift
			leaves = clamp(d.bell(13*60, 50), 3*60+30, 22*60)
		}
		if d.percent(50) {
			leaves = leaves / 5 * 5
		}
		far := ""
		if !d.percent(5) {
			far = decimal(distance, 1)
		}
		days := []int64{1, 2, 3, 4, 5, 6}[d.pick(3, 9, 17, 12, 55, 4)]
		return []string{name, far, whole(minutes), fmt.Sprintf("%02d:%02d", leaves/60, leaves%60),
			whole(days)}
	},
}

// visits: places near each other, that is near in the list, visit each other more.
var visits = Set{
	Name:  "visits",
	Title: "Visits between places",
	About: "One visit each of 3 000 made-up people: where they live and where they went, most of " +
		"them to a place nearby, many to the market.",
	Rows: 3000,
	Columns: []Column{
		{"from", "where the visitor lives: Harbour, Hill, Market, Mill, Old Town or Park"},
		{"to", "where the visit was, in the same list"},
	},
	Codebook: visitsBook,
	seed:     20240504,
	row: func(d dice) []string {
		places := []string{"Harbour", "Hill", "Market", "Mill", "Old Town", "Park"}
		from := d.pick(24, 9, 20, 14, 23, 10)
		to := int(clamp(int64(from)+d.bell(0, 1), 0, 5))
		if d.percent(30) {
			to = 2
		}
		return []string{places[from], places[to]}
	},
}

// trial: the new treatment delays relapses, less so in later stages; many leave before they have
// one.
var trial = Set{
	Name:  "trial",
	Title: "Trial of two treatments",
	About: "1\u202f000 made-up patients who got a new treatment or the usual one: how long each " +
		"was followed, whether the illness came back, and what was known of them before.",
	Rows: 1000,
	Columns: []Column{
		{"arm", "new or usual, as drawn by lot"},
		{"age", "years, 18 to 90"},
		{"sex", "female or male"},
		{"stage", "of the illness: I, II, III or IV"},
		{"smoker", "current, former or never; empty when not asked"},
		{"bmi", "body mass index, 15.0 to 45.0"},
		{"pressure", "systolic, mmHg, 80 to 200; empty when not measured"},
		{"diabetes", "no or yes"},
		{"months", "followed, 0 to 48; empty when not recorded"},
		{"end", "relapse, or left: followed no longer"},
	},
	Codebook: trialBook,
	seed:     20240505,
	row: func(d dice) []string {
		arm := d.pick(1, 1)
		stage := d.pick(30, 35, 25, 10)
		smoker := []string{"current", "former", "never", ""}[d.pick(22, 30, 44, 4)]
		pressure := ""
		if !d.percent(5) {
			pressure = whole(clamp(d.bell(131, 17), 80, 200))
		}
		until := d.tail([]int64{50, 26}[arm] * []int64{14, 11, 8, 5}[stage] / 10)
		followed := 4 + int64(d.src.Uniform(40))
		end := "left"
		if until <= followed {
			end = "relapse"
		}
		months := ""
		if !d.percent(2) {
			months = whole(min(until, followed))
		}
		return []string{
			[]string{"new", "usual"}[arm],
			whole(clamp(d.bell(61, 11), 18, 90)),
			[]string{"female", "male"}[d.pick(54, 46)],
			[]string{"I", "II", "III", "IV"}[stage],
			smoker,
			decimal(clamp(d.bell(268, 44), 150, 450), 1),
			pressure,
			[]string{"no", "yes"}[d.pick(84, 16)],
			months,
			end,
		}
	},
}
