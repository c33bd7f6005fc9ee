package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
)

// hidden is a question of sums under one noise; a nil noise means that they cannot be topped up.
type hidden interface{ noise() *basic.Noise }

// hiding allows such a question to be topped up: Laplace noise is drawn from the numbers of a
// release instead of afresh, and Gaussian noise is drawn once more and averaged (topup.md of
// core/basic). The question sets whose to itself.
type hiding struct{ whose hidden }

// Raw implements ask.Refining.
func (h *hiding) Raw() (ask.Head, bool) {
	noise := h.whose.noise()
	if noise == nil {
		return ask.Head{}, false
	}
	raw, ok := noise.Drawn()
	return headOf(raw), ok
}

// headOf returns a draw in the form of a release.
func headOf(raw basic.Raw) ask.Head {
	return ask.Head{Sums: raw.Sums, Bases: raw.Bases, Draws: drawsOf(raw.Draws)}
}

func drawsOf(draws []mechanism.Draw) (list []ask.Draw) {
	for _, d := range draws {
		list = append(list, ask.Draw{Rho: d.Rho.Rat().RatString(), Sums: d.Sums})
	}
	return list
}

// rawIn reads the draw in a release.
func rawIn(head ask.Head) (basic.Raw, error) {
	raw := basic.Raw{Sums: head.Sums, Bases: head.Bases}
	for _, d := range head.Draws {
		draw := basic.Draw{Sums: d.Sums}
		if err := draw.Rho.UnmarshalText([]byte(d.Rho)); err != nil {
			return raw, err
		}
		raw.Draws = append(raw.Draws, draw)
	}
	return raw, nil
}

// Averages implements ask.Refining.
func (h *hiding) Averages() int {
	if noise := h.whose.noise(); noise != nil {
		return noise.Averages()
	}
	return 1
}

// Sums implements ask.Drawing.
func (h *hiding) Sums() []int64 {
	if noise := h.whose.noise(); noise != nil {
		return noise.Sums()
	}
	return nil
}

// Give implements ask.Drawing.
func (h *hiding) Give(head ask.Head) (again ask.Head, ok bool) {
	noise := h.whose.noise()
	if noise == nil {
		return again, false
	}
	raw, err := rawIn(head)
	if err != nil {
		return again, false
	}
	if raw, err = noise.Give(raw); err != nil {
		return again, false
	}
	return headOf(raw), true
}

// Refine implements ask.Refining.
func (h *hiding) Refine(first ask.Refining, head ask.Head) (debit ask.Debit, err error) {
	noise := h.whose.noise()
	before, is := first.(hidden)
	if !is || noise == nil || before.noise() == nil {
		return debit, ask.Refuse("release", phrase.Of("with groups that were found"),
			phrase.Of("a public list of groups: ask again"))
	}
	raw, err := rawIn(head)
	if err != nil {
		return debit, err
	}
	if debit.Each, err = noise.TopUp(before.noise(), raw); err != nil {
		return debit, err
	}
	if person, ok := noise.DebitOfPerson(); ok {
		debit.Person = &person
	}
	return debit, nil
}

// Pairs implements ask.Paired.
func (h *hiding) Pairs() ([]privacy.Pairs, bool) {
	noise := h.whose.noise()
	if noise == nil {
		return nil, false
	}
	return noise.Pairs()
}
