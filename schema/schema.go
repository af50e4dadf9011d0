// Package schema checks the arguments of a call against a tool's JSON Schema
// and gives them one canonical form.
//
// [Parse] reads arguments strictly and writes their canonical bytes. [Compile]
// makes a [Schema], whose Check does the whole of SPEC 4 in one step: strict
// parse, schema, defaults, canonical bytes, digest. [CompileCondition] makes a
// condition on arguments out of the closed subset of JSON Schema that rules may
// use (SPEC D5b). [For] makes the schema of a Go type, and [Decode] reads
// canonical bytes into one (SPEC T5).
//
// Common keywords are checked by this package, straight from the bytes and
// without decoding them; a schema with a rare keyword is checked by a full
// implementation of JSON Schema. Nothing is ever loaded from a network or a file.
package schema
