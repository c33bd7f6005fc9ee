package publish

// The lines of more icons (parts.Icon).
const (
	iconOpen  = "M2.8 8a5.2 5.2 0 0 1 10.4 0a5.2 5.2 0 0 1-10.4 0"
	iconAlert = "M8 2 1.5 13.5h13zM8 6.5v3M8 11.7v.1"
	iconDown  = "M4 6l4 4 4-4"
	iconEye   = "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z" +
		"M6 8a2 2 0 0 1 4 0a2 2 0 0 1-4 0"
	iconSearch = "M2.5 7a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0M10.5 10.5 14 14"
)
