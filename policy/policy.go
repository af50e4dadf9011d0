// Package policy decides whether a call runs, asks a person first, is refused
// or is hidden. It is a pure function of facts (SPEC D2) and imports the
// standard library only.
package policy
