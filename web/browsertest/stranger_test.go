//go:build browser

package browsertest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// books writes a file such as people have: quotes and commas inside of titles, rows with a cell too
// many, dates as people write them, titles in several languages, and pages beyond every guess.
func books(t *testing.T, rows int) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	titles := []string{`"The ""Lost"" City, and Other Tales"`, "Die Vermessung der Welt",
		"ノルウェイの森", "Cien años de soledad", "Преступление и наказание", "L’Étranger",
		`"Notes, Volume 2"`}
	authors := []string{"A. Grann", "村上春樹", `"García Márquez, Gabriel"`, "Ф. Достоевский"}
	languages := []string{"eng", "eng", "eng", "eng", "eng-US", "spa", "fre", "ger", "jpn", "rus"}
	var b strings.Builder
	b.WriteString("bookID,title,authors,average_rating,language_code,num_pages,ratings_count," +
		"publication_date,publisher\n")
	for i := range rows {
		pages := max(0, int(330+170*random.NormFloat64()))
		if i%97 == 3 {
			pages = 2690
		}
		extra := ""
		if i%250 == 120 {
			extra = " Jr."
			extra = "," + extra // an author's name with a comma that nobody quoted
		}
		fmt.Fprintf(&b, "%d,%s,%s%s,%.2f,%s,%d,%d,%d/%d/%d,%s\n", i+1,
			titles[random.IntN(len(titles))], authors[random.IntN(len(authors))], extra,
			max(0, min(5, 3.9+.4*random.NormFloat64())), languages[random.IntN(len(languages))],
			pages, random.IntN(2_000_000), 1+random.IntN(12), 1+random.IntN(28),
			1950+random.IntN(70), "Example Press")
	}
	path := filepath.Join(t.TempDir(), "books.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
