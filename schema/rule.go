package schema

// typeSet is a set of JSON types.
type typeSet uint8

const (
	tObject typeSet = 1 << iota
	tArray
	tString
	tNumber // any number
	tInteger
	tBoolean
	tNull
)

// typeNames lists the words of `type`, in the order in which messages name them.
var typeNames = []struct {
	word, phrase string
	set          typeSet
}{
	{"string", "a string", tString},
	{"integer", "an integer", tInteger},
	{"number", "a number", tNumber | tInteger},
	{"boolean", "a boolean", tBoolean},
	{"array", "an array", tArray},
	{"object", "an object", tObject},
	{"null", "null", tNull},
}

// rule is a compiled schema. The zero rule accepts everything.
type rule struct {
	types typeSet // 0: any
	never bool    // the schema `false`
	at    uint32  // its node in the document

	// In place: these apply to the same value.
	ref                 *rule
	allOf, anyOf, oneOf []*rule
	not                 *rule
	test, then, other   *rule // if, then, else
	dependent           []dependency

	enum     *enum
	text     *textRule
	number   *numberRule
	list     *listRule
	object   *objectRule
	preset   []byte // canonical `default`; nil for none
	names    *names // what it names of an object, in place included; nil where it speaks of none
	compound bool   // something applies in place
	alias    *rule  // ref, where there is nothing but a $ref: a detour saved
}

// enum holds the values of `enum` or `const`.
type enum struct {
	doc    *tape
	values []uint32
	word   string              // the keyword
	texts  map[string]struct{} // the strings among many values
}

type textRule struct {
	min, max int // characters; max is -1 for none
	pattern  *pattern
}

type numberRule struct {
	min, max, over, under, step []byte // nil: none; over and under are exclusive
}

type listRule struct {
	min, max int // items; max is -1 for none
	prefix   []*rule
	rest     *rule // items after the prefix; nil: any
	unique   bool
	contains *rule // nil: none
	least    int   // minContains
	most     int   // maxContains; -1 for none
}

type objectRule struct {
	props    []property
	index    map[string]int // into props
	required int            // how many of props are required
	patterns []patternRule
	rest     *rule // additionalProperties; nil: any
	min, max int   // keys; max is -1 for none
	names    *rule // propertyNames
	declares bool  // has `properties`
}

// property is a name that `properties` or `required` mentions.
type property struct {
	name     []byte
	rule     *rule // nil where only `required` mentions it
	required bool
}

// dependency is what a property demands by being there.
type dependency struct {
	name  string
	rule  *rule    // of the whole object; nil where names are demanded
	names []string // further properties
	word  string   // the keyword
}

type patternRule struct {
	pattern *pattern
	rule    *rule
}

// names are the properties that a schema and all that applies in place with it name.
type names struct {
	known    map[string]struct{}
	list     [][]byte
	patterns []patternRule
	declares bool // there are `properties`
	open     bool // further keys have a schema
}

// find returns the property of a name. guess is where it would be if the
// arguments come in the schema's order, as they mostly do.
func (o *objectRule) find(name []byte, guess int) (*property, int) {
	if guess < len(o.props) && string(o.props[guess].name) == string(name) {
		return &o.props[guess], guess
	}
	if i, ok := o.index[string(name)]; ok {
		return &o.props[i], i
	}
	return nil, guess
}
