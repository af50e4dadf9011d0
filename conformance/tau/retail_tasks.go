package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// retailTask is a line of a file of tasks: calls that the original tools
// answered, one after another, on a fresh copy of the shop.
type retailTask struct {
	line int

	Number      *int         `json:"task"`
	UserID      string       `json:"user_id"`
	Instruction string       `json:"instruction"`
	Calls       []retailCall `json:"calls"`
	// Changed are all users and orders that the calls left different, whole.
	Changed *struct {
		Orders map[string]json.RawMessage `json:"orders"`
		Users  map[string]json.RawMessage `json:"users"`
	} `json:"changed"`
	Outputs []string `json:"outputs"`
}

// retailCall is one call with what it was answered.
type retailCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Result    *string         `json:"result"`

	want retailFate
}

// String names the task so that it can be found again.
func (t *retailTask) String() string { return fmt.Sprintf("task %d (line %d)", *t.Number, t.line) }

// readTasks reads a file of tasks strictly. An error names the line.
func readTasks(file string, specs []retailSpec) ([]*retailTask, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var tasks []*retailTask
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		t := &retailTask{line: n}
		if err := t.read(line, specs); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		tasks = append(tasks, t)
	}
	if len(tasks) == 0 {
		return nil, fmt.Errorf("%s has no tasks", file)
	}
	return tasks, nil
}

func (t *retailTask) read(line []byte, specs []retailSpec) error {
	// What encoding/json lets pass: a key given twice, a second
	// value, text that is not UTF-8.
	if _, err := schema.Canonical(line, &schema.Limits{Bytes: len(line), Levels: 100, Keys: len(line)}); err != nil {
		return errors.New(strings.TrimPrefix(fault.TextOf(err), "Invalid arguments: "))
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return err
	}
	switch {
	case t.Number == nil:
		return errors.New("there is no task, its number")
	case t.Calls == nil:
		return errors.New("there are no calls: a task without any has []")
	case t.Changed == nil:
		return errors.New("there is no changed: a task that changes nothing has {}")
	}
	for i := range t.Calls {
		if err := t.Calls[i].check(specs); err != nil {
			return fmt.Errorf("call %d: %w", i+1, err)
		}
	}
	return t.checkChanged()
}

// check looks at the form of a call and says what must happen to it.
func (c *retailCall) check(specs []retailSpec) error {
	i := slices.IndexFunc(specs, func(s retailSpec) bool { return s.name == c.Name })
	switch {
	case c.Name == "":
		return errors.New("there is no name")
	case i < 0:
		return fmt.Errorf("there is no tool %q", c.Name)
	case len(c.Arguments) == 0 || c.Arguments[0] != '{':
		return fmt.Errorf("the arguments of %s are no object", c.Name)
	case c.Result == nil:
		return fmt.Errorf("there is no result of %s", c.Name)
	}
	c.want = fateOf(&specs[i], c)
	return nil
}

func (t *retailTask) checkChanged() error {
	for _, docs := range []map[string]json.RawMessage{t.Changed.Orders, t.Changed.Users} {
		for _, id := range slices.Sorted(maps.Keys(docs)) {
			if doc := docs[id]; doc[0] != '{' {
				return fmt.Errorf("changed: %s is no object", id)
			}
		}
	}
	return nil
}

// failed says whether the original tool answered with an error.
func (c *retailCall) failed() bool { return strings.HasPrefix(*c.Result, "Error") }
