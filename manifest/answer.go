package manifest

import (
	"slices"
	"strconv"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
)

// State is what becomes of a tool (SPEC M3).
type State string

// The states. Only an accepted tool is offered as the application describes it;
// what is offered of a waiting one is its accepted descriptor, if there is one.
const (
	Accepted State = "accepted"
	Waiting  State = "waiting" // for an administrator
	Held     State = "held"    // not offered
)

// The reasons for a state that are not kinds of change.
const (
	NoContract         = "no_contract" // nothing restricts the application's tools
	Listed             = "listed"      // the contract has the tool and no pins, or this pin
	NotListed          = "not_listed"  // new: the contract does not have it
	Unreadable         = "contract_unreadable"
	UnknownPin         = "unknown_pin" // not accepted, and there is nothing to compare it with
	TwoOfOneName       = "two_of_one_name"
	BadDescriptor      = "bad_descriptor"
	TooManyTools       = "too_many_tools"
	DescriptorTooLong  = "descriptor_too_long"
	DescriptionTooLong = "description_too_long"
	ManifestTooLong    = "manifest_too_long"
)

// Verdict is what becomes of one tool, and why.
type Verdict struct {
	Tool   string `json:"tool"`
	State  State  `json:"state"`
	Reason string `json:"reason"` // one of the reasons, or the Kind that decides
	Digest string `json:"digest,omitempty"`
	// Served is the digest of the descriptor that is offered and enforced: the
	// tool's own, or the accepted one; "" for none.
	Served string       `json:"served,omitempty"`
	Class  policy.Class `json:"class,omitzero"` // the effective class (SPEC C2), with a looser one refused
	Change Change       `json:"change,omitzero"`
}

// Answer says what becomes of a manifest. It is data that an application may log.
type Answer struct {
	Tools    []Verdict `json:"tools"`              // in the manifest's order
	Removed  []string  `json:"removed,omitempty"`  // tools of the contract that the manifest lacks, sorted
	LeftOut  []string  `json:"left_out,omitempty"` // pointers of what the limits left out of the app
	Accepted int       `json:"accepted"`
	Waiting  int       `json:"waiting"`
	Held     int       `json:"held"`
}

// Known is what a server knows of a tool by its name.
type Known struct {
	// Accepted are the descriptors that administrators accepted, the latest last.
	// A set, since several versions of an application run at once (SPEC D7).
	Accepted []*tool.Descriptor
	// Gone says that the manifest before did not have the tool.
	Gone bool
}

// Review works out what becomes of the tools of a manifest under a contract
// (SPEC D7, M3). It is a pure function. known has what is known of tools by
// their names; nil for nothing. A nil lim means the default limits.
//
// Without a contract, or with an empty one, every tool within the limits is
// accepted: host tools are then neither pinned nor held. With an unreadable one
// all are held. Otherwise a tool that the contract does not list waits; one that
// it lists without pins, or with this pin, is accepted; one with another pin
// goes by how it changed against the accepted descriptor that it is nearest to.
func Review(m *Manifest, contract *policy.Contract, known map[string]Known, lim *Limits) Answer {
	r := &reviewer{entries: map[string]policy.Entry{}, known: known, lim: lim.orDefaults(), names: map[string]int{}}
	if contract != nil {
		r.unreadable = contract.Unreadable
		for _, e := range contract.Entries {
			r.entries[e.Tool] = e
		}
	}
	for _, d := range m.Tools {
		r.names[d.Name]++
	}
	a := Answer{Tools: []Verdict{}}
	_, a.LeftOut = m.App.Fit(lim)
	for i, d := range m.Tools {
		a.add(r.verdict(i, d))
	}
	for name := range r.entries {
		if r.names[name] == 0 && !r.unreadable {
			a.Removed = append(a.Removed, name)
		}
	}
	slices.Sort(a.Removed)
	return a
}

func (a *Answer) add(v Verdict) {
	a.Tools = append(a.Tools, v)
	switch v.State {
	case Accepted:
		a.Accepted++
	case Waiting:
		a.Waiting++
	default:
		a.Held++
	}
}

type reviewer struct {
	entries    map[string]policy.Entry // of a contract that can be read
	unreadable bool
	known      map[string]Known
	lim        Limits
	names      map[string]int
	size       int // bytes of the descriptors so far
}

func (r *reviewer) verdict(index int, d *tool.Descriptor) Verdict {
	v := Verdict{Tool: d.Name, State: Held}
	canonical, err := d.Canonical()
	if err != nil {
		v.Reason = BadDescriptor
		return v
	}
	v.Digest = schema.Digest(canonical)
	v.Reason = r.lim.tooMuch(d, index, len(canonical), r.size)
	r.size += len(canonical)
	switch {
	case v.Reason != "":
	case r.names[d.Name] > 1:
		v.Reason = TwoOfOneName
	case r.unreadable:
		v.Reason = Unreadable
	case len(r.entries) == 0:
		v.accept(NoContract, d.Class)
	default:
		r.contracted(&v, d)
	}
	return v
}

func (v *Verdict) accept(reason string, class policy.Class) {
	v.State, v.Reason, v.Served, v.Class = Accepted, reason, v.Digest, class.Known()
}

// contracted judges a tool under a contract with entries.
func (r *reviewer) contracted(v *Verdict, d *tool.Descriptor) {
	entry, listed := r.entries[d.Name]
	known := r.known[d.Name]
	if known.Gone && len(known.Accepted) > 0 {
		v.Change = v.Change.with(Returned)
	}
	switch {
	case !listed:
		v.State, v.Reason = Waiting, NotListed
	case len(entry.Pins) == 0 || slices.Contains(entry.Pins, v.Digest):
		v.accept(Listed, policy.Stricter(d.Class, entry.Class))
	default:
		r.changed(v, d, entry, known)
	}
}

// changed judges a tool whose descriptor is not among the accepted ones.
func (r *reviewer) changed(v *Verdict, d *tool.Descriptor, entry policy.Entry, known Known) {
	was, digest, change := nearest(d, entry.Pins, known.Accepted)
	if was == nil {
		v.Reason = UnknownPin
		return
	}
	for _, k := range v.Change.Kinds {
		change = change.with(k)
	}
	v.Change, v.Reason = change, string(change.Decides())
	class := policy.Stricter(d.Class, entry.Class)
	if change.Has(ClassLooser) {
		class = policy.Stricter(class, was.Class)
	}
	switch change.Decides() {
	case Incompatible:
	case Widened, Wording:
		v.State, v.Served, v.Class = Waiting, digest, class
	default:
		v.accept(v.Reason, class)
	}
}

// nearest returns the accepted descriptor whose change into d is the least
// grave, the latest of several; nil where none of the pins is known.
func nearest(d *tool.Descriptor, pins []string, accepted []*tool.Descriptor) (was *tool.Descriptor, digest string, change Change) {
	for _, a := range slices.Backward(accepted) {
		pin, err := a.Digest()
		if err != nil || !slices.Contains(pins, pin) {
			continue
		}
		c := Compare(a, d)
		if was == nil || slices.Index(gravity, c.Decides()) < slices.Index(gravity, change.Decides()) {
			was, digest, change = a, pin, c
		}
	}
	return was, digest, change
}

func pointerTo(list string, index int) string { return list + "/" + strconv.Itoa(index) }
