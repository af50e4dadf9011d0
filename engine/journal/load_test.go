package journal_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

// sample is a journal file with batches of 1, 2 and 3 records, each a write of
// its own: lines 1, 2-3 and 4-6.
func sample(t testing.TB) (path string, lines [][]byte) {
	t.Helper()
	path = logPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, "a", 0, `{"n":1}`)
	mustAppend(t, j, "b", 0, `{"n":2}`, `{"n":3}`)
	mustAppend(t, j, "a", 1, `{"n":4}`, `{"n":5}`, `{"n":6}`)
	mustClose(t, j)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines = bytes.SplitAfter(text, []byte("\n"))
	return path, lines[:len(lines)-1]
}

func join(lines ...[]byte) []byte { return bytes.Join(lines, nil) }

func replaced(line []byte, old, new string) []byte {
	if !bytes.Contains(line, []byte(old)) {
		panic("nothing to replace: " + old)
	}
	return bytes.Replace(line, []byte(old), []byte(new), 1)
}

func zeroed(line []byte, from, to int) []byte {
	line = bytes.Clone(line)
	clear(line[from:to])
	return line
}

// proves: S1, D8 (what a crash left is cut, and only what nobody was told is durable)
func TestTornEnd(t *testing.T) {
	path, l := sample(t)
	whole := join(l...)
	for cut := range len(whole) + 1 {
		// The end of a whole batch at or before the cut: what must be kept.
		keep, line := 0, 1
		for n, end := range map[int]int{2: len(l[0]), 4: len(join(l[:3]...)), 7: len(whole)} {
			if end <= cut && end > keep {
				keep, line = end, n
			}
		}
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := journal.OpenFaulty(path, nil, &journal.Faults{Quick: true})
		if err != nil {
			t.Fatalf("cut at byte %d: %v", cut, err)
		}
		want := journal.Repair{Line: line, Offset: int64(keep), Bytes: int64(cut - keep)}
		if cut == keep {
			want = journal.Repair{}
		}
		if got := j.Repaired(); got != want {
			t.Fatalf("cut at byte %d: repaired %+v, want %+v", cut, got, want)
		}
		mustClose(t, j)
		if left, _ := os.ReadFile(path); !bytes.Equal(left, whole[:keep]) {
			t.Fatalf("cut at byte %d: %d bytes are left, want %d", cut, len(left), keep)
		}
	}
}

func TestDamage(t *testing.T) {
	path, l := sample(t)
	second := join(l[1], l[2])
	for name, c := range map[string]struct {
		file []byte
		line int        // the line that the error names; 0: it opens
		code fault.Code // of the error
		left int        // of an opened file: how many lines are left
	}{
		"a file as it was written":                     {join(l...), 0, "", 6},
		"a page of the last write that was not stored": {join(l[0], second, zeroed(l[3], 40, 90), l[4], l[5]), 0, "", 3},
		"a page that ends where a line begins":         {join(l[0], second, zeroed(l[3], 5, 90), l[4], l[5]), 0, "", 3},
		"zeros where the last write should be":         {join(l[0], second, make([]byte, 700)), 0, "", 3},
		"the beginning of a frame":                     {join(l[0], second, []byte(`{"fra`)), 0, "", 3},
		"V6 zeros in an earlier write":                 {join(l[0], zeroed(l[1], 40, 90), l[2], l[3], l[4], l[5]), 2, fault.BadJournal, 0},
		"V6 zeros in the first write":                  {join(zeroed(l[0], 0, 9), second, l[3], l[4], l[5]), 1, fault.BadJournal, 0},
		"V6 an edited payload":                         {join(l[0], second, l[3], replaced(l[4], `{"n":5}`, `{"n":7}`), l[5]), 5, fault.BadChain, 0},
		"V6 an edited payload in the last line":        {join(l[0], second, l[3], l[4], replaced(l[5], `{"n":6}`, `{"n":7}`)), 6, fault.BadChain, 0},
		"V6 an edited header":                          {join(replaced(l[0], `"header":{}`, `"header":{"a":1}`), second), 1, fault.BadChain, 0},
		"V6 a removed batch":                           {join(l[0], l[3], l[4], l[5]), 2, fault.BadJournal, 0},
		"V6 a removed first record":                    {join(second, l[3], l[4], l[5]), 1, fault.BadJournal, 0},
		"V6 exchanged lines":                           {join(l[0], l[2], l[1]), 2, fault.BadChain, 0},
		"V6 a repeated line":                           {join(l[0], l[0]), 2, fault.BadChain, 0},
		"a batch that is not finished":                 {join(l[0], l[1], l[3]), 3, fault.BadJournal, 0},
		"a batch that ends early":                      {join(l[0], second, l[3], replaced(l[4], `"more":1`, `"more":0`), l[5]), 5, fault.BadJournal, 0},
		"an empty line":                                {join(l[0], []byte("\n"), second), 2, fault.BadJournal, 0},
		"a last line that is no record":                {join(l[0], []byte("{}\n")), 2, fault.BadJournal, 0},
		"a record without a frame":                     {join(l[0], append([]byte("{"), l[1][bytes.Index(l[1], []byte(`"tenant"`)):]...)), 2, fault.BadJournal, 0},
		"a frame that points elsewhere":                {join(l[0], second, l[3], replaced(l[4], `"back":`, `"back":1`)), 5, fault.BadJournal, 0},
		"a frame from the future":                      {join(l[0], replaced(l[1], `"at":`, `"at":9`)), 2, fault.BadJournal, 0},
		"a file of another kind":                       {[]byte("hello"), 1, fault.BadJournal, 0},
		"a database":                                   {[]byte("SQLite format 3\x00 and so on"), 1, fault.BadJournal, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, c.file, 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := journal.OpenFile(path, nil)
			wantCode(t, "OpenFile", err, c.code)
			left, _ := os.ReadFile(path)
			if err != nil {
				if want := fmt.Sprintf("journal %s, line %d: ", path, c.line); !strings.HasPrefix(fault.TextOf(err), want) {
					t.Errorf("text %q does not begin with %q", fault.TextOf(err), want)
				}
				if !bytes.Equal(left, c.file) {
					t.Error("a file that was refused was changed")
				}
				return
			}
			mustClose(t, j)
			if got := bytes.Count(left, []byte("\n")); got != c.left {
				t.Errorf("%d lines are left, want %d", got, c.left)
			}
		})
	}
}

func TestSkipVerify(t *testing.T) {
	path, l := sample(t)
	if err := os.WriteFile(path, join(l[0], l[1], replaced(l[2], `{"n":3}`, `{"n":7}`)), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := journal.OpenFile(path, &journal.Options{SkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	t.Run("V6 an edit that opening did not look for is found when it is read", func(t *testing.T) {
		wantCode(t, "Read", firstError(j.Read(t.Context(), "b", 0)), fault.BadChain)
		if got := payloads(collect(t, j.Read(t.Context(), "a", 0))); got != `{"n":1}` {
			t.Errorf("stream a reads %s", got)
		}
	})
}

// proves: V6 (what is changed while the file is open is found when it is read)
func TestChangedWhileOpen(t *testing.T) {
	path := logPath(t)
	j := mustOpen(t, path)
	for _, stream := range []string{"a", "b", "c", "d", "e", "f"} {
		mustAppend(t, j, stream, 0, "1")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l := bytes.SplitAfter(text, []byte("\n"))
	if len(l[4]) != len(l[5]) {
		t.Fatalf("lines of %d and %d bytes cannot be exchanged", len(l[4]), len(l[5]))
	}
	for name, c := range map[string]struct {
		file []byte
		code fault.Code
	}{
		"another stream's record": {join(l[0], l[1], l[2], l[3], l[5], l[4]), fault.BadChain},
		"an edit":                 {join(l[0], l[1], l[2], l[3], replaced(l[4], `"payload":1`, `"payload":2`), l[5]), fault.BadChain},
		"no record":               {join(l[0], l[1], l[2], l[3], zeroed(l[4], 0, 80), l[5]), fault.BadJournal},
		"a shorter file":          {join(l[0], l[1], l[2], l[3]), fault.BadJournal},
	} {
		if err := os.WriteFile(path, c.file, 0o600); err != nil {
			t.Fatal(err)
		}
		wantCode(t, name, firstError(j.Read(t.Context(), "e", 0)), c.code)
	}
}

// proves: S1 (arbitrary bytes are refused with a line or opened, and opening
// again gives the same)
func FuzzOpen(f *testing.F) {
	_, l := sample(f)
	f.Add(join(l...))
	f.Add(join(l[:5]...))
	f.Add(join(l[0], l[2]))
	f.Add(join(l[0], l[1], []byte(frameText)))
	f.Add([]byte{0, 0, 0})
	f.Add([]byte(strings.Repeat("\n", 3)))
	path := logPath(f)
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		first, err := contents(t, path)
		if err != nil {
			if !strings.Contains(fault.TextOf(err), ", line ") {
				t.Fatalf("refused without a line: %v", err)
			}
			if left, _ := os.ReadFile(path); !bytes.Equal(left, file) {
				t.Fatal("refused and changed")
			}
			return
		}
		left, _ := os.ReadFile(path)
		if !bytes.HasPrefix(file, left) {
			t.Fatal("opening changed more than the end")
		}
		second, err := contents(t, path)
		if err != nil || first != second {
			t.Fatalf("opened a second time it is %v %s, was %s", err, second, first)
		}
	})
}

const frameText = `{"frame":{"more":0,"back":0,"at":0},`

// contents opens a journal, reads all that is in it and closes it.
func contents(t *testing.T, path string) (string, error) {
	j, err := journal.OpenFaulty(path, nil, &journal.Faults{Quick: true})
	if err != nil {
		return "", err
	}
	defer j.Close()
	var b strings.Builder
	for stream, err := range j.Streams(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		recs := collect(t, j.Read(t.Context(), stream, 0))
		checkChain(t, stream, recs)
		for _, r := range recs {
			b.Write(r.AppendLine(nil, nil))
		}
	}
	return b.String(), nil
}
