package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// Compare says what changed from the descriptor was to the descriptor is (SPEC
// D7). Without the first (nil) it is Added, without the second Removed; without
// both nothing changed, nor between two with the same canonical JSON.
//
// What cannot be judged counts as the graver kind. Input schemas are compared by
// meaning: type, enum, const, bounds, lengths, multipleOf, uniqueItems, pattern
// (equal or not), required, properties, additionalProperties and items, with
// $ref to the same document followed. If only Narrowed or Notation is said of an
// input schema, every value that the new one allows was allowed before. Where
// any other keyword stands, the schema around it must be the same but for its
// texts, or it is Incompatible.
//
// A property that is removed, that becomes required, or that gets another type
// is Incompatible even where fewer values are valid, because calls in the old
// form would fail. A default that changes is Widened: it changes what runs. Of
// an output schema, whatever is not provably narrower is Widened.
//
// Another name or source is Incompatible: it is another tool. A class that was
// given and no longer is counts as looser, and so does one that is given now,
// unless it is unknown, since a contract may have given a stricter one.
//
// A descriptor that has no canonical JSON is Incompatible with every other.
func Compare(was, is *tool.Descriptor) Change {
	switch {
	case was == nil && is == nil:
		return Change{}
	case was == nil:
		return Change{}.with(Added)
	case is == nil:
		return Change{}.with(Removed)
	}
	oldBytes, oldErr := was.Canonical()
	newBytes, newErr := is.Canonical()
	if oldErr != nil || newErr != nil {
		return change([]Detail{{Incompatible, ""}})
	}
	if bytes.Equal(oldBytes, newBytes) {
		return Change{}
	}
	d := &differ{}
	d.descriptor(was, is)
	if len(d.details) == 0 {
		d.note(Notation, "")
	}
	return change(d.details)
}

// change sums details up.
func change(details []Detail) (c Change) {
	slices.SortFunc(details, func(a, b Detail) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Kind, b.Kind))
	})
	c.Details = slices.Compact(details)
	for _, d := range c.Details {
		c = c.with(d.Kind)
	}
	return c
}

// differ collects what differs.
type differ struct {
	details []Detail
	output  bool // an output schema is compared
}

func (d *differ) note(k Kind, pointer string) {
	if d.output && (k == Incompatible) {
		k = Widened
	}
	d.details = append(d.details, Detail{k, pointer})
}

func (d *differ) descriptor(was, is *tool.Descriptor) {
	d.text("/title", was.Title, is.Title)
	d.text("/description", was.Description, is.Description)
	if was.Name != is.Name {
		d.note(Incompatible, "/name")
	}
	if was.Source != is.Source {
		d.note(Incompatible, "/source")
	}
	d.class(was.Class, is.Class)
	if !sameJSON(was.Hints, is.Hints) {
		d.note(Wording, "/hints")
	}
	if !slices.EqualFunc(was.Examples, is.Examples, sameJSON) {
		d.note(Wording, "/examples")
	}
	d.schemas("/input", was.Input, is.Input)
	d.output = true
	d.schemas("/output", orAnything(was.Output), orAnything(is.Output))
	d.output = false
}

func (d *differ) text(pointer, was, is string) {
	if was != is {
		d.note(Wording, pointer)
	}
}

func (d *differ) class(was, is policy.Class) {
	switch {
	case was == is:
	case is == policy.NotGiven, was == policy.NotGiven && is.Known() != policy.Unknown, was != policy.NotGiven && is.Known() < was.Known():
		d.note(ClassLooser, "/class")
	default:
		d.note(ClassStricter, "/class")
	}
}

// orAnything stands for a schema that is absent: it allows everything.
func orAnything(schema json.RawMessage) json.RawMessage {
	if schema == nil {
		return json.RawMessage("{}")
	}
	return schema
}

// schemas compares two schemas in their JSON text.
func (d *differ) schemas(pointer string, was, is json.RawMessage) {
	old, oldOK := readDocument(was)
	now, nowOK := readDocument(is)
	if !oldOK || !nowOK {
		d.note(Incompatible, pointer)
		return
	}
	d.document(pointer, old, now)
}
