// Package table reads CSV files as a stream and keeps only the codes of the columns that were
// chosen.
//
// The caller owns the byte loop: a pass takes the file in chunks of any size through Write and ends
// with Close. The result of a pass depends on the bytes alone, however they were cut into chunks.
// Survey looks at a file and proposes how to read it; [Encode] reads it exactly as its [Options]
// say and guesses nothing.
//
// # What is public
//
// Options, chosen columns, domains and conditions are public. Neighbours are defined after parsing:
// every row, however broken, is one row and gives one value of a domain or none for each chosen
// column. Where the content of a cell decides how the text is cut into rows (a quote that nothing
// closes, a bare line end, an empty line), a [Problem] says so, and the owner confirms the number
// of rows before anything is asked. A [Summary] (preview, problems, guesses) is for the owner's
// screen only.
//
// Such a table is rows and columns of a file. Contingency tables, counts of people by several
// columns, are released by hush/core/basic and hush/core/query.
//
// # Parts
//
// One pass owns the bytes of a file, and its parts hand them on in the batches in which the scanner
// finds rows. Beside the list stand how many names of this package a part uses of the others:
//
//   - Bytes become text in gunzip.go and transcode.go, by the encodings of charset and decoding.
//   - Text becomes rows in scanner.go, with quick.go, careful.go, quoted.go and the kernels.
//   - Survey proposes options: detect.go, delimiter.go, dialect.go, guess.go. It keeps a scanner
//     for each way to cut the text (50 names of the scanner).
//   - Fingerprints of rows are in multiset.go and siphash.go. They hash a batch where it lies (24
//     of the scanner), so that a survey is a tenth dearer; a package of their own would get each
//     row as a copy.
//   - Persons are in person.go, bounded.go, onevalue.go, counted.go and use.go. Which of a person's
//     rows count is decided while rows become codes, and rows that no longer count are taken back
//     (41 of the next part, which uses 34 of theirs).
//   - Rows become codes in encode.go, encoderow.go, column.go, texts.go and condition.go.
//   - What a problem says is in catalogue.go.
//
// So these are parts of one subject, and not packages: each would have to export the inside of its
// neighbours, and be a way around [Encode].
package table
