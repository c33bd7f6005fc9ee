// Package readers makes text of files that are no plain text, as static/readers does in a browser:
// JSON, Parquet, and what is packed with Zstandard. A table is bytes of the same CSV that the page
// makes of the file, so that both read equal cells, have equal codes, and know a data set by its
// rows; a test holds the two to each other, byte by byte.
//
// A workbook and a ZIP archive have no reader here, and a message says what to do.
package readers
