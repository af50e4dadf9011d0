package keys_test

import (
	"bytes"
	"io"
	"reflect"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/assentdev/assent/internal/tui/keys"
	"pgregory.net/rapid"
)

func char(r rune) keys.Key { return keys.Key{Char: r} }

func named(n keys.Name) keys.Key { return keys.Key{Name: n} }

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []keys.Key
		rest     string
	}{
		{"a letter", "y", []keys.Key{char('y')}, ""},
		{"a letter of more than a byte", "ß", []keys.Key{char('ß')}, ""},
		{"half a letter waits for the rest", "\xc3", nil, "\xc3"},
		{"Enter, both ways", "\r", []keys.Key{named(keys.Enter)}, ""},
		{"Escape alone", "\x1b", []keys.Key{named(keys.Escape)}, ""},
		{"an arrow is not Escape and a letter", "\x1b[D", []keys.Key{named(keys.Left)}, ""},
		{"a key nobody knows is one key", "\x1b[15;5~", []keys.Key{named(keys.Other)}, ""},
		{"Alt and a letter is not the letter", "\x1by", []keys.Key{named(keys.Other)}, ""},
		{"Ctrl-C", "\x03", []keys.Key{named(keys.Interrupt)}, ""},
		{"a byte that is no text", "\xff", []keys.Key{named(keys.Other)}, ""},
		{"several at once are a burst", "ya", []keys.Key{{Char: 'y', Burst: true}, {Char: 'a', Burst: true}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, rest := keys.Parse([]byte(test.in))
			if !reflect.DeepEqual(got, test.want) || string(rest) != test.rest {
				t.Errorf("Parse(%q) = %v, %q; want %v, %q", test.in, got, rest, test.want, test.rest)
			}
		})
	}
}

// No byte is lost, none is read twice, and nothing that comes together with
// something else can be an answer.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "y", "\x1b[A", "\x1b", "a\xc3", "\x1b[1;", "ya\r", "\x1b\x1b"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ks, rest := keys.Parse(b)
		if len(rest) >= utf8.UTFMax || !bytes.HasSuffix(b, rest) {
			t.Errorf("Parse(%q) leaves %q", b, rest)
		}
		for _, k := range ks {
			if k.Burst != (len(ks) > 1) {
				t.Errorf("Parse(%q): %v of %d keys", b, k, len(ks))
			}
			if k.Name == keys.Char && (k.Char < ' ' || k.Char == 0x7f) {
				t.Errorf("Parse(%q): a control character is text", b)
			}
		}
	})
}

func TestSourceReadsOnDemandOnly(t *testing.T) {
	r := &counting{r: iotest.OneByteReader(bytes.NewReader([]byte("ab")))}
	s := keys.NewSource(r)
	defer s.Close()
	for _, want := range []rune{'a', 'b'} {
		ks := <-s.Keys()
		s.Took()
		if len(ks) != 1 || ks[0] != char(want) {
			t.Fatalf("got %v, want %c", ks, want)
		}
	}
	if r.n != 2 {
		t.Errorf("read %d times, want 2: an editor could not have the terminal", r.n)
	}
	<-s.Keys() // the end of the input, which may bring no keys
	s.Took()
	if _, open := <-s.Keys(); open {
		t.Error("the keys do not end with the input")
	}
}

type counting struct {
	r io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	c.n++
	return c.r.Read(p)
}

// A line holds what was typed: against a plain slice and a cursor.
func TestLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, before, behind := &keys.Line{}, []rune{}, []rune{}
		for range rapid.IntRange(0, 40).Draw(t, "keys") {
			k := keys.Key{Name: rapid.SampledFrom([]keys.Name{keys.Char, keys.Char, keys.Char, keys.Backspace, keys.Delete, keys.Left, keys.Right, keys.Home, keys.Last, keys.Clear, keys.Other, keys.Escape}).Draw(t, "name")}
			if k.Name == keys.Char {
				k.Char = rapid.SampledFrom([]rune("ab ß世")).Draw(t, "char")
			}
			l.Type(k)
			n, m := len(before), len(behind)
			switch {
			case k.Name == keys.Char:
				before = append(before, k.Char)
			case k.Name == keys.Backspace && n > 0:
				before = before[:n-1]
			case k.Name == keys.Delete && m > 0:
				behind = behind[1:]
			case k.Name == keys.Left && n > 0:
				before, behind = before[:n-1], append([]rune{before[n-1]}, behind...)
			case k.Name == keys.Right && m > 0:
				before, behind = append(before, behind[0]), behind[1:]
			case k.Name == keys.Home:
				before, behind = nil, append(append([]rune{}, before...), behind...)
			case k.Name == keys.Last:
				before, behind = append(before, behind...), nil
			case k.Name == keys.Clear:
				before = nil
			}
			if b, h := l.Cursor(); b != string(before) || h != string(behind) || l.String() != b+h {
				t.Fatalf("after %v: %q|%q, want %q|%q", k, b, h, string(before), string(behind))
			}
		}
	})
}

func TestEraseWord(t *testing.T) {
	for in, want := range map[string]string{"": "", "one": "", "one two": "one ", "one two  ": "one "} {
		l := keys.NewLine(in)
		l.Type(named(keys.EraseWord))
		if l.String() != want {
			t.Errorf("%q: %q, want %q", in, l, want)
		}
	}
}
