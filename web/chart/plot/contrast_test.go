package plot

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// themes are the colours of the style sheet, by day and by night.
func themes(t *testing.T) map[string]map[string][3]float64 {
	t.Helper()
	text, err := os.ReadFile("../../../static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	day, rest, _ := strings.Cut(string(text), "color-scheme: dark;")
	night, _, found := strings.Cut(rest, "--shadow")
	if !found {
		t.Fatal("the style sheet has no dark theme")
	}
	all := map[string]map[string][3]float64{}
	for name, block := range map[string]string{"light": day, "dark": night} {
		all[name] = map[string][3]float64{}
		for _, m := range regexp.MustCompile(`(--[a-z-]+): #([0-9a-f]{6});`).
			FindAllStringSubmatch(block, -1) {
			var c [3]float64
			for i := range c {
				n, _ := strconv.ParseUint(m[2][2*i:2*i+2], 16, 8)
				c[i] = float64(n)
			}
			all[name]["var("+m[1]+")"] = c
		}
	}
	return all
}

// luminance is that of WCAG 2.2.
func luminance(c [3]float64) float64 {
	l := 0.0
	for i, part := range []float64{0.2126, 0.7152, 0.0722} {
		v := c[i] / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		l += part * v
	}
	return l
}

func contrast(a, b [3]float64) float64 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

// TestNumbersInHeatMapsCanBeRead: at each step of the colours of a heat map, in both themes, the
// number in the cell has a contrast of at least 4.5 to 1. axe does not look into pictures.
func TestNumbersInHeatMapsCanBeRead(t *testing.T) {
	const steps = 400
	var cells []HeatCell
	for i := range steps + 1 {
		cells = append(cells, HeatCell{X: i, Count: float64(i)})
	}
	plot := HeatMap([]string{"x"}, []string{"y"}, "people", cells).Plot
	scale := plot["visualMap"].(object)["inRange"].(object)["color"].([]string)
	series := plot["series"].([]object)[0]
	otherwise := series["label"].(object)["color"].(string)
	for name, colours := range themes(t) {
		worst := math.Inf(1)
		for i, cell := range series["data"].([]object) {
			at := float64(i) / steps * float64(len(scale)-1)
			below := min(int(at), len(scale)-2)
			from, fine := colours[scale[below]]
			to, known := colours[scale[below+1]]
			text := otherwise
			if own, ok := cell["label"].(object)["color"].(string); ok {
				text = own
			}
			ink, has := colours[text]
			if !fine || !known || !has {
				t.Fatalf("%s: %s, %s or %s is no colour of the style sheet", name, scale[below],
					scale[below+1], text)
			}
			var back [3]float64
			for k := range back {
				back[k] = math.Round(from[k] + (to[k]-from[k])*(at-float64(below)))
			}
			worst = min(worst, contrast(back, ink))
		}
		if worst < 4.5 {
			t.Errorf("%s: a number has a contrast of %.2f", name, worst)
		}
	}
}
