package table

import (
	"bytes"
	"fmt"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// revealing are bytes in which two readings of a cell may differ: zero, spaces and the parts of
// wide ones and of a byte order mark, letters, digits, quotes, and bytes that are no text.
const revealing = "\x00 \tAaz0'-.\x1f\x7f\x80\xa0\xc2\xe3\xef\xbb\xbf\xff"

// shortCells calls f for every text of 1 to n bytes of an alphabet.
func shortCells(alphabet []byte, n int, f func(cell []byte)) {
	cells := [][]byte{nil}
	for range n {
		var longer [][]byte
		for _, cell := range cells {
			for _, c := range alphabet {
				next := append(bytes.Clone(cell), c)
				f(next)
				longer = append(longer, next)
			}
		}
		cells = longer
	}
}

// everyCell are all texts of up to three revealing bytes, of up to two of any bytes, and those of
// spaces and marks of Unicode.
func everyCell(f func(cell []byte)) {
	shortCells([]byte(revealing), 3, f)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	shortCells(all, 2, f)
	for _, mark := range []string{"\u00a0", "\u3000", "\ufeff", "\u200b", "\u2028", "\u202f",
		"\ufffd", "é", "e\u0301", "ſ", "K"} {
		for _, form := range []string{"%s", "A%s", "%sA", "A%s\x00", "A\x00%s", " %s ", "%s\x00 ",
			"%[1]s%[1]s"} {
			f(fmt.Appendf(nil, form, mark))
		}
	}
}

// TestAlikeForBoundAndQuestion: cells are one group for the bound exactly if they are one label for
// the question, and cells that are one place of a list are one group.
func TestAlikeForBoundAndQuestion(t *testing.T) {
	texts, err := domain.NewWide(domain.Spec{Kind: domain.Text, Length: 100})
	if err != nil {
		t.Fatal(err)
	}
	list, err := domain.New(domain.Spec{Kind: domain.Category,
		Categories: []string{"A", "a", "z0", "A\x00", "\x00", "ÿ", "\u00a0", "\u3000", "A ,"}})
	if err != nil {
		t.Fatal(err)
	}
	groups, labels, places := map[string]string{}, map[string]string{}, map[uint64]string{}
	n := 0
	everyCell(func(cell []byte) {
		n++
		group := string(groupOf(cell))
		if group == "" {
			if len(bytes.Trim(cell, " \t\x00")) > 0 {
				t.Errorf("%q is in no group", cell)
			}
			return
		}
		code, ok := wideCodeOf(texts, groupOf(cell))
		if !ok {
			t.Fatalf("%q has a group and no label", cell)
		}
		// the cell as it is, where no group bounds it: no coarser than the group
		raw, _ := wideCodeOf(texts, cell)
		label := string(code)
		for _, same := range []struct {
			of         map[string]string
			key, value string
			what       string
		}{
			{groups, group, label, "group %q has the labels %q and %q"},
			{labels, label, group, "label %q has the groups %q and %q"},
			{labels, "raw" + string(raw), group, "what is read as %q has the groups %q and %q"},
		} {
			if old, known := same.of[same.key]; known && old != same.value {
				t.Errorf(same.what, same.key, old, same.value)
			}
			same.of[same.key] = same.value
		}
		if code, ok := codeOf(list, cell); ok {
			if old, known := places[code]; known && old != group {
				t.Errorf("place %q of the list has the groups %q and %q", list.Decode(code), old,
					group)
			}
			places[code] = group
		}
	})
	t.Logf("%d cells in %d groups", n, len(groups))
}

// TestAlikeInFile: of a person each of whose rows has another of these cells, at most k rows that
// are used have one label, whether the file is read quickly or row by row.
func TestAlikeInFile(t *testing.T) {
	cells := []string{"A", "A\x00", "A\x00\x00", " A", "A ", "A\x00 \x00", "\tA\t\x00", "B",
		"B\x00", "\xff", "ÿ", "\xff\x00", "\x00", " \x00 ", "\u00a0", "\u00a0\x00", "C\u00a0", "C"}
	for _, rows := range []int{1, 2} {
		for _, slow := range []bool{false, true} {
			var file bytes.Buffer
			file.WriteString("who,group\n")
			for _, cell := range cells {
				fmt.Fprintf(&file, "one,%s\n", cell)
			}
			if slow {
				file.WriteString("two,\"A\"\"\"\n\"two\",D,too many\n")
			}
			u := &Use{Rows: rows, Groups: 30, Column: 2}
			e := encode(t, EncodeParams{Options: plainCSV(2),
				Columns: []Wanted{{2, domain.Spec{Kind: domain.Text, Length: 100}}}, Person: 1,
				Use: u, Source: coin.NewSeeded(5)}, file.Bytes())
			labels := map[string]int{}
			for i := range int(u.Entries()) {
				if e.Texts[0].Has(i) {
					labels[string(e.Texts[0].Code(i))]++
				}
			}
			want := []string{"A", "B", "ÿ", "\u00a0", "C\u00a0", "C"}
			if len(labels) != len(want) {
				t.Errorf("slow %v: labels %v, want %q", slow, labels, want)
			}
			for _, label := range want {
				if n := labels[label]; n < 1 || n > rows {
					t.Errorf("slow %v: label %q in %d rows, at most %d each", slow, label, n, rows)
				}
			}
		}
	}
}

// TestPersonsOfHalfTheSame: persons whose identifiers share either half of their identity
// are told apart.
func TestPersonsOfHalfTheSame(t *testing.T) {
	const n = 20_000
	for _, form := range []string{"abcdefgh%07d", "%08dabcdefg"} {
		p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, true)
		for round := range 2 {
			for i := range n {
				p.reserve(1)
				id := p.known(fmt.Appendf(nil, form, i))
				p.ids[0] = id
				p.ahead(1)
				who, isNew, err := p.find(id, p.place[0])
				if err != nil {
					t.Fatal(err)
				}
				if isNew != (round == 0) || who.at != uint32(i+1) {
					t.Fatalf(form+": person %d, new %v", i, who.at, isNew)
				}
			}
		}
	}
}
