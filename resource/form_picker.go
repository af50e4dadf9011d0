package resource

import "slices"

// maxPicks is how many records a picker shows at once. A lookup that finds so
// many gets a field to search with.
const maxPicks = 50

// picker lets a person choose one of the records of a lookup. Without any, as for
// somebody who may not ask the lookup, it is a line for the value itself.
func (w *formWriter) picker(p *part, a attributes, chosen string, path []string) {
	options, more := w.records(p.lookup, path)
	if len(options) == 0 && !more {
		w.input(a, "text", chosen)
		return
	}
	if chosen != "" && !slices.ContainsFunc(options, func(o Record) bool { return o.Value == chosen }) {
		options = append(options, Record{Value: chosen, Label: w.nameFor(p.lookup, chosen)})
	}
	w.selection(p, a, options, chosen)
	if more {
		w.find(p, path)
	}
}

// records asks the lookup. more says that there may be others than these.
func (w *formWriter) records(lookup string, path []string) (list []Record, more bool) {
	if w.ask == nil {
		return nil, false
	}
	query := w.queries[pointer(path)]
	list = w.ask(lookup, w.To.Params, query)
	return list[:min(len(list), maxPicks)], len(list) >= maxPicks || query != ""
}

// nameFor is what people call a value that a lookup knows, with the value.
func (w *formWriter) nameFor(lookup, value string) string {
	if lookup == "" || w.nameOf == nil {
		return value
	}
	if label := w.nameOf(lookup, w.To.Params, value); label != "" {
		return label
	}
	return value
}

// find writes the search of a picker. The hidden field says what was found last,
// so that the key Enter in the line before the button searches too.
func (w *formWriter) find(p *part, path []string) {
	query := w.queries[pointer(path)]
	id := w.idOf(path) + ":query"
	w.put("\n<div class=\"find\"><label")
	w.attr("for", id)
	w.put(">Search ")
	w.text(p.titled())
	w.put("</label><input type=\"search\"")
	w.attr("id", id)
	w.attr("name", queryField+fieldName(path))
	w.attr("value", query)
	w.put(">")
	w.hidden(queriedField+fieldName(path), query)
	w.again("_find", fieldName(path), "Find", p.titled())
	w.put("</div>")
	if query != "" {
		w.wrap("\n<p class=\"hint\" role=\"status\">Shown is what was found for “", query, "”.</p>")
	}
}
