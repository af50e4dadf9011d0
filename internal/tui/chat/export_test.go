package chat

// What the tests look at inside.
var (
	ResultLines = resultLines
	Spaced      = spaced
)
