package film

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/param"
)

// Every film can be shown with any coins: all that is drawn lies in the picture, every frame says
// what happens, and the same seed shows the same run.
func TestFilms(t *testing.T) {
	seeds := coin.Seed(40)
	if testing.Short() {
		seeds = 5
	}
	for _, id := range IDs() {
		t.Run(id, func(t *testing.T) {
			different := map[string]bool{}
			for seed := range seeds {
				f, err := Run(Request{id, seed})
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if f.Title == "" || !strings.Contains(f.Data, "made-up") || len(f.Frames) < 3 ||
					len(f.Frames) > 80 {
					t.Errorf("seed %d: %q of %q in %d frames", seed, f.Title, f.Data, len(f.Frames))
				}
				words := ""
				for i, frame := range f.Frames {
					words += frame.Text
					if frame.Text == "" || len(frame.Text) > 330 ||
						strings.Contains(frame.Text, "%!") {
						t.Errorf("seed %d, frame %d says %q", seed, i, frame.Text)
					}
					for _, m := range append(slices.Clone(f.Ground), frame.Marks...) {
						checkMark(t, f, m)
					}
				}
				different[words] = true
				if again, err := Run(Request{id, seed}); err != nil ||
					!reflect.DeepEqual(f, again) {
					t.Errorf("seed %d shows two runs", seed)
				}
			}
			if len(different) == 1 {
				t.Error("all seeds show the same run: are there coins?")
			}
		})
	}
}

func checkMark(t *testing.T, f *Film, m Mark) {
	t.Helper()
	left, right, top, bottom := m.X, m.X, m.Y, m.Y
	switch m.Shape {
	case Bar:
		right, bottom = m.X+m.W, m.Y+m.H
		if m.W < 0 || m.H < 0 {
			t.Errorf("a bar of negative size: %+v", m)
		}
	case Dot:
		left, right, top, bottom = m.X-m.W, m.X+m.W, m.Y-m.W, m.Y+m.W
	case Line:
		left, right, top, bottom = min(m.X, m.W), max(m.X, m.W), min(m.Y, m.H), max(m.Y, m.H)
	case Text:
		half := 3.2 * float64(len([]rune(m.Text)))
		left, right, top = m.X-half, m.X+half, m.Y-10
		if m.Text == "" {
			t.Error("a text that says nothing")
		}
	case Curve:
		if m.Text == "" || strings.Contains(m.Text, "NaN") {
			t.Errorf("a curve along %q", m.Text)
		}
	default:
		t.Errorf("a mark of no shape: %+v", m)
	}
	for _, x := range []float64{m.X, m.Y, m.W, m.H} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("a mark nowhere: %+v", m)
		}
	}
	if left < 0 || right > Width || top < 0 || bottom > float64(f.Height) || m.Faint < 0 ||
		m.Faint > 100 || m.Look == "" {
		t.Errorf("%+v is not in a picture of %d by %d", m, Width, f.Height)
	}
}

func TestUnknownFilm(t *testing.T) {
	var refused *param.Error
	if _, err := Run(Request{ID: "nothing"}); !errors.As(err, &refused) || refused.Field != "id" {
		t.Errorf("got %v", err)
	}
}
