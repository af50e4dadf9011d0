package policy

// Mode is how much a session lets run (SPEC 1). Width grows in the order Off,
// ReadOnly, Ask, Auto. The zero value is Off.
type Mode uint8

// The modes, from narrow to wide.
const (
	Off Mode = iota
	ReadOnly
	Ask
	Auto
)

var modeNames = [...]string{"off", "read_only", "ask", "auto"}

// String returns the mode's word; "off" for a number that is no mode.
func (m Mode) String() string { return modeNames[m.known()] }

func (m Mode) known() Mode {
	if m > Auto {
		return Off
	}
	return m
}

// Narrower returns the narrowest of the modes, and Auto for none.
func Narrower(modes ...Mode) Mode {
	least := Auto
	for _, m := range modes {
		least = min(least, m.known())
	}
	return least
}

// ParseMode reads one of the four words. Any other text is an error with code bad_mode.
func ParseMode(s string) (Mode, error) {
	for m, name := range modeNames {
		if name == s {
			return Mode(m), nil
		}
	}
	return Off, refuse(CodeBadMode, "unknown mode %q: write off, read_only, ask or auto", s)
}

// ReadMode reads a mode in wire data (SPEC C7): text that is no known mode is Off.
func ReadMode(s string) Mode {
	m, _ := ParseMode(s)
	return m
}

// MarshalText gives the mode's word.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the mode's word strictly; see ParseMode.
func (m *Mode) UnmarshalText(b []byte) (err error) {
	*m, err = ParseMode(string(b))
	return err
}
