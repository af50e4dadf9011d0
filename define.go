package assent

import (
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// Tool is something that a model may call. Make one with [Define] or [DefineRaw].
type Tool = tool.Tool

// Preview says what a call would change, in a sentence and in rows, and what the
// ids in its arguments stand for. It is shown on the approval card.
type Preview = tool.Preview

// Change is one row of a [Preview]. An empty Before is new, an empty After is
// removed.
type Change = tool.Change

// Named says what an id in the arguments stands for, such as a customer's name.
// The approval card shows it beside the id (SPEC R8).
type Named = tool.Named

// ToolOptions are the optional parts of a tool whose arguments are an In. A nil
// *ToolOptions and every zero field mean the default.
type ToolOptions[In any] struct {
	// Class says what the tool may do. NotGiven, the default, leaves it to the
	// administrator's contract, and without one the tool is Unknown (SPEC C2).
	Class Class
	// Title is what people read on a card and in the log. It may hold places such
	// as {page} for arguments. Empty: the name.
	Title string
	// Preview says what the call would change. It has no side effects; the
	// approval card shows it (SPEC T4). If it fails, or takes longer than 5 s, the
	// question is asked all the same, and the card shows the error. Nil: none.
	Preview func(ctx context.Context, in In) (*Preview, error)
	// Undo takes a run back: see [UndoWith]. The run returns an [Undoable].
	Undo UndoFunc
	// Raise may return a stricter class for one call (SPEC C8). If it fails, the
	// call counts as Unknown. Nil: none.
	Raise func(ctx context.Context, in In) (Class, error)
	// Confirm may ask a person where nobody would be asked (SPEC T4). If it fails,
	// the call asks. Nil: none.
	Confirm func(ctx context.Context, in In) (bool, error)
	// Timeout bounds a run. Zero: without limit.
	Timeout time.Duration
	// TopLevel checks only the root of the arguments against the schema, as far
	// as required, types, enum and additionalProperties go (SPEC A3).
	TopLevel bool
	// Outside says that results carry content from outside the application, such
	// as a page or a mail: from then on rules for tainted sessions count (SPEC D5).
	Outside bool
	// Examples are arguments that make sense. They are part of the descriptor.
	Examples []In
}

// Undoable is what a run returns that can be taken back: its result, and what
// the tool's Undo needs for it. A nil Undo says that this run cannot be undone.
type Undoable struct {
	Result any // goes to the model, as [Define] says
	Undo   any // is stored as JSON and given to the tool's Undo
}

// UndoFunc takes a run back, given the arguments that the run left. Make one
// with [UndoWith].
type UndoFunc func(ctx context.Context, args []byte) (tool.Result, error)

// UndoWith makes an UndoFunc of a function that takes what runs leave in
// [Undoable]. The function looks whether the thing has changed since, and
// returns [ErrChanged] if so. Its result goes where a run's result goes.
func UndoWith[U, Out any](undo func(ctx context.Context, u U) (Out, error)) UndoFunc {
	return func(ctx context.Context, args []byte) (tool.Result, error) {
		var u U
		if err := schema.Decode(args, &u); err != nil {
			return tool.Result{}, fault.Wrap(err, fault.CannotUndo, "What was kept to undo this call cannot be read.")
		}
		out, err := undo(ctx, u)
		if err != nil {
			return tool.Result{}, err
		}
		return result(out)
	}
}

// ErrChanged says that a call cannot be undone because the thing changed since.
var ErrChanged error = fault.New(fault.CannotUndo, "It has changed since, so this cannot be undone.")

// Define makes a tool of a function (SPEC T1). In is a struct: its fields and
// tags give the JSON Schema of the arguments (see package schema), and run gets
// what was checked, shown and approved.
//
// What run returns goes to the model: a string as it is, anything else as JSON,
// nothing as the empty string. An error becomes "Error: " and its message; the
// turn goes on (SPEC T2). A [tool.Result] can hold the result as JSON for programs
// too, which [CallEnded] brings and the model never gets. ctx ends with the turn;
// [CallFrom] tells about the call.
//
// A definition that cannot be used is reported by [New], together with all
// others, so that Define can stand in a variable declaration.
func Define[In, Out any](name, description string, run func(ctx context.Context, in In) (Out, error), opts *ToolOptions[In]) *Tool {
	o := ToolOptions[In]{}
	if opts != nil {
		o = *opts
	}
	t := &Tool{
		Name: name, Title: o.Title, Description: description, Class: o.Class, Undo: o.Undo,
		Source: tool.Source{Kind: policy.Host}, Timeout: o.Timeout, Outside: o.Outside,
	}
	if o.TopLevel {
		t.Checking = tool.TopLevel
	}
	dec := schema.NewDecoder(reflect.TypeFor[In]())
	t.Accept = func(args []byte) error { return dec.Decode(args, new(In)) }
	t.Run = decoded(dec, func(ctx context.Context, in In) (tool.Result, error) {
		out, err := run(ctx, in)
		if err != nil {
			return tool.Result{}, err
		}
		return result(out)
	})
	if o.Preview != nil {
		t.Preview = decoded(dec, o.Preview)
	}
	if o.Raise != nil {
		t.Raise = decoded(dec, o.Raise)
	}
	if o.Confirm != nil {
		t.Confirm = decoded(dec, o.Confirm)
	}
	t.Input, t.Err = schema.For[In]()
	describe[In, Out](t, o)
	return t
}

// describe adds what only documents the tool: output schema and examples.
func describe[In, Out any](t *Tool, o ToolOptions[In]) {
	out := reflect.TypeFor[Out]()
	wraps := out == reflect.TypeFor[Undoable]() || out == reflect.TypeFor[tool.Result]()
	if out.Kind() == reflect.Struct && !wraps && t.Err == nil {
		t.Output, t.Err = schema.ForResult[Out]()
	}
	for _, ex := range o.Examples {
		raw, err := json.Marshal(ex)
		if err != nil && t.Err == nil {
			t.Err = fault.Wrap(err, fault.BadTool, "an example cannot be written as JSON")
		}
		t.Examples = append(t.Examples, raw)
	}
}

// decoded turns a function of typed arguments into one of canonical bytes.
func decoded[In, Out any](dec *schema.Decoder, f func(context.Context, In) (Out, error)) func(context.Context, []byte) (Out, error) {
	return func(ctx context.Context, args []byte) (Out, error) {
		var in In
		if err := dec.Decode(args, &in); err != nil {
			var zero Out
			return zero, err
		}
		return f(ctx, in)
	}
}

// RawOptions are the optional parts of a tool that takes canonical JSON bytes,
// with the meanings and defaults that [ToolOptions] has. A nil *RawOptions means
// all defaults. The functions must not change args.
type RawOptions struct {
	Class    Class
	Title    string
	Preview  func(ctx context.Context, args []byte) (*Preview, error)
	Undo     UndoFunc
	Raise    func(ctx context.Context, args []byte) (Class, error)
	Confirm  func(ctx context.Context, args []byte) (bool, error)
	Timeout  time.Duration
	TopLevel bool
	Outside  bool
}

// DefineRaw makes a tool of a JSON Schema and a function that gets the canonical
// bytes of the arguments, which it must not change (SPEC T1). The schema is an
// object at the root. The rest is as with Define.
func DefineRaw(name, description string, input json.RawMessage, run func(ctx context.Context, args []byte) (any, error), opts *RawOptions) *Tool {
	o := RawOptions{}
	if opts != nil {
		o = *opts
	}
	t := &Tool{
		Name: name, Title: o.Title, Description: description, Class: o.Class, Input: input, Undo: o.Undo,
		Preview: o.Preview, Raise: o.Raise, Confirm: o.Confirm,
		Source: tool.Source{Kind: policy.Host}, Timeout: o.Timeout, Outside: o.Outside,
	}
	if o.TopLevel {
		t.Checking = tool.TopLevel
	}
	t.Run = func(ctx context.Context, args []byte) (tool.Result, error) {
		out, err := run(ctx, args)
		if err != nil {
			return tool.Result{}, err
		}
		return result(out)
	}
	return t
}

// result is what a function's return means to the model (SPEC T2).
func result(out any) (tool.Result, error) {
	switch v := out.(type) {
	case nil:
		return tool.Result{}, nil
	case string:
		return tool.Result{Text: v}, nil
	case tool.Result:
		return v, nil
	case *Undoable:
		if v == nil {
			return tool.Result{}, nil
		}
		return undoable(*v)
	case Undoable:
		return undoable(v)
	}
	if isNil(out) {
		return tool.Result{}, nil
	}
	raw, err := encode(out)
	if err != nil {
		return tool.Result{}, fault.Wrap(err, fault.ToolFailed, "The tool's result cannot be written as JSON.")
	}
	return tool.Result{Text: string(raw)}, nil
}

func undoable(u Undoable) (tool.Result, error) {
	res, err := result(u.Result)
	if err != nil || u.Undo == nil {
		return res, err
	}
	if res.Undo, err = encode(u.Undo); err != nil {
		return tool.Result{}, fault.Wrap(err, fault.ToolFailed, "What would undo this call cannot be written as JSON.")
	}
	return res, nil
}

func isNil(v any) bool {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return r.IsNil()
	}
	return false
}

// Call tells about the call that is running (SPEC T3).
type Call = tool.Call

// CallFrom returns the call that a tool's context belongs to.
func CallFrom(ctx context.Context) *Call { return tool.FromContext(ctx) }
