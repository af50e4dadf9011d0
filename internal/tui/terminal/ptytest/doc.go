// Package ptytest starts programs at a terminal, for tests. It does so on Linux.
package ptytest
