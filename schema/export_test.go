package schema

import "encoding/json"

// CompileLibrary compiles a schema for the library whatever its keywords are,
// so that tests can compare the two checkers.
func CompileLibrary(raw json.RawMessage, opts *Options) (*Schema, error) {
	doc, err := parseSchema(raw)
	if err != nil {
		return nil, err
	}
	s := &Schema{opts: *opts, lim: opts.Limits.orDefaults()}
	return s, s.compileRare(doc, &rareKeyword{})
}
