package scripted

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// Notice begins the first message of every script: who reads it must know that
// nothing understood him.
const Notice = "I am a script, not a model: I answer to a few words.\n\n"

// Script answers to keywords. Make one with NewScript or ReadScript.
//
// The first rule whose words are all in the last user message answers, with one
// step a request: its first step, and when the calls of a step have their
// results, the next. Behind the last step it says Otherwise.
type Script struct {
	def   Definition
	rules [][]step // beside def.Rules
	other *template.Template
	name  string
}

var _ model.Model = (*Script)(nil)

// Definition says what a script answers. Texts are templates of text/template
// over a Situation, with the functions find, word, number, json and path:
//
//	{{find `#(\d+)` .User}}     the first match of a pattern, or its first group; "" for none
//	{{word 2 .User}}            the word at that place, from 1; "" for none
//	{{json .User}}              a value as JSON
//	{{number .User}}            text that is a number as a number, for json
//	{{path "items.0.id" .Last}} a value within the JSON text of a result; "" for none
type Definition struct {
	Name  string // as answers report it, behind "script:"
	Rules []Rule
	// Otherwise is said where no rule answers. Empty: "I have no answer to that."
	Otherwise string
	Pace      Pace
}

// Rule answers to words.
type Rule struct {
	// Words must all be in the user's message, as whole words, in any case. None
	// match any message.
	Words []string
	// Tools must all be offered, else the rule is passed over.
	Tools []string
	Steps []Step // at least one
}

// Step is one answer.
type Step struct {
	Say   string // a template
	Calls []Call
}

// Call is a tool call of a step. It is made whether the tool is offered or not.
type Call struct {
	Tool string
	// Args is a template whose result is sent as the argument text, as it is. Empty: {}.
	Args string
}

// Situation is what templates see.
type Situation struct {
	User    string   // the last message of the user
	Results []Result // of the calls since then, oldest first
	Offered []string // the names of the tools that are offered
}

// Last returns the text of the last result, or "".
func (s Situation) Last() string {
	if len(s.Results) == 0 {
		return ""
	}
	return s.Results[len(s.Results)-1].Text
}

// Failed says whether the last result is not what its tool returned: it was
// denied, refused or failed, and its text says how.
func (s Situation) Failed() bool { return strings.HasPrefix(s.Last(), "Error") }

// Result is a tool's result as the model sees it.
type Result struct{ Tool, Text string }

type step struct {
	say  *template.Template
	args []*template.Template
}

// NewScript returns a script. An error has code fault.BadConfig and names the
// rule and the step, from 1.
func NewScript(d Definition) (*Script, error) {
	if d.Otherwise == "" {
		d.Otherwise = "I have no answer to that."
	}
	s := &Script{def: d, name: strings.TrimSuffix("script:"+d.Name, ":")}
	var err error
	if s.other, err = parse(d.Otherwise); err != nil {
		return nil, fault.Wrap(err, fault.BadConfig, "otherwise: %v", err)
	}
	for i, r := range d.Rules {
		steps, err := compile(r)
		if err != nil {
			return nil, fault.Wrap(err, fault.BadConfig, "rule %d: %v", i+1, err)
		}
		s.rules = append(s.rules, steps)
	}
	return s, nil
}

func compile(r Rule) ([]step, error) {
	if len(r.Steps) == 0 {
		return nil, fmt.Errorf("it has no steps")
	}
	var steps []step
	for i, d := range r.Steps {
		st, err := d.compile()
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		steps = append(steps, st)
	}
	return steps, nil
}

func (d Step) compile() (st step, err error) {
	if d.Say == "" && len(d.Calls) == 0 {
		return st, fmt.Errorf("it neither says nor calls anything")
	}
	if st.say, err = parse(d.Say); err != nil {
		return st, err
	}
	for _, c := range d.Calls {
		if c.Tool == "" {
			return st, fmt.Errorf("a call names no tool")
		}
		args, err := parse(c.Args)
		if err != nil {
			return st, err
		}
		st.args = append(st.args, args)
	}
	return st, nil
}

// Generate implements model.Model. An error has code fault.ModelFailed.
func (s *Script) Generate(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	now, done := situation(req)
	m, err := s.message(now, done, len(req.Messages))
	if err != nil {
		return nil, fault.Wrap(err, fault.ModelFailed, "The script cannot fill in its answer: %v", err)
	}
	if !slices.ContainsFunc(req.Messages, func(m model.Message) bool { return m.Role == model.Assistant }) {
		m.Text = Notice + m.Text
		if len(m.Calls) > 0 && m.Text == Notice {
			m.Text = strings.TrimSpace(Notice)
		}
	}
	return s.def.Pace.answer(ctx, m, s.name, emit)
}

// situation reads the conversation. done is how many answers the last message
// of the user has had.
func situation(req *model.Request) (s Situation, done int) {
	for _, m := range req.Messages {
		switch m.Role {
		case model.User:
			s.User, s.Results, done = m.Text, nil, 0
		case model.Assistant:
			done++
		case model.ToolRole:
			s.Results = append(s.Results, Result{m.Name, m.Text})
		}
	}
	for _, t := range req.Tools.List() {
		s.Offered = append(s.Offered, t.Name)
	}
	return s, done
}

// message fills the step in that is next. n makes the ids of its calls unique
// in the conversation.
func (s *Script) message(now Situation, done, n int) (m model.Message, err error) {
	m.Role = model.Assistant
	i := slices.IndexFunc(s.def.Rules, func(r Rule) bool { return r.answers(now) })
	if i < 0 || done >= len(s.rules[i]) {
		m.Text, err = fill(s.other, now)
		return m, err
	}
	if m.Text, err = fill(s.rules[i][done].say, now); err != nil {
		return m, err
	}
	for k, c := range s.def.Rules[i].Steps[done].Calls {
		args, err := fill(s.rules[i][done].args[k], now)
		if err != nil {
			return m, err
		}
		if args == "" {
			args = "{}"
		}
		m.Calls = append(m.Calls, model.Call{ID: fmt.Sprintf("script_%d_%d", n, k), Name: c.Tool, Args: args})
	}
	return m, nil
}

func (r Rule) answers(now Situation) bool {
	said := words(now.User)
	for _, w := range r.Words {
		if !containsRun(said, words(w)) {
			return false
		}
	}
	for _, t := range r.Tools {
		if !slices.Contains(now.Offered, t) {
			return false
		}
	}
	return true
}

// containsRun says whether the words of a phrase stand in list side by side.
func containsRun(list, phrase []string) bool {
	for i := range len(list) - len(phrase) + 1 {
		if slices.Equal(list[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
