// Package browsertest holds the tests that need a browser: the real bundle, served as it will be,
// in a real Chromium.
//
// ./build.sh test builds the bundle, finds or installs the browser and runs them. By hand, after
// ./build.sh build:
//
//	go test -tags browser ./web/browsertest -run TestOffline
//
// A test serves the bundle, opens a page and acts as a person does, by role and name:
//
//	s := serveBundle(t)
//	p := open(t, s.url)
//	p.sample("Clinic visits")
//	p.waitText("People (rows)")
//
// Each page has a fresh profile of its own. Whatever goes wrong in it or in its workers fails the
// test at its end, without being asked for: an error in the console, an uncaught exception, a
// violation of the content security policy, a request to another origin. A test that provokes one
// of these says so with p.expect. Nothing sleeps: a wait ends when its condition holds, or fails
// after a while and shows the page.
//
// The longest walks are parallel: they begin when all others have ended, and run beside each other.
// No such test may ask anything of another server, hold a page against the clock, or save a file,
// since the browser does not say which page a download is of.
//
// With HUSH_SHOTS=directory the screenshots that tests take are kept there. HUSH_LONG=1 also runs
// what takes minutes and gigabytes: a file of 2 GB, and the memory it takes to read one of its
// columns. HUSH_BENCH=1 runs the comparison with another parser in the same tab, which prints and
// never fails for being slow.
//
// The way from a file to a release, and what is done before the program runs, are also tested in
// Firefox: the one of this machine, or the one that FIREFOX names.
package browsertest
