package sqlstore

import (
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/server/store"
)

// change adds the statements that bring rows in line with a change.
func (p *plan) change(c *store.Change) {
	if c == nil {
		return
	}
	p.session(c)
	for _, id := range c.Closed {
		p.add("delete from approvals where tenant = ? and session = ? and id = ?", c.Tenant, c.Session, store.Text(id))
	}
	for i := range c.Approvals {
		p.approval(&c.Approvals[i])
	}
	for i := range c.Calls {
		p.call(&c.Calls[i])
	}
	for _, id := range c.Revoked {
		p.add("delete from grants where tenant = ? and session = ? and id = ?", c.Tenant, c.Session, store.Text(id))
	}
	for i := range c.Grants {
		p.grant(&c.Grants[i])
	}
}

func (p *plan) session(c *store.Change) {
	if s := c.Started; s != nil {
		p.add("insert into sessions (tenant, id, agent, principal, mode, owner, member, epoch, turn, started, updated) values (?, ?, ?, ?, ?, '', '', 0, '', ?, ?)"+
			" on conflict do nothing", s.Tenant, s.ID, s.Agent, s.Principal, s.Mode.String(), s.Started, s.Started)
	}
	if c.Updated == 0 {
		return
	}
	var mode, owner, member, epoch, turn any
	if c.Mode != nil {
		mode = c.Mode.String()
	}
	if c.Owner != nil {
		owner, member, epoch = *c.Owner, store.MemberOf(*c.Owner), int64(c.Epoch)
	}
	if c.Turn != nil {
		turn = *c.Turn
	}
	p.add("update sessions set mode = coalesce(?, mode), owner = coalesce(?, owner), member = coalesce(?, member), epoch = coalesce(?, epoch),"+
		" turn = coalesce(?, turn), updated = ? where tenant = ? and id = ?", mode, owner, member, epoch, turn, c.Updated, c.Tenant, c.Session)
}

// The agent and the principal of an approval or a grant are those of its session.
const ofSession = "coalesce((select agent from sessions where tenant = ? and id = ?), ''), coalesce((select principal from sessions where tenant = ? and id = ?), '')"

func (p *plan) approval(a *store.Approval) {
	p.add("insert into approvals (tenant, id, session, agent, principal, call, tool, class, question, asked, expires) values (?, ?, ?, "+ofSession+", ?, ?, ?, ?, ?, ?)"+
		" on conflict do nothing", a.Tenant, store.Text(a.ID), a.Session, a.Tenant, a.Session, a.Tenant, a.Session,
		store.Text(a.Call), a.Tool, a.Class.String(), string(a.Question), a.Asked, a.Expires)
}

func (p *plan) call(c *store.Call) {
	p.add("insert into calls (tenant, id, session, turn, tool, class, state, at) values (?, ?, ?, ?, ?, ?, ?, ?)"+
		" on conflict (tenant, session, id) do update set tool = excluded.tool, class = excluded.class, state = excluded.state, at = excluded.at",
		c.Tenant, store.Text(c.ID), c.Session, c.Turn, c.Tool, c.Class.String(), store.Text(string(c.State)), c.At)
}

func (p *plan) grant(g *store.Grant) {
	const columns = "insert into grants (tenant, id, session, principal, scope, kind, source, tool, class, call, granted_by, at, expires) values (?, ?, ?, "
	const rest = ", ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
	args := []any{g.Tenant, store.Text(g.ID), g.Session}
	values := "?"
	if g.Session == "" {
		args = append(args, g.Principal)
	} else {
		values = "coalesce((select principal from sessions where tenant = ? and id = ?), '')"
		args = append(args, g.Tenant, g.Session)
	}
	args = append(args, g.Scope.String(), string(g.Kind), g.Source, g.Tool, g.Class.String(), store.Text(g.Call), g.By, g.At, g.Expires)
	p.add(columns+values+rest, args...)
}

// forgetRows removes all rows that a stream's records made.
func forgetRows(c *store.Change) []Statement {
	if c.Session == "" {
		return []Statement{{"delete from grants where tenant = ? and session = '' and principal = ?", []any{c.Tenant, c.Principal}}}
	}
	of := []any{c.Tenant, c.Session}
	return []Statement{
		{"delete from sessions where tenant = ? and id = ?", of},
		{"delete from approvals where tenant = ? and session = ?", of},
		{"delete from calls where tenant = ? and session = ?", of},
		{"delete from grants where tenant = ? and session = ?", of},
	}
}

func sessionHint(tenant, session string) store.Hint {
	return store.Hint{Tenant: tenant, Stream: audit.SessionStream(session)}
}
