// Package replay asks each question of a catalogue twice, of two files that differ in one person,
// and compares all that must not differ. It is not shipped; its tests walk over the catalogue.
//
// Files are bytes in every dialect that core/table reads, with quotes, breaks inside of quotes, bad
// numbers, missing and further cells; neighbours replace one row, all rows of one person, or move
// one person from a count to another. The first file is asked with the coins of a seed, which a
// [meter.Meter] writes down; the second with the same outcomes of all draws. Then
//
//   - what is public of the draws is equal: which they are, in what order, on which assumptions;
//   - the input of each draw moves by no more than it has claimed, or than the theorem says that
//     prices all rows of a person together;
//   - a plan states no more than was asked, and no more is spent than it states;
//   - everything else that is published is equal byte for byte: plans, refusals, errors, JSON, CSV,
//     tables and statements.
//
// # What it does not see
//
// Whether the law of a draw has the loss that it states: audits do. How a subsample amplifies:
// with the same coins it differs in one row or none. What follows an outcome that only a δ allows:
// there the replay ends. Which row of a person is kept: that is drawn alike for everybody else.
package replay
