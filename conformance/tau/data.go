package main

import (
	"bufio"
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/scripted"
	"github.com/assentdev/assent/policy"
)

// set is a set of recordings with its tools.
type set struct {
	name   string
	system string
	tools  []toolSpec
	convs  []*scripted.Recording
}

// toolSpec is a tool of tools.json with its class.
type toolSpec struct {
	name, description string
	input             json.RawMessage
	class             assent.Class
}

func (s *set) tool(name string) *toolSpec {
	for i := range s.tools {
		if s.tools[i].name == name {
			return &s.tools[i]
		}
	}
	return nil
}

//go:embed classes_*.json
var ownClasses embed.FS

func load(o *options) (*set, error) {
	dir := folder(o)
	s := &set{name: o.set}
	system, err := os.ReadFile(filepath.Join(dir, "policy.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s.system = string(system)
	classes, err := readClasses(o)
	if err != nil {
		return nil, err
	}
	if s.tools, err = readTools(cmp.Or(o.tools, filepath.Join(dir, "tools.json")), classes); err != nil {
		return nil, err
	}
	s.convs, err = readConversations(within(o.conversations, dir, "conversations.jsonl"), o.limit)
	return s, err
}

// folder is where the set's files are: the folder that was named, or the set's
// folder in it.
func folder(o *options) string {
	dir := cmp.Or(o.data, os.Getenv("ASSENT_DATA"), filepath.Join("..", "shared", "data"))
	if _, err := os.Stat(filepath.Join(dir, "tools.json")); err == nil {
		return dir
	}
	return filepath.Join(dir, "tau-"+o.set)
}

// within is the file that was named, here or in dir, or the usual one of dir.
func within(named, dir, usual string) string {
	if named == "" {
		return filepath.Join(dir, usual)
	}
	if _, err := os.Stat(named); err != nil && !filepath.IsAbs(named) {
		return filepath.Join(dir, named)
	}
	return named
}

func readClasses(o *options) (map[string]assent.Class, error) {
	read := func() ([]byte, error) { return os.ReadFile(o.classes) }
	if o.classes == "" {
		read = func() ([]byte, error) { return ownClasses.ReadFile("classes_" + o.set + ".json") }
	}
	data, err := read()
	if errors.Is(err, fs.ErrNotExist) && o.classes == "" {
		return nil, nil // a set without classes of its own: all are unclassified
	}
	if err != nil {
		return nil, err
	}
	var words map[string]string
	if err := json.Unmarshal(data, &words); err != nil {
		return nil, fmt.Errorf("the classes: %w", err)
	}
	classes := map[string]assent.Class{}
	for name, word := range words {
		if classes[name], err = policy.ParseClass(word); err != nil {
			return nil, fmt.Errorf("the class of %s: %w", name, err)
		}
	}
	return classes, nil
}

func readTools(file string, classes map[string]assent.Class) ([]toolSpec, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []struct {
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var tools []toolSpec
	for _, t := range list {
		f := t.Function
		tools = append(tools, toolSpec{f.Name, f.Description, f.Parameters, classes[f.Name]})
	}
	return tools, nil
}

func readConversations(file string, limit int) ([]*scripted.Recording, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []*scripted.Recording
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan() && (limit == 0 || len(list) < limit); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var line struct{ Messages json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		r, err := scripted.ReadRecording(line.Messages)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		if err := follows(r.Messages); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		list = append(list, r)
	}
	return list, lines.Err()
}

// follows says whether messages follow each other as in a conversation: results
// right after the message whose calls they answer, in call order.
func follows(messages []model.Message) error {
	var open []model.Call
	for i, m := range messages {
		switch {
		case m.Role == model.ToolRole && (len(open) == 0 || open[0].ID != m.CallID):
			return fmt.Errorf("message %d is the result of no call before it", i)
		case m.Role == model.ToolRole:
			open = open[1:]
		case len(open) > 0:
			return fmt.Errorf("message %d comes before the result of call %s", i, open[0].ID)
		}
		open = append(open, m.Calls...)
	}
	return nil
}

// seeds is a flag that may be repeated.
type seeds []uint64

func (s *seeds) String() string { return fmt.Sprint([]uint64(*s)) }

// Set adds one.
func (s *seeds) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	*s = append(*s, n)
	return err
}
