// Package hypotheses ties every hypothesis of a theorem to the line that ensures it and to the test
// that breaks it. It holds tests only.
//
// A proof lists its hypotheses below "**Assumptions.**", each with a name and a kind:
//
//   - **limit-long** (run time): T = 0 or e·γ·(T−1) ≥ 1, with e rounded down.
//
// Two kinds need a line of code, and a line of a test that breaks them: "types", where nothing else
// can be built, and "run time", where something else is refused. The third is "caller": the doc
// comment of an exported name says it. The three places carry the name after the proof's:
//
//	if enough.Cmp(one) < 0 { // H: threshold.md limit-long
//
// A proof of another package is named from core on: "H: mechanism/laplace.md moves". Several stand
// together as "H: a.md one, two; b.md three". A proof without hypotheses of its own says
// "**Assumptions.** None" or "**Assumptions.** Those of [another](another.md)".
package hypotheses
