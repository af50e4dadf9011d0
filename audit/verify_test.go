package audit_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"pgregory.net/rapid"
)

func newKey(t testing.TB) (ed25519.PrivateKey, ed25519.PublicKey) {
	t.Helper()
	key, err := audit.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return key, key.Public().(ed25519.PublicKey)
}

func seq(recs []audit.Record) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for _, r := range recs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func verify(t testing.TB, recs []audit.Record, opts *audit.VerifyOptions) *audit.Report {
	t.Helper()
	report, err := audit.Verify(audit.Records(seq(recs)), opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func verifyFile(t testing.TB, file []byte, opts *audit.VerifyOptions) *audit.Report {
	t.Helper()
	report, err := audit.Verify(audit.Lines(bytes.NewReader(file)), opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// found writes a report's problems as "kind line stream/seq".
func found(r *audit.Report) string {
	var list []string
	for _, p := range r.Problems {
		list = append(list, fmt.Sprintf("%s %d %s/%d", p.Kind, p.Line, p.Stream, p.Seq))
	}
	return strings.Join(list, ", ")
}

// without returns recs without those at the places i to j.
func without(recs []audit.Record, i, j int) []audit.Record {
	return slices.Delete(slices.Clone(recs), i, j)
}

// anew is what somebody does who can write all of the log: the records are
// sealed again with the payload of one changed.
func anew(t testing.TB, recs []audit.Record, change int) []audit.Record {
	t.Helper()
	recs = slices.Clone(recs)
	heads := map[string]audit.Head{}
	for i := range recs {
		r := &recs[i]
		head, ok := heads[r.Stream]
		if !ok {
			head = audit.Genesis(r.Tenant, r.Stream)
		}
		if i == change {
			forged, err := audit.Commit(audit.Draft{Type: r.Type, Version: r.Version, Time: r.When(), Header: r.Header, Payload: []byte("forged")}, salt(9))
			if err != nil {
				t.Fatal(err)
			}
			*r = audit.Record{Tenant: r.Tenant, Stream: r.Stream, Version: r.Version, Type: r.Type, Time: r.Time, Header: r.Header, Commitment: forged.Commitment, Payload: forged.Payload, Salt: forged.Salt}
		}
		head.Link(r)
		heads[r.Stream] = r.Head()
	}
	return recs
}

func TestVerify(t *testing.T) {
	recs := story(t) // 8 of session/s1, then policy, then admin
	key, public := newKey(t)
	good := verify(t, recs, nil)
	saved, err := audit.Sign(audit.NewCheckpoint(time.UnixMilli(1), true, good.Heads), key)
	if err != nil {
		t.Fatal(err)
	}
	edit := func(i int, change func(*audit.Record)) []audit.Record {
		list := slices.Clone(recs)
		change(&list[i])
		return list
	}
	later := chain(t, "session/s2", draft("turn_started", "", "1"))
	for name, c := range map[string]struct {
		recs        []audit.Record
		alone, with string // what is found without and with the checkpoint
	}{
		"V6 as it was written":         {recs, "", ""},
		"V6 with a stream begun since": {slices.Concat(recs, later), "", ""},
		"V6 an edited payload": {edit(0, func(r *audit.Record) { r.Payload = []byte("{}") }),
			"edited 1 session/s1/1", "edited 1 session/s1/1"},
		"V6 an edited time": {edit(1, func(r *audit.Record) { r.Time++ }),
			"edited 2 session/s1/2", "edited 2 session/s1/2"},
		"V6 an edited header of an erased record": {edit(4, func(r *audit.Record) { r.Header = []byte(`{"turn":"t9"}`) }),
			"edited 5 session/s1/5", "edited 5 session/s1/5"},
		"V6 an edited commitment": {edit(4, func(r *audit.Record) { r.Commitment[0]++ }),
			"edited 5 session/s1/5", "edited 5 session/s1/5"},
		"V6 a record of another tenant": {edit(8, func(r *audit.Record) { r.Tenant = "other" }),
			"edited 9 policy/1, edited 9 policy/1", "edited 9 policy/1, edited 9 policy/1, truncated 0 policy/1"},
		"V6 a record removed": {without(recs, 2, 3),
			"removed 3 session/s1/4", "removed 3 session/s1/4"},
		"V6 the first record removed": {without(recs, 0, 1),
			"removed 1 session/s1/2", "removed 1 session/s1/2"},
		"V6 two records exchanged": {slices.Concat(recs[:1], recs[2:3], recs[1:2], recs[3:]),
			"removed 2 session/s1/3, reordered 3 session/s1/2", "removed 2 session/s1/3, reordered 3 session/s1/2"},
		"V6 a record repeated": {slices.Concat(recs[:2], recs[1:]),
			"reordered 3 session/s1/2", "reordered 3 session/s1/2"},
		"V6 the end of a stream cut off": {without(recs, 6, 8),
			"", "truncated 0 session/s1/8"},
		"V6 a whole stream cut out": {without(recs, 8, 9),
			"", "truncated 0 policy/1"},
		"V6 everything made anew": {anew(t, recs, 8),
			"", "rewritten 9 policy/1"},
		"V6 a payload removed without a record of it": {edit(0, (*audit.Record).Erase),
			"unrecorded 0 session/s1/1", "unrecorded 0 session/s1/1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(verify(t, c.recs, nil)); got != c.alone {
				t.Errorf("alone: found %q, want %q", got, c.alone)
			}
			report := verify(t, c.recs, &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}, Saved: []*audit.Signed{saved}})
			if got := found(report); got != c.with {
				t.Errorf("with a checkpoint: found %q, want %q", got, c.with)
			}
			if report.Signed != saved {
				t.Error("the checkpoint's signature was not counted")
			}
			if (report.Err() == nil) != (c.with == "") || report.Err() != nil && fault.CodeOf(report.Err()) != fault.BadChain {
				t.Errorf("Err() = %v", report.Err())
			}
		})
	}
	t.Run("V6 erased payloads are counted and the chain holds", func(t *testing.T) {
		if good.Err() != nil || good.Records != 10 || good.Erased != 1 || len(good.Heads) != 3 {
			t.Errorf("report %+v", good)
		}
	})
	t.Run("V6 a checkpoint of a stranger", func(t *testing.T) {
		_, other := newKey(t)
		report := verify(t, recs, &audit.VerifyOptions{Keys: []ed25519.PublicKey{other}, Saved: []*audit.Signed{saved}})
		if found(report) != "unsigned 0 /0" || report.Signed != nil {
			t.Errorf("found %q, signed %v", found(report), report.Signed)
		}
	})
	t.Run("V6 a checkpoint that was changed", func(t *testing.T) {
		for name, change := range map[string]func(*audit.Checkpoint){
			"time":  func(c *audit.Checkpoint) { c.Time++ },
			"whole": func(c *audit.Checkpoint) { c.Whole = !c.Whole },
			"lines": func(c *audit.Checkpoint) { c.Lines = &audit.LinesSum{} },
			"seq":   func(c *audit.Checkpoint) { c.Heads[1].Seq-- },
			"hash":  func(c *audit.Checkpoint) { c.Heads[2].Hash[31]++ },
			"name":  func(c *audit.Checkpoint) { c.Heads[2].Stream += "x" },
			"heads": func(c *audit.Checkpoint) { c.Heads = c.Heads[:2] },
		} {
			changed := *saved
			changed.Checkpoint.Heads = slices.Clone(saved.Checkpoint.Heads)
			change(&changed.Checkpoint)
			if changed.SignedBy(public) {
				t.Errorf("%s: the signature still holds", name)
			}
		}
		if !saved.SignedBy(public) {
			t.Error("the signature does not hold")
		}
	})
	t.Run("keys without any checkpoint prove nothing", func(t *testing.T) {
		if got := found(verify(t, recs, &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}})); got != "unsigned 0 /0" {
			t.Errorf("found %q", got)
		}
	})
}

// proves: V6 (any single edit of any line of a file is found, against a checkpoint)
func TestAnyEditIsFound(t *testing.T) {
	key, public := newKey(t)
	var file bytes.Buffer
	saved, err := audit.Export(&file, seq(story(t)), &audit.ExportOptions{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	opts := &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}}
	if err := verifyFile(t, file.Bytes(), opts).Err(); err != nil {
		t.Fatal(err)
	}
	// The same lines without the export's checkpoint, which one has kept.
	whole := bytes.SplitAfter(file.Bytes(), []byte("\n"))
	whole = whole[:len(whole)-2]
	saved.Checkpoint.Lines = nil
	if saved, err = audit.Sign(saved.Checkpoint, key); err != nil {
		t.Fatal(err)
	}
	kept := &audit.VerifyOptions{Keys: opts.Keys, Saved: []*audit.Signed{saved}}
	if err := verifyFile(t, bytes.Join(whole, nil), kept).Err(); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		lines := slices.Clone(whole)
		i := rapid.IntRange(0, len(lines)-1).Draw(rt, "line")
		switch rapid.SampledFrom([]string{"byte", "remove", "swap", "repeat", "cut"}).Draw(rt, "edit") {
		case "byte":
			at := rapid.IntRange(0, len(lines[i])-1).Draw(rt, "at")
			lines[i] = bytes.Clone(lines[i])
			lines[i][at] ^= byte(rapid.IntRange(1, 255).Draw(rt, "xor"))
		case "remove":
			lines = slices.Delete(lines, i, i+1)
		case "swap": // of one stream: between streams the order means nothing
			j := rapid.IntRange(0, 7).Filter(func(j int) bool { return j != i%8 }).Draw(rt, "with")
			lines[i%8], lines[j] = lines[j], lines[i%8]
		case "repeat":
			lines = slices.Insert(lines, i, lines[i])
		case "cut":
			lines = lines[:i]
		}
		if err := verifyFile(t, bytes.Join(lines, nil), kept).Err(); err == nil {
			rt.Fatalf("not found:\n%s", bytes.Join(lines, nil))
		}
	})
}

// proves: V6 (erasing any payloads keeps every chain valid)
func TestAnyErasureKeepsTheChain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(rt, "records")
		var drafts []audit.Draft
		for i := range n {
			drafts = append(drafts, draft("noted", "", fmt.Sprint(i)))
		}
		recs := chain(t, "s", drafts...)
		gone := rapid.SliceOfDistinct(rapid.IntRange(1, n), rapid.ID).Draw(rt, "erased")
		var said []audit.Draft
		for _, seq := range gone {
			recs[seq-1].Erase()
			said = append(said, draft(audit.TypeErased, fmt.Sprintf(`{"stream":"s","seqs":[[%d,%d]]}`, seq, seq), ""))
		}
		report := verify(t, slices.Concat(recs, chain(t, audit.Admin, said...)), nil)
		if report.Err() != nil || report.Erased != len(gone) {
			rt.Fatalf("%d of %d erased: %v, report %+v", len(gone), n, report.Err(), report)
		}
		if len(gone) == 0 {
			return
		}
		if report := verify(t, slices.Concat(recs, chain(t, audit.Admin, said[1:]...)), nil); report.Count == 0 {
			rt.Fatal("an erasure that nobody recorded was not found")
		}
	})
}

// proves: V6 (the bytes of a file can be anything)
func FuzzVerify(f *testing.F) {
	key, public := newKey(f)
	var file bytes.Buffer
	if _, err := audit.Export(&file, seq(story(f)), &audit.ExportOptions{Key: key, Time: time.UnixMilli(1)}); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add(lines(story(f)))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		report := verifyFile(t, b, &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}})
		if report.Err() == nil && !bytes.Equal(b, file.Bytes()) {
			t.Fatalf("another file than the signed one verifies:\n%s", b)
		}
	})
}

// proves: V6 (the checkpoint that ends an export says where every stream ends)
func TestLastCheckpoint(t *testing.T) {
	recs := chain(t, "s", draft("noted", "", "1"), draft("noted", "", "2"), draft("noted", "", "3"))
	other := recs[1].Head()
	other.Hash[0]++
	key, public := newKey(t)
	for name, c := range map[string]struct {
		recs []audit.Record
		head audit.Head
		want string
	}{
		"V6 as it is":                {recs[:2], recs[1].Head(), ""},
		"V6 it knows more":           {recs[:2], recs[2].Head(), "truncated 3 s/3"},
		"V6 it knows less":           {recs[:2], recs[0].Head(), "rewritten 3 s/2"},
		"V6 it knows another record": {recs[:2], other, "rewritten 3 s/2"},
		"V6 it knows another stream": {recs[:2], chain(t, "r", draft("noted", "", "1"))[0].Head(), "truncated 3 r/1, rewritten 3 s/2"},
	} {
		signed, err := audit.Sign(audit.NewCheckpoint(time.UnixMilli(1), true, []audit.Head{c.head}), key)
		if err != nil {
			t.Fatal(err)
		}
		end, err := signed.Line()
		if err != nil {
			t.Fatal(err)
		}
		if got := found(verifyFile(t, append(lines(c.recs), end...), &audit.VerifyOptions{Keys: []ed25519.PublicKey{public}})); got != c.want {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

// proves: V6 (a checkpoint has one spelling, so that nothing unsigned rides along)
func TestParseSigned(t *testing.T) {
	key, _ := newKey(t)
	signed, err := audit.Sign(audit.NewCheckpoint(time.UnixMilli(1), true, verify(t, story(t), nil).Heads), key)
	if err != nil {
		t.Fatal(err)
	}
	b, err := signed.Line()
	if err != nil {
		t.Fatal(err)
	}
	line := string(b)
	if again, err := audit.ParseSigned(b); err != nil || !again.SignedBy(key.Public().(ed25519.PublicKey)) {
		t.Fatalf("read back: %v", err)
	}
	admin, policy := strings.Index(line, `{"tenant":"acme","stream":"admin"`), strings.Index(line, `{"tenant":"acme","stream":"policy"`)
	for name, text := range map[string]string{
		"nothing":           "",
		"a space":           strings.Replace(line, ":", ": ", 1),
		"an unknown member": strings.Replace(line, `{"checkpoint"`, `{"note":"x","checkpoint"`, 1),
		"a member twice":    strings.Replace(line, `"whole":true`, `"whole":false,"whole":true`, 1),
		"another version":   strings.Replace(line, `"version":1`, `"version":2`, 1),
		"capitals":          strings.Replace(line, `"whole"`, `"Whole"`, 1),
		"capitals in a hash": strings.Replace(line, verify(t, story(t), nil).Heads[0].Hash.String(),
			strings.ToUpper(verify(t, story(t), nil).Heads[0].Hash.String()), 1),
		"more behind":    line + "{}",
		"another order":  line[:admin] + line[policy:strings.Index(line, `{"tenant":"acme","stream":"session`)] + line[admin:policy] + line[strings.Index(line, `{"tenant":"acme","stream":"session`):],
		"a stream twice": line[:admin] + line[admin:policy] + line[admin:],
	} {
		if text == line {
			t.Errorf("%s: nothing was changed", name)
		}
		if _, err := audit.ParseSigned([]byte(text)); fault.CodeOf(err) != fault.BadJournal {
			t.Errorf("%s: %v", name, err)
		}
	}
}
