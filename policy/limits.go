package policy

import (
	"cmp"
	"slices"
	"strings"
)

// limits are kept by agent, each list from the narrowest mode on.
type limits struct {
	all []limit
	of  map[string][]limit
}

type limit struct {
	id     string
	max    Mode
	groups *names
}

func (c *compiler) limits(list []Limit) limits {
	var out limits
	for _, l := range list {
		one := limit{l.ID, l.Max, c.list(l.Groups)}
		if len(l.Agents) == 0 {
			out.all = append(out.all, one)
		}
		for _, agent := range l.Agents {
			if out.of == nil {
				out.of = make(map[string][]limit)
			}
			out.of[agent] = append(out.of[agent], one)
		}
	}
	narrowFirst := func(a, b limit) int {
		return cmp.Or(cmp.Compare(a.max, b.max), strings.Compare(a.id, b.id))
	}
	slices.SortFunc(out.all, narrowFirst)
	for _, l := range out.of {
		slices.SortFunc(l, narrowFirst)
	}
	return out
}

// Effective returns the mode in which the turns of a session run: its mode
// narrowed by every limit (SPEC C5). why is the ID of the limit that narrowed
// it most, the least one where several narrow it as far, and "" where none does.
func (p *Policy) Effective(mode Mode, agent string, groups []string) (effective Mode, why string) {
	if p == nil || !p.ready {
		return Off, ""
	}
	effective = mode.known()
	effective, why = narrow(p.limits.all, effective, why, groups)
	if p.limits.of != nil {
		effective, why = narrow(p.limits.of[agent], effective, why, groups)
	}
	return effective, why
}

// narrow looks at limits from the narrowest on.
func narrow(list []limit, mode Mode, why string, groups []string) (Mode, string) {
	for i := range list {
		l := &list[i]
		if l.max > mode {
			break
		}
		if closer := l.max < mode || why != "" && l.id < why; closer && l.groups.hasAny(groups) {
			mode, why = l.max, l.id
		}
	}
	return mode, why
}
