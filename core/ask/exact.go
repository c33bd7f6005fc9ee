package ask

// Person is one that an exact answer counts, or Times persons with the same cells.
type Person struct {
	Times  int64
	Main   int64   // the code of the main column; −1: none
	Value  float64 // its value, where it is a number
	Others []int64 // the codes of the further columns; −1: none
	Group  string
}

// Valued reports whether the main column has a value.
func (p Person) Valued() bool { return p.Main >= 0 }

// Miss is one number of an answer, held against the people whom it is about.
type Miss struct {
	Of  string  // which number
	Off float64 // how far it is from the exact one
	// Most is as far as it may be where ε is so much that noise hardly matters: what the answer
	// says of its error, and what is rounded.
	Most float64
}

// Exact holds an answer against the people themselves, one by one, with nothing of how the question
// reads and counts them. It is for tests: its result is not private.
type Exact func(r Recipe, answer Result, people []Person) []Miss
