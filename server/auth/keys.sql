-- API keys, as SQLite and PostgreSQL both accept it. What stands in the column
-- first is the tenant of the key that was made at the first start, so that there
-- is one of each.

create table api_keys (
	tenant text not null,
	id text not null,
	hash bytea not null unique,
	principal text not null,
	groups_in text not null,
	agents text not null,
	roles text not null,
	ceiling text not null,
	note text not null,
	maker text not null,
	created bigint not null,
	expires bigint not null,
	revoked bigint not null,
	used bigint not null,
	first text unique,
	primary key (tenant, id)
);

create unique index api_keys_id on api_keys (id);
