// Package api writes down what the packages export that a program needs to ask a question, and
// holds it: api.txt changes only where somebody means it. Tests only; not shipped.
package api
