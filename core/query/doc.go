// Package query releases the answers to very many counting queries at once: how many persons have all, or any, of a set of attributes, or how many edges
// of a graph leave a set of vertices. A Release is private: it can be kept, shared and asked without the data.
//
// Neighbours replace one person (one record, one edge); n is public. Records are bits; no algorithm but multiplicative weights lists the 2^d possible records.
//
// # Which method
//
//   - Marginals counts every conjunction of up to w attributes: best while these are few.
//   - MWEM, Boosting and Sampled keep a distribution on all 2^d records (d ≤ 22) and correct it where it is wrong.
//   - Marginals with Product takes attributes as independent: any d, any width, and wrong by as much as they are not.
//   - Pieces is the paper's: constant on few pieces, for any d, with a guarantee for all but a part of the queries of a workload. Counted is the same in
//     the form the paper gives it.
//
// The guarantee of Pieces, Counted and Sampled is for all but a small part β of the queries: a single query may be far off.
package query
