// Package edge serves the bundle as a Cloudflare Worker. There the platform itself answers what is
// in the bundle, with the headers that the bundle's _headers file names, and asks the Worker for
// the rest only: the page at the root, addresses that are not there, methods that are not answered.
package edge
