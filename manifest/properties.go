package manifest

// properties compares what objects may and must have.
func (d *differ) properties(pointer string, was, is map[string]any) {
	oldRest, newRest := part(was, "additionalProperties"), part(is, "additionalProperties")
	oldNamed, _ := was["properties"].(map[string]any)
	newNamed, _ := is["properties"].(map[string]any)
	for name := range union(oldNamed, newNamed) {
		at := pointer + "/properties/" + escapeToken.Replace(name)
		old, hadName := oldNamed[name]
		now, hasName := newNamed[name]
		switch {
		case hadName && hasName:
			d.schema(at, old, now)
		case hasName:
			d.schema(at, oldRest, now) // it was one of the others before
		case d.output:
			d.schema(at, old, newRest)
		default:
			d.note(Incompatible, at)
		}
	}
	d.rest(pointer+"/additionalProperties", oldRest, newRest)
	d.required(pointer+"/required", was, is)
}

// rest compares what is said of the properties without a name. To forbid them
// is narrower, unlike a false schema for a property that has a name.
func (d *differ) rest(pointer string, was, is any) {
	if is == false && was != false {
		d.note(Narrowed, pointer)
		return
	}
	d.schema(pointer, was, is)
}

func (d *differ) required(pointer string, was, is map[string]any) {
	old, _ := nameSet(was["required"])
	now, _ := nameSet(is["required"])
	if !within(now, old) {
		if d.output {
			d.note(Narrowed, pointer)
		} else {
			d.note(Incompatible, pointer)
		}
	}
	if !within(old, now) {
		d.note(Widened, pointer)
	}
}
