// Package warehouse writes the SQL by which a database counts the values that a question asks
// about, with a bound on the rows of each person. A release is made of these counts, without any
// row.
//
// [New] takes a question, the names of the table's columns and a [Dialect]. It returns the
// statement and the question to ask of the file of counts that the statement makes. Where nothing
// is drawn, that question has the same answer as the rows would have, from the same coins.
//
// Why the counts have the guarantee of the rows, and where the engine's draws are weaker than ours:
// warehouse.md. Which questions take counts: QUESTIONS.md.
package warehouse
