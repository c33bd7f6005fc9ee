package app

// Handler is named by the browser's half of GenerateStaticWebsite, which cannot be called there.
type Handler struct{}

func clientResourceResolver(folder string) func(string) string {
	return func(location string) string { return inBundle(folder, location) }
}
