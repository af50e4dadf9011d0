package policy

// Class says what a tool may do (SPEC 1). Strictness grows in the order Read,
// Write, Destructive, Unknown.
//
// The zero value, NotGiven, exists only in declarations: it says that one side
// named no class. Wherever a class decides, it counts as Unknown.
type Class uint8

// The classes, from lenient to strict.
const (
	NotGiven    Class = iota // a declaration without a class
	Read                     // reads and changes nothing
	Write                    // changes something that can be changed back
	Destructive              // changes something that cannot easily be changed back, or sends something away
	Unknown                  // nobody said: decides like Destructive
)

var classNames = [...]string{"", "read", "write", "destructive", "unknown"}

// String returns the class's word; "" for NotGiven and "unknown" for a number that is no class.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return classNames[Unknown]
}

// Known returns c, and Unknown for everything that is not one of the four classes.
func (c Class) Known() Class {
	if c >= Read && c <= Unknown {
		return c
	}
	return Unknown
}

// Stricter returns the effective class of two declarations (SPEC C2): the
// stricter of both, the other one where one is not given, and Unknown where
// neither is.
func Stricter(a, b Class) Class {
	return max(a, b).Known()
}

// ParseClass reads one of the four words. Any other text, the empty text
// included, is an error with code bad_class.
func ParseClass(s string) (Class, error) {
	for c := Read; c <= Unknown; c++ {
		if classNames[c] == s {
			return c, nil
		}
	}
	return Unknown, refuse(CodeBadClass, "unknown class %q: write read, write, destructive or unknown", s)
}

// ReadClass reads a class in a contract or in wire data (SPEC C7): the empty
// text is NotGiven, and text that is no known class is Unknown with ok false,
// which deserves a warning.
func ReadClass(s string) (c Class, ok bool) {
	if s == "" {
		return NotGiven, true
	}
	c, err := ParseClass(s)
	return c, err == nil
}

// MarshalText gives the class's word.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the class's word, and "" as NotGiven. It is strict: what
// reads contracts and wire data, where other words count as unknown (SPEC C7),
// catches the error and warns.
func (c *Class) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*c = NotGiven
		return nil
	}
	*c, err = ParseClass(string(b))
	return err
}
