-- Documents as JSON, and beside them what searching needs. rowid is the order
-- in which rows came, and stays when a document changes.
CREATE TABLE IF NOT EXISTS users (
  rowid INTEGER PRIMARY KEY,
  id    TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL, -- this and the next two in lower case
  first TEXT NOT NULL,
  last  TEXT NOT NULL,
  zip   TEXT NOT NULL,
  doc   TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS users_email ON users (email);
CREATE INDEX IF NOT EXISTS users_name ON users (last, first, zip);

CREATE TABLE IF NOT EXISTS products (
  rowid INTEGER PRIMARY KEY,
  id    TEXT NOT NULL UNIQUE,
  name  TEXT NOT NULL,
  doc   TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS orders (
  rowid   INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  items   TEXT NOT NULL, -- the names of its products, in lower case
  doc     TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS orders_user ON orders (user_id);
