package scripted_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
	"github.com/assentdev/assent/model/scripted"
)

// airline returns 100 real conversations with an airline's agent, or skips.
func airline(t *testing.T) []*scripted.Recording {
	t.Helper()
	dir := os.Getenv("ASSENT_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	data, err := os.ReadFile(filepath.Join(dir, "tau-airline", "conversations.jsonl"))
	if err != nil {
		t.Skipf("the airline's conversations are not here (set ASSENT_DATA): %v", err)
	}
	var list []*scripted.Recording
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct{ Messages json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		r, err := scripted.ReadRecording(line.Messages)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// play asks m for each answer of a recording and checks that it is that answer.
// It returns how many there were, and how many calls in them.
func play(t *testing.T, m model.Model, r *scripted.Recording) (answers, calls int) {
	t.Helper()
	var said []model.Message
	for i, recorded := range r.Messages {
		if recorded.Role != model.Assistant {
			said = append(said, recorded)
			continue
		}
		a, err := m.Generate(t.Context(), &model.Request{Messages: said}, nil)
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		got, _ := json.Marshal(a.Message)
		want, _ := json.Marshal(recorded)
		if !bytes.Equal(got, want) {
			t.Fatalf("message %d: got %s, want %s", i, got, want)
		}
		said = append(said, a.Message)
		answers++
		calls += len(a.Message.Calls)
	}
	return answers, calls
}

// S3 what a model wrote comes through the wire and back into the next request
// byte for byte: the recording refuses any other history. S2 ids that are used
// again in later messages are no trouble here.
func TestAirlineOverTheWire(t *testing.T) {
	answers, calls := 0, 0
	for _, r := range airline(t) {
		s := assenttest.NewModelServer(t, r, &assenttest.ModelServerOptions{TextPiece: 7, ArgsPiece: 5, Discard: true})
		m, err := openai.New(openai.Options{BaseURL: s.URL, Model: "gpt-4o", MaxRetries: -1})
		if err != nil {
			t.Fatal(err)
		}
		a, c := play(t, m, r)
		s.Close()
		answers += a
		calls += c
	}
	t.Logf("%d answers with %d calls", answers, calls)
	if calls != 572 {
		t.Errorf("%d calls, want 572", calls)
	}
}

func TestAirlineDirectly(t *testing.T) {
	calls := 0
	for _, r := range airline(t) {
		_, c := play(t, r, r)
		calls += c
	}
	if calls != 572 {
		t.Errorf("%d calls, want 572", calls)
	}
}
