// Package query releases the answers to very many counting queries at once: how many persons have
// all, or any, of a set of attributes, or how many edges of a graph leave a set of vertices. A
// [Release] is private: it can be kept, shared and asked without the data.
//
// Neighbours replace one person (one record, one edge); n is public. Records are bits; no algorithm
// but multiplicative weights lists the 2^d possible records.
//
// # Which method
//
//   - [Marginals] counts every conjunction of up to w attributes: best while these are few.
//   - [MWEM], [Boosting] and [Sampled] keep a distribution on all 2^d records (d ≤ 22) and correct
//     it where it is wrong.
//   - Marginals with Product takes attributes as independent: any d, any width, and wrong by as
//     much as they are not.
//   - [Pieces] is the paper's: constant on few pieces, for any d, with a guarantee for all but a
//     part of the queries of a workload. Counted is the same in
//     the form the paper gives it.
//
// Mean error, in percent of n, on random conjunctions of the Adult data (n = 48842; ./build.sh
// bench query prints all of it, with percentiles):
//
//	attributes  widths  ε    δ      marginals  product  MWEM  Pieces  chosen
//	16          1–3     0.1  0      10.24      1.55     1.72  14.47   product
//	16          1–3     1    0      1.19       1.40     0.39  12.37   MWEM
//	16          1–3     1    10^-6  0.18       1.40     0.24  12.34   marginals
//	32          1–3     1    0      7.34       0.70     –     11.65   product
//	32          1–3     1    10^-6  0.50       0.69     –     11.64   marginals
//	64          1–3     1    0      32.84      0.55     –     11.23   product
//	64          1–8     1    0      –          0.28     –     4.57    product
//	hidden, 64  1–8     1    0      –          20.36    –     0.55    product
//
// "Hidden" is made-up data in which half of the persons have nearly every attribute and the others
// nearly none. That is where Pieces wins, forty times over: attributes that hang together by more
// than pairs, and wide conjunctions. On records like Adult's, single attributes predict narrow
// conjunctions far better than a constant on each piece. Choose knows public facts only, so it
// cannot see which of the two the data are.
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
package query
