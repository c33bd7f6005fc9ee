package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"hush/core/domain"
)

// plainFile is about size bytes of eight unquoted columns; quotedFile has every text quoted, some
// with quotes and line ends inside.
func plainFile(size int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := []byte("id,age,income,city,date,flag,score,note\n")
	for i := 0; len(b) < size; i++ {
		b = fmt.Appendf(b, "%d,%d,%d.%02d,%s,2024-%02d-%02d,%d,%.3f,some words here\n", 1000000+i,
			r.IntN(100), r.IntN(90000), r.IntN(100),
			[]string{"Oslo", "Lima", "Ankara", "Wellington"}[r.IntN(4)], 1+r.IntN(12), 1+r.IntN(28),
			r.IntN(2), r.Float64())
	}
	return b
}

func quotedFile(size int) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	b := []byte("\"id\",\"age\",\"income\",\"city\",\"note\"\n")
	for i := 0; len(b) < size; i++ {
		b = fmt.Appendf(b, "\"%d\",\"%d\",\"%d.%02d\",\"%s\",\"she said \"\"yes\"\", and\nleft\"\n",
			i, r.IntN(100), r.IntN(90000), r.IntN(100),
			[]string{"Oslo", "Lima", "Ankara", "Wellington"}[r.IntN(4)])
	}
	return b
}

// peopleFile is about size bytes of a register: six columns, one of them quoted for its comma, and
// a town in five that is not ASCII.
func peopleFile(size int) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	b := []byte("id,age,income,town,remark,visited\n")
	for i := 1; len(b) < size; i++ {
		b = fmt.Appendf(b, "%d,%d,%d.%02d,%s,\"seen, noted\",2024-%02d-%02d\n", i, r.IntN(100),
			r.IntN(90000), r.IntN(100),
			[]string{"Bern", "Graz", "Ulm", "Saint-Denis", "Łódź"}[r.IntN(5)], 1+r.IntN(12),
			1+r.IntN(28))
	}
	return b
}

const benchBytes = 8 << 20

var benchFiles = []struct {
	name string
	file []byte
}{{"plain", plainFile(benchBytes)}, {"quoted", quotedFile(benchBytes)},
	{"people", peopleFile(benchBytes)}}

// inChunks pushes the file as the engine does.
func inChunks(b *testing.B, p interface {
	Write([]byte) error
	Close() error
}, file []byte) {
	const chunk = 1 << 20
	for i := 0; i < len(file); i += chunk {
		if err := p.Write(file[i:min(i+chunk, len(file))]); err != nil {
			b.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkScanner(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.file)))
			b.ReportAllocs()
			for b.Loop() {
				cells := 0
				s, err := NewScanner(comma, func(r *Row) error {
					cells += r.Len()
					return nil
				}, nil)
				if err != nil {
					b.Fatal(err)
				}
				inChunks(b, s, f.file)
			}
		})
	}
}

func BenchmarkEncodingCSV(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.file)))
			b.ReportAllocs()
			for b.Loop() {
				r := csv.NewReader(bytes.NewReader(f.file))
				r.ReuseRecord = true
				cells := 0
				for {
					row, err := r.Read()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					cells += len(row)
				}
			}
		})
	}
}

var benchColumns = []Wanted{
	{2, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"}},
	{3, domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "100000", Step: "0.01"}},
	{4, domain.Spec{
		Kind: domain.Category,
		Categories: []string{"Ankara", "Bern", "Graz", "Lima", "Łódź", "Oslo", "Saint-Denis", "Ulm",
			"Wellington"}}},
}

func BenchmarkEncode(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			fields := bytes.Count(f.file[:bytes.IndexByte(f.file, '\n')], []byte(",")) + 1
			b.SetBytes(int64(len(f.file)))
			b.ReportAllocs()
			for b.Loop() {
				e, err := NewEncode(
					EncodeParams{
						Options: Options{Delimiter: ",", Encoding: UTF8, Header: Yes,
							Columns: fields}, Columns: benchColumns})
				if err != nil {
					b.Fatal(err)
				}
				inChunks(b, e, f.file)
			}
		})
	}
}

// The same three columns with the standard library.
func BenchmarkEncodeEncodingCSV(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.file)))
			for b.Loop() {
				r := csv.NewReader(bytes.NewReader(f.file))
				r.ReuseRecord = true
				city := map[string]uint64{"Ankara": 0, "Lima": 1, "Oslo": 2, "Wellington": 3}
				var ages, incomes, cities []uint64
				for {
					row, err := r.Read()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					age, _ := strconv.ParseInt(row[1], 10, 64)
					income, _ := strconv.ParseFloat(row[2], 64)
					ages, incomes, cities = append(ages, uint64(age)),
						append(incomes, uint64(income*100)), append(cities, city[row[3]])
				}
				if len(ages) == 0 || len(ages) != len(incomes) || len(ages) != len(cities) {
					b.Fatal("nothing was read")
				}
			}
		})
	}
}

func BenchmarkSurvey(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.file)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := NewSurvey(Options{})
				if err != nil {
					b.Fatal(err)
				}
				inChunks(b, s, f.file)
			}
		})
	}
}
