// Package verify opens a release without its data and shows which of its claims hold.
//
// # What it does
//
// A release is public: its recipe, n, the numbers that were drawn and everything made from them.
// The code that made a release recomputes all that follows from the recipe and n (the guarantee,
// the law of the noise, the errors to expect) and all that follows from the numbers that were drawn
// (the answer with its intervals, its verdict and its sentence), and compares it field by field
// with the file ([ask.Redo]). Each difference is listed with its line. A checksum shows accidental
// changes.
//
// A page as HTML is compared byte by byte with the page as it is written again from its data
// ([Rewrite]). The comparison covers the texts in its pictures, and not their shapes.
//
// # What it cannot do
//
// Everything in a file is a claim, and recomputing shows that claims agree with each other. Anyone
// who changes a file and recomputes all that follows gets another release, not a broken one. No
// file can show that the data were real, that coins were fair and thrown once, and that nothing
// else was released: [Report] says so in Unknowable, each time. It does not compare texts that
// another version worded otherwise, and says so in Shown. [ClassOf] has the classes of fields.
package verify
