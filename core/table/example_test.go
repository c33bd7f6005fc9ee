package table_test

import (
	"fmt"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
)

const visits = "patient,age,reason\n" +
	"7,31,\"cough, fever\"\n" +
	"9,48,fever\n" +
	"7,31,check\n" +
	"12,n/a,check\n"

// A file is surveyed first. What the survey proposes is confirmed by passing it on.
func ExampleNewSurvey() {
	survey, err := table.NewSurvey(table.Options{})
	if err != nil {
		panic(err)
	}
	if err := survey.Write([]byte(visits)); err != nil {
		panic(err)
	}
	if err := survey.Close(); err != nil {
		panic(err)
	}
	found := survey.Result()
	fmt.Printf("%d rows, delimiter %q, %s\n", found.Rows, found.Options.Delimiter,
		found.Options.Encoding)
	for _, f := range found.Fields {
		fmt.Printf("%d %s: %s, %s\n", f.Column, f.Name, f.Guess.Kind, f.Why)
	}
	// Output:
	// 4 rows, delimiter ",", utf-8
	// 1 patient: integer, whole numbers
	// 2 age: integer, whole numbers
	// 3 reason: category, few different texts
}

// With a column of persons, one row of each is kept, drawn uniformly.
func ExampleNewEncode() {
	encode, err := table.NewEncode(table.EncodeParams{
		Options: table.Options{Encoding: "utf-8", Delimiter: ",", Header: "yes", Columns: 3},
		Columns: []table.Wanted{
			{Column: 2, Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"}}},
		Person: 1,
		Source: coin.NewSeeded(1), // coin.NewCrypto() for a release
	})
	if err != nil {
		panic(err)
	}
	for _, chunk := range []string{visits[:50], visits[50:]} {
		if err := encode.Write([]byte(chunk)); err != nil {
			panic(err)
		}
	}
	if err := encode.Close(); err != nil {
		panic(err)
	}
	kept := encode.Result()
	fmt.Println(kept.N, "persons")
	ages := kept.Columns[0]
	for i := range ages.Len() {
		if code, ok := ages.Code(i); ok {
			fmt.Println(ages.Domain().Decode(code))
		} else {
			fmt.Println("none")
		}
	}
	for _, p := range kept.Problems {
		fmt.Printf("row %d: %s (%q)\n", p.Places[0].Row, p.Text, p.Places[0].Cell)
	}
	// Output:
	// 3 persons
	// 31
	// 48
	// none
	// row 5: a cell of column 2 is not a whole number ("n/a")
}

func ExampleNewScanner() {
	scanner, err := table.NewScanner(table.Options{Delimiter: ";"}, func(r *table.Row) error {
		fmt.Printf("row %d:", r.Record)
		for i := range r.Len() {
			fmt.Printf(" %q", r.Field(i))
		}
		fmt.Println()
		return nil
	}, func(f table.Flaw) {
		fmt.Println(f.Kind, "in row", f.Record, "column", f.Column, "byte", f.Byte)
	})
	if err != nil {
		panic(err)
	}
	for _, chunk := range []string{"a;\"b", " \"\"c\"\"\"\r\n5\" ", "pipe;d"} {
		if err := scanner.Write([]byte(chunk)); err != nil {
			panic(err)
		}
	}
	if err := scanner.Close(); err != nil {
		panic(err)
	}
	// Output:
	// row 1: "a" "b \"c\""
	// quoteInUnquoted in row 2 column 1 byte 14
	// row 2: "5\" pipe" "d"
}
