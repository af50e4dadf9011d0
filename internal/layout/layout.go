// Package layout holds the tests of the tree itself: imports point down,
// exported names mention no stranger's types, and each has a doc comment.
// See docs/decisions/module-layout.md.
package layout
