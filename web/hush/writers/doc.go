// Package writers makes files of made-up rows that are no plain text: workbooks and Parquet. What
// a cell is, a number, a day or a text, stands in the file; the readers of the page and of the
// command read the same cells from it as from the CSV file of these rows.
package writers
