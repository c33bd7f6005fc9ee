package audit_test

import (
	"fmt"

	"hush/core/audit"
	"hush/core/coin"
)

// The count of persons with value 0, with a coin's worth of noise: it goes up by one with
// probability 1/3, and down with 1/3.
func Example() {
	noisy := func(rows []int) (*coin.Law[int], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
			count := 0
			for _, v := range rows {
				if v == 0 {
					count++
				}
			}
			return count + int(src.Uniform(3)) - 1, nil
		})
	}
	report, err := audit.Run(audit.Audit[int]{
		Name:  "uniform noise",
		Space: audit.Space{Persons: 2, Values: 1}, // each has the value 0 or none
		Claim: audit.Pure(2, 1),
		Law:   noisy,
	}, func(f audit.Figure) error {
		fmt.Println(f.From, f.To, f.High)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict(), report.High, report.Odds)
	// Output:
	// [-1 -1] [-1 0] 1/3
	// [-1 0] [-1 -1] 1/3
	// [-1 0] [0 0] 1/3
	// [0 0] [-1 0] 1/3
	// violated 1/3 <nil>
}
