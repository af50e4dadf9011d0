package approval

import (
	"time"

	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/policy"
)

// Limits of a card. What is longer is collapsed, with its size.
const (
	shownValue    = 200  // characters of a value
	shownPreview  = 400  // characters of a value in a preview
	shownNamed    = 100  // characters of what an id stands for
	shownText     = 1000 // characters of a description or of the model's words
	shownRows     = 200  // rows below the top level, of which each argument is always shown
	shownChildren = 20   // rows of one array or object below the top level
	shownDepth    = 3    // levels of rows
	longWhite     = 16   // white space in a row that is warned of
)

// Secret stands for a secret in a card's JSON.
const Secret = "•••"

// Card is what every surface shows of a request. It is computed from the
// request alone, and all its texts are safe text (SPEC P14): visible characters
// that a view prints as they are.
type Card struct {
	Ref
	Title       string   `json:"title"` // the tool's name where it has no title
	Tool        string   `json:"tool"`  // its raw name
	Description string   `json:"description,omitempty"`
	Source      Line     `json:"source"`
	Agent       string   `json:"agent,omitempty"`
	Path        []string `json:"path,omitempty"` // nested agents, outermost first

	Class policy.Class `json:"class"` // the effective one
	// ClassText explains the class, and ClassFrom where it comes from.
	ClassText Line        `json:"class_text"`
	ClassFrom Line        `json:"class_from"`
	Mode      policy.Mode `json:"mode"`
	Why       []Line      `json:"why,omitempty"`

	Preview *Preview `json:"preview,omitempty"` // nil: the tool cannot say
	// NoPreview is why it cannot, in its own words: often that the call would be
	// refused. Nil: it never can.
	NoPreview *Value `json:"no_preview,omitempty"`
	// Rows are the arguments. Every top-level one has a row.
	Rows []Row `json:"rows"`
	// JSON is the whole arguments as JSON text, with hidden characters as JSON
	// escapes. Masked says that there are secrets: each of them is replaced by
	// Secret, which is no JSON, so that it cannot pass for a value.
	JSON   string `json:"json"`
	Masked bool   `json:"masked,omitempty"`
	// MustOpen are the collapsed rows that have to be opened before a
	// destructive or unknown call can be approved.
	MustOpen []string `json:"must_open,omitempty"`
	Warnings []Line   `json:"warnings,omitempty"`

	Options []Option `json:"options"`
	// Assistant is what the model said, to be shown last and under its label.
	Assistant *Words `json:"assistant,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Words are foreign words with the label under which they have to stand.
type Words struct {
	Label Line  `json:"label"`
	Text  Value `json:"text"`
}

// Value is safe text that may be collapsed to its beginning and end.
type Value struct {
	Head string `json:"head"`
	More *Line  `json:"more,omitempty"` // what is left out after Head; nil: nothing
	Tail string `json:"tail,omitempty"`
}

// Preview is a tool's own word on what would change.
type Preview struct {
	Summary Value    `json:"summary"`
	Changes []Change `json:"changes,omitempty"`
}

// Change is one row of a preview. A nil Before is new, a nil After is removed.
type Change struct {
	Label  string `json:"label"`
	Before *Value `json:"before,omitempty"`
	After  *Value `json:"after,omitempty"`
}

// Option is one choice as a card offers it.
type Option struct {
	Choice Choice `json:"choice"`
	Label  Line   `json:"label"`
	Scope  *Line  `json:"scope,omitempty"` // of an approval: what it covers
	// Away says that the option stands one step away from the first view: a wide
	// scope for a destructive or unknown call.
	Away bool `json:"away,omitempty"`
	// Twice says that the option needs a second step, because the call is
	// destructive or unknown.
	Twice bool `json:"twice,omitempty"`
}

// NewCard computes the card of a request.
func NewCard(r Request) Card {
	args := readArgs(r)
	c := Card{
		Ref:         Ref{ID: short(r.ID), Digest: short(r.Digest)},
		Title:       title(r),
		Tool:        safetext.Name(r.Tool.Name),
		Description: value(r.Tool.Description, shownText).String(),
		Source:      sourceLine(r.Tool.Source),
		Agent:       short(r.Agent),
		Class:       r.Class.Effective.Known(),
		ClassText:   newLine("class." + r.Class.Effective.Known().String()),
		ClassFrom:   fromLine(r.Class),
		Mode:        r.Mode,
		Preview:     preview(r),
		NoPreview:   side(r.NoPreview),
		Rows:        args.rows(),
		JSON:        args.json(),
		Masked:      args.masked,
		Warnings:    warnings(r, args),
		Options:     options(r, args.err == nil),
		Assistant:   assistant(r.ModelText),
		CreatedAt:   r.CreatedAt,
		ExpiresAt:   r.ExpiresAt,
	}
	for _, name := range r.Path {
		c.Path = append(c.Path, short(name))
	}
	for _, w := range r.Why {
		c.Why = append(c.Why, whyLine(w))
	}
	if r.Strict() {
		c.MustOpen = collapsed(c.Rows)
	}
	return c
}

// MustOpen returns the pointers of the collapsed values that have to be opened
// before a destructive or unknown call can be approved; none for other calls.
func MustOpen(r Request) []string {
	if !r.Strict() {
		return nil
	}
	return collapsed(readArgs(r).rows())
}

func collapsed(rows []Row) []string {
	var pointers []string
	for _, row := range rows {
		if row.Collapsed {
			pointers = append(pointers, row.Pointer)
		}
	}
	return pointers
}

func title(r Request) string {
	if r.Tool.Title == "" {
		return safetext.Name(r.Tool.Name)
	}
	return short(r.Tool.Title)
}

// options returns the request's choices, and only the denial where the
// arguments cannot be shown. The denial is always there, unless the question is
// what became of a call.
func options(r Request, readable bool) []Option {
	var all []Option
	for _, choice := range r.Allowed {
		if _, known := english["choice."+string(choice)]; known && choice != ChooseDeny && (readable || r.Lost) {
			all = append(all, option(r, choice))
		}
	}
	if r.Lost {
		return all
	}
	return append(all, option(r, ChooseDeny))
}

func option(r Request, choice Choice) Option {
	o := Option{Choice: choice, Label: newLine("choice." + string(choice)), Twice: choice == ChooseRunAgain && r.Strict()}
	for s, c := range scopeChoices {
		if c == choice {
			scope := policy.Scope(s)
			line := ScopeLine(r.Tool.Name, scope)
			o.Scope = &line
			o.Twice = r.Strict()
			o.Away = r.Strict() && scope > policy.ScopeExact
		}
	}
	return o
}

// preview returns what would change. Names alone do not say that: they stand in
// the rows.
func preview(r Request) *Preview {
	if p := r.Preview; p == nil || p.Summary == "" && len(p.Changes) == 0 && len(p.Names) > 0 {
		return nil
	}
	p := &Preview{Summary: value(r.Preview.Summary, shownPreview)}
	for _, c := range r.Preview.Changes {
		p.Changes = append(p.Changes, Change{Label: short(c.Label), Before: side(c.Before), After: side(c.After)})
	}
	return p
}

// side is one side of a change; nil where there is nothing.
func side(s string) *Value {
	if s == "" {
		return nil
	}
	v := value(s, shownPreview)
	return &v
}

func assistant(text string) *Words {
	if text == "" {
		return nil
	}
	return &Words{Label: newLine("assistant.says"), Text: value(text, shownText)}
}

// value collapses foreign text to a limit of characters.
func value(s string, limit int) Value {
	t := safetext.Shorten(s, limit)
	v := Value{Head: t.Head, Tail: t.Tail}
	if t.Left > 0 {
		l := countLine("more.characters", t.Left)
		v.More = &l
	}
	return v
}

// String returns the value as one text.
func (v Value) String() string {
	if v.More == nil {
		return v.Head
	}
	return v.Head + ` \[` + v.More.Text + `] ` + v.Tail
}
