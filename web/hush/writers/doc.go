// Package writers makes files of made-up rows in formats other than plain text: workbooks and
// Parquet. The file states whether a cell is a number, a day or a text; the readers of the page and
// of the command read the same cells from it as from the CSV file of these rows.
package writers
