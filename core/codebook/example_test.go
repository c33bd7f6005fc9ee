package codebook_test

import (
	"errors"
	"fmt"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
)

// A file is opened: its columns are guessed. One is described, by a suggestion and after the first
// rows were looked at, and can be asked about.
func Example() {
	book := codebook.New(table.Options{Header: table.Yes}, []table.Field{
		{Column: 1, Name: "title", Guess: domain.Spec{Kind: domain.Text}},
		{Column: 2, Name: "num_pages", Guess: domain.Spec{Kind: domain.Integer}},
	})
	book.Noun = codebook.Noun{One: "book", Many: "books"}

	pages, _ := book.Column(2)
	fmt.Println(pages.Title(), pages.State())

	suggestions := codebook.Suggest(pages.Header, pages.Guess.Kind)
	typed := suggestions[2].On(pages.Guess.Values())
	first := []string{"652", "870", "1276"}
	_, err := pages.Describe(typed, first, codebook.Unanswered)
	fmt.Println(errors.Is(err, codebook.ErrOutside))
	fmt.Println(codebook.Ladder(pages.Header, typed, false, true)[1].Hi)

	typed.Hi = "3000"
	pages, _ = pages.Describe(typed, first, codebook.Unanswered)
	pages.Name, pages.Unit = "length", "pages"
	book, _ = book.With(pages)
	text, _ := book.Encode()
	fmt.Print(string(text))

	bins, _ := typed.Bins(codebook.FewValues)
	fmt.Println(bins.Len(), "bins of", bins.Width)
	// Output:
	// num_pages guessed
	// true
	// 5000
	// {
	//   "version": 1,
	//   "noun": {
	//     "one": "book",
	//     "many": "books"
	//   },
	//   "table": {
	//     "header": "yes"
	//   },
	//   "columns": [
	//     {
	//       "number": 1,
	//       "header": "title"
	//     },
	//     {
	//       "number": 2,
	//       "header": "num_pages",
	//       "name": "length",
	//       "unit": "pages",
	//       "values": {
	//         "kind": "integer",
	//         "lo": "0",
	//         "hi": "3000"
	//       }
	//     }
	//   ]
	// }
	// 15 bins of 200
}
