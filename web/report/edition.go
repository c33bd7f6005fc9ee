package report

// edition identifies how this program writes pages: it is the digest of some pages, which changes
// with every text and tag in them. A page states its edition, so that a check knows whether to
// expect the same bytes. TestEdition computes it, and with -update writes it here.
const edition = "398457c95e5d41db"

// The line of a page that states it.
const (
	generator    = `<meta name="generator" content="Hush, edition `
	generatorEnd = "\">\n"
)
