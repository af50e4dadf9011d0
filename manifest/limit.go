package manifest

import (
	"encoding/json"
	"math/big"
)

// limits compares bounds, lengths and the like. Each keyword allows a set of
// values of its own, and a schema allows what all of its keywords allow.
func (d *differ) limits(pointer string, was, is map[string]any) {
	for _, key := range []string{"minLength", "minItems", "minProperties"} {
		d.bound(pointer+"/"+key, atLeastZero(was[key]), atLeastZero(is[key]), 1)
	}
	for _, key := range []string{"maxLength", "maxItems", "maxProperties"} {
		d.bound(pointer+"/"+key, bound{at: rational(was[key])}, bound{at: rational(is[key])}, -1)
	}
	d.bound(pointer+"/minimum", tightest(was, "minimum", "exclusiveMinimum", 1), tightest(is, "minimum", "exclusiveMinimum", 1), 1)
	d.bound(pointer+"/maximum", tightest(was, "maximum", "exclusiveMaximum", -1), tightest(is, "maximum", "exclusiveMaximum", -1), -1)
	d.multiple(pointer+"/multipleOf", rational(was["multipleOf"]), rational(is["multipleOf"]))
	d.flag(pointer+"/uniqueItems", was["uniqueItems"] == true, is["uniqueItems"] == true)
	d.pattern(pointer+"/pattern", was["pattern"], is["pattern"])
}

// bound is the end of a range; none where at is nil.
type bound struct {
	at        *big.Rat
	exclusive bool
}

// atLeastZero is a lower bound of something that is counted.
func atLeastZero(v any) bound {
	if r := rational(v); r != nil {
		return bound{at: r}
	}
	return bound{at: new(big.Rat)}
}

// tightest joins a bound and its exclusive form. side is 1 for a lower bound and
// -1 for an upper one.
func tightest(s map[string]any, inclusive, exclusive string, side int) bound {
	in, ex := bound{at: rational(s[inclusive])}, bound{at: rational(s[exclusive]), exclusive: true}
	if in.tighter(ex, side) {
		return in
	}
	return ex
}

// tighter reports whether b allows less than c, and something else than c does not.
func (b bound) tighter(c bound, side int) bool {
	switch {
	case b.at == nil:
		return false
	case c.at == nil:
		return true
	}
	if order := b.at.Cmp(c.at) * side; order != 0 {
		return order > 0
	}
	return b.exclusive && !c.exclusive
}

func (d *differ) bound(pointer string, was, is bound, side int) {
	if is.tighter(was, side) {
		d.note(Narrowed, pointer)
	}
	if was.tighter(is, side) {
		d.note(Widened, pointer)
	}
}

func (d *differ) multiple(pointer string, was, is *big.Rat) {
	switch {
	case was == nil && is == nil:
	case was == nil || is != nil && new(big.Rat).Quo(is, was).IsInt():
		if was == nil || is.Cmp(was) != 0 {
			d.note(Narrowed, pointer)
		}
	case is == nil || new(big.Rat).Quo(was, is).IsInt():
		d.note(Widened, pointer)
	default:
		d.note(Incompatible, pointer)
	}
}

func (d *differ) flag(pointer string, was, is bool) {
	if is && !was {
		d.note(Narrowed, pointer)
	}
	if was && !is {
		d.note(Widened, pointer)
	}
}

func (d *differ) pattern(pointer string, was, is any) {
	switch {
	case was == is:
	case was == nil:
		d.note(Narrowed, pointer)
	case is == nil:
		d.note(Widened, pointer)
	default:
		d.note(Incompatible, pointer)
	}
}

// rational returns a number exactly; nil for what is no number. Canonical JSON
// has none beyond the range of a double, so it is never huge.
func rational(v any) *big.Rat {
	text, ok := v.(json.Number)
	if !ok {
		return nil
	}
	r, ok := new(big.Rat).SetString(text.String())
	if !ok {
		return nil
	}
	return r
}
