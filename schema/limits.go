package schema

// Limits bounds what a strict parse accepts (SPEC A5). A nil *Limits and a zero
// or negative field mean the defaults.
type Limits struct {
	// Bytes is the most bytes of text. Zero means 262,144 (256 KiB).
	Bytes int
	// Levels is how deep arrays and objects may nest; the outermost is level 1.
	// Zero means 64. More than 1,000 counts as 1,000.
	Levels int
	// Keys is how many keys all objects of the text may have together. Zero means 1,000.
	Keys int
}

const (
	maxBytes  = 256 << 10
	maxLevels = 64
	maxKeys   = 1000
	// maxDigits bounds one number's text, so that exact arithmetic stays cheap.
	maxDigits = 1000
)

func (l *Limits) orDefaults() Limits {
	full := Limits{Bytes: maxBytes, Levels: maxLevels, Keys: maxKeys}
	if l == nil {
		return full
	}
	if l.Bytes > 0 {
		full.Bytes = min(l.Bytes, 1<<31-1) // offsets are 32 bits wide
	}
	if l.Levels > 0 {
		full.Levels = min(l.Levels, 1000) // the parser recurses
	}
	if l.Keys > 0 {
		full.Keys = l.Keys
	}
	return full
}
