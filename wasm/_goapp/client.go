package app

import "strings"

// inBundle turns /web/x into x in the folder of the versioned files. Other addresses stay as they
// are.
func inBundle(folder, location string) string {
	if name, ok := strings.CutPrefix(strings.TrimPrefix(location, "/"), "web/"); ok {
		return folder + "/" + name
	}
	return location
}
