// Package readers converts files other than plain text to text, as static/readers does in a
// browser: JSON, Parquet, and files packed with Zstandard. A table becomes the same CSV, byte by
// byte, that the page makes of the file, so that both read equal cells, have equal codes, and
// recognise a data set by its rows; a test compares the two.
//
// A workbook and a ZIP archive have no reader here, and a message says what to do.
package readers
