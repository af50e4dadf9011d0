package approval

import (
	"encoding/json"
	"time"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// Form is the version of a Request's JSON form that this package writes.
const Form = 1

// Gateway is the word for a server's tools in a request's JSON (SPEC 1, P2),
// where policy says policy.Server.
const Gateway = "gateway"

// Request asks a person about one call (SPEC P2). It is a value: a desk and a
// handler read it, and nobody changes what its slices and pointers refer to.
//
// Its JSON form is stable: fields are added, never renamed.
type Request struct {
	ID      string `json:"id"`      // ours, never used twice
	Version int    `json:"version"` // of the form: Form
	Tenant  string `json:"tenant,omitempty"`
	Session string `json:"session"`
	Turn    string `json:"turn"`
	Call    string `json:"call"`
	Agent   string `json:"agent,omitempty"`
	// Principal is who the session belongs to; "" where the application runs alone.
	Principal string `json:"principal,omitempty"`

	Tool  Tool        `json:"tool"`
	Class Class       `json:"class"`
	Mode  policy.Mode `json:"mode"` // the effective one

	// Args are the canonical argument bytes: those that were checked, that
	// Digest covers, and that run if they are approved (SPEC A5).
	Args   Exact           `json:"args"`
	Digest string          `json:"digest"`
	Schema json.RawMessage `json:"schema,omitempty"` // the input schema
	// Filled and Changed are JSON Pointers into Args: where a default was filled
	// in, and where a person edited an earlier request for this call (SPEC P8).
	Filled  []string `json:"filled,omitempty"`
	Changed []string `json:"changed,omitempty"`
	// Extra are the pointers of arguments that the schema does not name.
	Extra []string `json:"extra,omitempty"`

	// Lost says that the call was started and that its outcome is unknown: the
	// question is not whether it may run but what became of it (SPEC S2).
	Lost bool `json:"lost,omitempty"`

	Preview *tool.Preview `json:"preview,omitempty"`
	// NoPreview says why the tool could not make one, in its own words; "" where it
	// has none to make.
	NoPreview string `json:"no_preview,omitempty"`
	Why       []Why  `json:"why,omitempty"`
	// Similar is the id of a denied call of the same tool, if there was one.
	Similar string `json:"similar,omitempty"`
	// Path are the nested agents that led here, outermost first.
	Path []string `json:"path,omitempty"`
	// ModelText is what the model wrote beside the call. It is a claim.
	ModelText string `json:"model_text,omitempty"`

	// Allowed are the choices offered. A denial is always possible.
	Allowed []Choice `json:"allowed"`
	// Scopes are the grants that an approval may ask for, already capped.
	Scopes []policy.Scope `json:"scopes,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at,omitzero"` // zero: never; the boundary itself is expired
}

// Tool is the called tool as a request tells it.
type Tool struct {
	Name        string      `json:"name"`            // raw
	Wire        string      `json:"wire,omitempty"`  // as the model sees it
	Title       string      `json:"title,omitempty"` // its template filled in
	Description string      `json:"description,omitempty"`
	Source      tool.Source `json:"source"` // in JSON a server's kind is Gateway
	Pin         string      `json:"pin,omitempty"`
}

// Class is where a call's class comes from (SPEC C2).
type Class struct {
	Declared  policy.Class `json:"declared,omitzero"` // by the application or an administrator
	Contract  policy.Class `json:"contract,omitzero"`
	Effective policy.Class `json:"effective"`
}

// Why is one reason why the call asks. Views that have the code in their
// catalogue use it with Params; the others show Text.
type Why struct {
	Rule   string            `json:"rule,omitempty"` // the rule's id, if it was one
	Code   string            `json:"code"`
	Params map[string]string `json:"params,omitempty"`
	Text   string            `json:"text,omitempty"`
}

// Exact is JSON text whose very bytes matter. In JSON it is a string that holds
// the text: as nested JSON, Go's encoder would rewrite it and a JavaScript
// reader would round its big integers.
type Exact []byte

// MarshalJSON gives the text as a JSON string; null for nil.
func (x Exact) MarshalJSON() ([]byte, error) {
	if x == nil {
		return []byte("null"), nil
	}
	return json.Marshal(string(x))
}

// UnmarshalJSON reads a JSON string, or null.
func (x *Exact) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*x = nil
	if s != nil {
		*x = Exact(*s)
	}
	return nil
}

// MarshalJSON gives the tool with Gateway for a server's kind.
func (t Tool) MarshalJSON() ([]byte, error) {
	type plain Tool
	if t.Source.Kind == policy.Server {
		t.Source.Kind = Gateway
	}
	return json.Marshal(plain(t))
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Tool) UnmarshalJSON(b []byte) error {
	type plain Tool
	if err := json.Unmarshal(b, (*plain)(t)); err != nil {
		return err
	}
	if t.Source.Kind == Gateway {
		t.Source.Kind = policy.Server
	}
	return nil
}

// ExpiredAt says whether the request's time is over. A request without
// ExpiresAt never expires.
func (r *Request) ExpiredAt(now time.Time) bool {
	return !r.ExpiresAt.IsZero() && !now.Before(r.ExpiresAt)
}

// Strict says whether the call is destructive or unknown, so that its card has
// to be read to the end and approve-all leaves it out (SPEC P14).
func (r *Request) Strict() bool { return r.Class.Effective.Known() >= policy.Destructive }
