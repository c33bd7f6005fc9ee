// Package codebook describes what each column of a data set holds: once, and in public.
//
// A codebook names the data set and the people in its rows, and says for each column which values
// are possible, how its cells are written and in which unit. Questions refer to its columns, so
// that the bounds of one column can never be asked of another. It is JSON without data: it is
// saved, shared, edited and opened again with other rows of the same columns.
//
// # Privacy
//
// Nothing in a codebook may depend on one cell. The first rows decide nothing in it: no bound, no
// category, no missing word, no step, no decimal mark. What the rows suggest is a [Guess], which is
// shown on the owner's screen, marked as one, and never written; it enters a codebook only when the
// owner describes the column with it ([Column.Describe]). What Hush suggests comes from the
// header's name and public conventions ([Suggest]) or from fixed public ladders ([Ladder]). How a
// first row lies to the range that was typed ([Look]) is for the owner's screen only: it blocks a
// description until the owner says what is meant, and what is written then is what the owner said.
//
// Names are taken from the header row where the reading options, which the owner confirms, say that
// there is one. A file of a codebook may be published, as may everything computed from it.
package codebook
