// Package density learns how a column is distributed, privately: a distribution function and a
// density, with bands that hold with 95 %, from which quantiles, ranges and synthetic data come for
// free.
//
// A [Learner] releases a [Distribution] from sorted codes. Persons without a value have no code and
// are not passed in: n, the number of persons, is public and how many have a value is private, so
// they are one more cell of every partition. Whatever is done with a Distribution afterwards (fewer
// pieces, polynomials, shapes, synthetic data) is post-processing.
//
//	MERR          a few places where the approximation was worst: any domain, few persons
//	QuantileTree  cells with equally many persons: any domain
//	Hierarchy     a tree over equal cells: the smallest error of the distribution function on domains whose values can be counted
//	PrivTree      a tree over ranges that are halved while they hold many persons: the same on larger domains
//	Histogram     equal cells, or cells given: the smallest error of the density there
//
// Advise chooses among them by public facts. ./build.sh bench density repeats the tables below;
// TREES.md has that of trees of counts on many columns.
//
// # The paper's experiments
//
// L1 error, median of 10 runs, for persons drawn from a mixture of two Gaussians on 10^8 values, ε
// = 1, δ ≤ 1/n². The published figures, with 20 pieces and δ = 1/n, stand beside ours by [MERR]:
// joined to 20 pieces, by number of rounds, and as six cubics; in brackets without privacy.
//
//	n        published        20 pieces      8 rounds  16     32     64     6 cubics
//	10000    .333  (.095)     .126  (.103)   .201      .141   .111   .106   .077
//	31600    .206  (.087)     .095  (.095)   .177      .120   .091   .072   .040
//	100000   .137  (.087)     .089  (.092)   .172      .105   .072   .051   .027
//	1000000  .0865 (.0848)    .085  (.083)   .171      .098   .054   .034   .018
//
// After sorting, 20 rounds on 10^7 codes below 10^18 take 0.26 of the time of slices.Sort
// (BenchmarkAfterSort).
//
// # Real columns
//
// The columns of DPBench with 4096 values: Kolmogorov error, then L1 error, medians of 20 runs, of
// what [Advise] takes and of others, Google's quantile tree at the same protection of a replaced
// person among them (not run on columns of 10^7 persons). Advise is within 5 % of the best on each
// of these for either; of twelve more cases, on 10 and 9.
//
//	                   Kolmogorov, of 1000 persons                    L1, of 1 person
//	column      ε      advised  Histogram  MERR    tree   Google      advised  Hierarchy  MERR   tree   Google
//	ADULTFRANK  0.1    14.2     40.7       13.8    25.5  47.6        .093     .102       .096   .093  .183
//	ADULTFRANK  1      2.6      9.3        7.3     5.9   14.2        .043     .058       .089   .081  .080
//	HEPTH       0.1    2.3      4.6        6.3     49.4  8           .217     .436       .565   .651  .559
//	HEPTH       1      0.25     0.54       3.6     48.9  7.7         .021     .062       .555   .649  .553
//	INCOME      0.1    0.032    0.082      3.4     45.6  –           .0021    .0048      .259   .499  –
//	INCOME      1      0.0037   0.0095     3.4     45.6  –           .00025   .00063     .258   .499  –
//	MEDCOST     0.1    34.1     73.9       265     64.2  58.5        .401     .410       .837   .401  .594
//	MEDCOST     1      5.4      14.6       23      30.1  24.2        .215     .258       .298   .292  .269
//	NETTRACE    0.1    14.5     17.2       95      57.6  23          .088     .106       .453   .182  .184
//	NETTRACE    1      1.6      2.1        27.1    58.5  11.6        .011     .020       .163   .152  .075
//	PATENT      0.1    0.031    0.055      0.88    30.3  –           .0024    .0092      .083   .178  –
//	PATENT      1      0.0033   0.0075     0.56    30.2  –           .00023   .00085     .074   .178  –
//	SEARCHLOGS  0.1    2        5.3        22.2    37.8  14          .101     .150       .351   .472  .198
//	SEARCHLOGS  1      0.23     0.54       5.5     38    14.2        .016     .036       .230   .470  .180
//
// Medians of 20 runs vary by a tenth: over 300 runs on ADULTFRANK at ε = 0.1, the closest case, the
// tree of counts that Advise takes has 14.0 and MERR 15.5. Where Advise loses: made-up columns that
// are even, where MERR and the quantile tree need a few cells only (at ε = 0.1 Kolmogorov .021,
// MERR .013; L1 .33, MERR .05), and for L1 1000 persons on 100 values at ε = 0.1 (1.1, where the
// tree of counts has 0.56).
//
// What the taut string of [Hierarchy] gains, over least squares and sums made to rise, is where
// data have empty or even stretches: at ε = 0.1, Kolmogorov errors of 15.7, 43.6, 16.3 and 2.3 of
// 1000 persons on ADULTFRANK, MEDCOST, NETTRACE and SEARCHLOGS become 13.9, 35.9, 13.4 and 2.0, and
// L1 errors of .92, .23 and .28 on the last three .40, .10 and .15. Where each value differs from
// its neighbours nothing changes but L1, which grows by a tenth.
//
// # Rounds and algorithm chosen privately
//
// On domains too large to be counted public facts do not say which algorithm suits the data, nor
// how many rounds of MERR do. A choice by a noisy score (package selection, tune.md) costs three
// fifths of ε and never fails badly. Kolmogorov error in persons at ε = 1 on 10^12 values, medians
// of 9 runs (go test ./core/task -run TestChosenPrivatelyTable -v -args -tables); what public facts
// choose is PrivTree:
//
//	data                     n        PrivTree     tree   MERR 4   16     64     chosen privately
//	two Gaussians            2000     48           115    99       80     50     70
//	                         20000    88           585    959      298    131    167
//	                         200000   127          5949   9978     1160   516    336
//	even                     2000     37           81     26       30     40     41
//	                         20000    89           108    80       70     66     80
//	                         200000   114          198    213      197    141    187
//	60 values                2000     75           134    134      103    100    131
//	                         20000    122          907    1492     699    680    442
//	                         200000   122          7875   15039    6524   3333   269
//	even logarithms          2000     43           98     827      904    1189   162
//	                         20000    70           304    8324     1690   4877   165
//	                         200000   107          2675   83301    4846   5259   278
//	nine tenths alike        2000     30           66     1582     1311   1456   53
//	                         20000    45           111    16767    38     39     58
//	                         200000   60           106    157802   65     84     126
//
// PrivTree is within 1.43 of the best in each row, and MERR ahead by that much only where the data
// are even. A private choice pays where there is reason to expect that they are, and doubt.
package density
