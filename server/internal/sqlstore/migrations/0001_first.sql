-- SQLite and PostgreSQL both accept this text as it stands: text for ids and JSON,
-- bigint for numbers and Unix milliseconds, bytea for bytes (SQLite keeps bytes
-- as they are under any name).

-- The log. A head says where a stream ends; with seq 0 it is only reserved.

create table heads (
	tenant text not null,
	stream text not null,
	seq bigint not null,
	hash bytea not null,
	primary key (tenant, stream)
);

create table records (
	tenant text not null,
	stream text not null,
	seq bigint not null,
	version bigint not null,
	type text not null,
	time bigint not null,
	header text not null,
	commitment bytea not null,
	prev bytea not null,
	hash bytea not null,
	state bigint not null,
	salt bytea,
	payload bytea,
	primary key (tenant, stream, seq)
);

-- What the log says, for questions. All of it can be made anew.

create table sessions (
	tenant text not null,
	id text not null,
	agent text not null,
	principal text not null,
	mode text not null,
	owner text not null,
	member text not null,
	epoch bigint not null,
	turn text not null,
	started bigint not null,
	updated bigint not null,
	primary key (tenant, id)
);

create index sessions_updated on sessions (tenant, updated, id);
create index sessions_principal on sessions (tenant, principal, updated, id);
create index sessions_agent on sessions (tenant, agent, updated, id);
create index sessions_open on sessions (member) where turn <> '';

create table approvals (
	tenant text not null,
	id text not null,
	session text not null,
	agent text not null,
	principal text not null,
	call text not null,
	tool text not null,
	class text not null,
	question text not null,
	asked bigint not null,
	expires bigint not null,
	primary key (tenant, id)
);

create index approvals_asked on approvals (tenant, asked, id);
create index approvals_session on approvals (tenant, session);
create index approvals_agent on approvals (tenant, agent, asked, id);
create index approvals_due on approvals (expires) where expires > 0;

create table calls (
	tenant text not null,
	id text not null,
	session text not null,
	turn text not null,
	tool text not null,
	class text not null,
	state text not null,
	at bigint not null,
	primary key (tenant, session, id)
);

create table grants (
	tenant text not null,
	id text not null,
	session text not null,
	principal text not null,
	scope text not null,
	kind text not null,
	source text not null,
	tool text not null,
	class text not null,
	call text not null,
	granted_by text not null,
	at bigint not null,
	expires bigint not null,
	primary key (tenant, id)
);

create index grants_session on grants (tenant, session, at, id);
create index grants_principal on grants (tenant, principal, at, id);

-- Processes, and what they leave for each other.

create table members (
	name text not null,
	since bigint not null,
	until bigint not null,
	primary key (name)
);

create table commands (
	tenant text not null,
	key text not null,
	session text not null,
	input bytea not null,
	posted bigint not null,
	done bigint not null,
	result bytea,
	primary key (tenant, key)
);

create index commands_open on commands (tenant, session, posted) where done = 0;
create index commands_posted on commands (posted);
