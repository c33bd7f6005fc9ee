package ask

// Person is a person whom an exact answer counts, or Times persons with the same cells.
type Person struct {
	Times  int64
	Main   int64   // the code of the main column; −1: none
	Value  float64 // its value, where it is a number
	Others []int64 // the codes of the further columns; −1: none
	Group  string
}

// Valued reports whether the main column has a value.
func (p Person) Valued() bool { return p.Main >= 0 }

// Miss compares one number of an answer with the exact number for the people it is about.
type Miss struct {
	Of  string  // which number
	Off float64 // how far it is from the exact number
	// Most is how far it may be at an ε so large that noise hardly matters: the error that the
	// answer states, and rounding.
	Most float64
}

// Exact compares an answer with the people themselves, one by one, and shares no code with the way
// the question reads and counts them. It is for tests: its result is not private.
type Exact func(r Recipe, answer Result, people []Person) []Miss
