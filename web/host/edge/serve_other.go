//go:build !js

package edge

// Serve reports whether this program is a Worker; then it has served, until the platform ended it.
func Serve() bool { return false }
