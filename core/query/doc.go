// Package query releases the answers to very many counting queries at once: how many persons have
// all, or any, of a set of attributes, or how many edges of a graph leave a set of vertices. A
// [Release] is private: it can be kept, shared and asked without the data.
//
// Neighbours replace one person (one record, one edge); n is public. Records are bits; no algorithm
// but multiplicative weights lists the 2^d possible records.
//
// # Which method
//
//   - [Tables] counts the cells of tables of columns, of one table of all columns up to tables of w
//     of them: best while these have few cells.
//   - [Residuals] measures what each table of a workload adds to those of fewer columns, so that
//     all tables of the workload agree. It takes a δ.
//   - [Marginals] counts every conjunction of up to w attributes.
//   - [MWEM], [Boosting] and [Sampled] keep a distribution on all 2^d records (d ≤ 22) and correct
//     it where it is wrong.
//   - Marginals with Product takes attributes as independent: any d, any width, and wrong by as
//     much as they are not.
//   - [Pieces] is the paper's method: constant on few pieces, for any d, with a guarantee for all
//     but a part of a workload's queries; Counted has the paper's own form.
//
// Mean error, in percent of n, on random conjunctions of the Adult data (n = 48842; ./build.sh
// bench query prints all of it, with percentiles):
//
//	attributes  widths  ε    δ      marginals  tables  product  MWEM  Pieces  chosen
//	16          1–3     0.1  0      10.24      4.75    1.55     1.72  14.47   product
//	16          1–3     1    0      1.19       0.45    1.40     0.39  12.37   MWEM
//	16          1–3     1    10^-6  0.18       0.09    1.40     0.24  12.34   tables
//	32          1–3     1    0      7.34       5.46    0.70     –     11.65   product
//	32          1–3     1    10^-6  0.50       0.25    0.69     –     11.64   tables
//	64          1–3     1    0      32.84      20.69   0.55     –     11.23   product
//	64          1–3     1    10^-6  1.26       0.53    0.52     –     11.26   tables
//	64          1–8     1    0      –          –       0.28     –     4.57    product
//	hidden, 64  1–8     1    0      –          –       20.36    –     0.55    product
//
// "Hidden" is made-up data in which half of the persons have nearly every attribute and the others
// nearly none. That is where Pieces wins, forty times over: attributes that hang together by more
// than pairs, and wide conjunctions. On records like Adult's, single attributes predict narrow
// conjunctions far better than a constant on each piece. Choose knows public facts only, so it
// cannot see which of the two the data are.
//
// Attributes of one column exclude each other, which a [Column] says: a person is in one cell of
// each table, however many cells there are. Mean error of a cell at ε = 1 in persons, from the same
// benchmark; "free" are marginals that may all change:
//
//	cells of all tables              δ      free   by column  tables  of columns  chosen
//	2 of 8 attributes                0      38.5   38.5       14.6    8           tables
//	2 of 8 attributes                10^-6  21.6   21.6       14.6    8           tables
//	3 of 8 attributes                0      68.8   68.8       10.7    8           tables
//	3 of 8 attributes                10^-6  29.4   29.4       10.7    8           tables
//	2 of 5 columns, 42 categories    0      532.9  25.4       17.0    2           tables
//	2 of 5 columns, 42 categories    10^-6  88.3   16.5       14.1    2           tables
//
// All tables of this many columns, by each way that [ChooseTables] lists: mean error of a cell at
// ε = 1 in persons, all tables alike, on the same data, and in brackets what was expected
// (TestCompareTables, from the same benchmark):
//
//	tables                           δ      residuals    independent  full         MWEM
//	2 of 8 attributes                0      –            35.9 (35.8)  14.3 (15.6)  142 (221)
//	2 of 8 attributes                10^-6  12.6 (12.7)  13.6 (15.3)  14.3 (15.6)  133 (209)
//	3 of 8 attributes                0      –            57.7 (57.3)  11.6 (11.9)  186 (231)
//	3 of 8 attributes                10^-6  14.3 (14.3)  15.8 (17.3)  11.6 (11.9)  119 (215)
//	2 of 5 columns, 42 categories    0      –            18.8 (20.6)  59.0 (60.1)  –
//	2 of 5 columns, 42 categories    10^-6  14.6 (14.5)  15.1 (14.7)  59.0 (60.1)  –
//	3 of 5 columns, 42 categories    0      –            18.8 (20.0)  20.1 (20.4)  –
//	3 of 5 columns, 42 categories    10^-6  14.2 (14.1)  14.3 (14.4)  20.1 (20.4)  –
//
// Time, as a multiple of that of counting one disjunction of d/2 attributes by looking at every
// record (./build.sh bench query):
//
//	n      d    16 pieces, widths 1–3  marginals of 2  marginals of 3
//	10^4   100  378                    338             10868
//	10^5   100  410                    222             3305
//	10^6   100  387                    290             2816
//	10^6   50   249                    130             319
//	10^6   25   166                    23              51
//
// So all grow as n, pieces as d, and marginals as the number of conjunctions: 10^6 records of 100
// attributes take two to three seconds in all natively, and 20 for the 166750 marginals of up to
// three.
//
// The guarantee of Pieces, [Counted] and Sampled is for all but a small part β of the queries: a
// single query may be far off.
//
// # Parts
//
// Each method stands in files of its own; what they share is in release.go, set.go, records.go,
// workload.go, choose.go and score.go. They stay one package, since a Release of any method is
// opened, asked, corrected and written alike, and [Choose] holds the forecasts of all against each
// other: tables and residuals use 59 names of the shared files, which use 22 of theirs, pieces 73
// and 27, the distributions on all records 29 and 18. Two packages would need a third for the
// Release, and a list of methods that each adds itself to.
package query
