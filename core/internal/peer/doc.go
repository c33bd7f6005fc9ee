// Package peer measures Hush beside other libraries, natively and on the same data. It holds tests
// only, behind the build tag peer, so that no other library's code enters the binary:
//
//	go test -tags peer -v ./core/internal/peer -data DIRECTORY
package peer
