package schema_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

const orderSchema = `{"type":"object","properties":{
	"page":{"type":"integer","minimum":1,"maximum":5000},
	"query":{"type":"string","minLength":1,"maxLength":5,"pattern":"^[a-z]+$"},
	"order":{"enum":["newest","oldest"]},
	"tags":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2,"uniqueItems":true},
	"target":{"oneOf":[
		{"type":"object","properties":{"kind":{"const":"file"},"path":{"type":"string"}},"required":["kind","path"],"additionalProperties":false},
		{"type":"object","properties":{"kind":{"const":"row"},"id":{"type":"integer"}},"required":["kind","id"],"additionalProperties":false}]}
	},"required":["page"],"additionalProperties":false}`

// TestMessages holds what a model is told, word for word.
//
// proves: A1
func TestMessages(t *testing.T) {
	s := compile(t, []byte(orderSchema), nil)
	for _, one := range []struct{ name, raw, want string }{
		{"missing", `{}`, `/page: is required`},
		{"missing at the root of blank text", ``, `/page: is required`},
		{"null", `{"page":null}`, `/page: is required and must not be null`},
		{"type", `{"page":"3"}`, `/page: expected an integer, got a string, "3"`},
		{"type of a fraction", `{"page":1.5}`, `/page: expected an integer, got a number, 1.5`},
		{"type of an array", `{"page":[1]}`, `/page: expected an integer, got an array`},
		{"minimum", `{"page":0}`, `/page: must be at least 1, got 0`},
		{"maximum", `{"page":9e3}`, `/page: must be at most 5000, got 9000`},
		{"enum", `{"page":1,"order":"new"}`, `/order: must be one of "newest", "oldest", got "new"`},
		{"near key", `{"page":1,"oder":"x"}`, `/oder: is not a known property; did you mean "order"?`},
		{"far key", `{"page":1,"zzzzzz":"x"}`, `/zzzzzz: is not a known property; known are page, query, order, tags, target`},
		{"case", `{"Page":1,"page":1}`, `/Page: differs from the known property "page" only by case`},
		{"length", `{"page":1,"query":""}`, `/query: must have at least 1 character, has 0: ""; /query: must match the pattern ^[a-z]+$, got ""`},
		{"item", `{"page":1,"tags":["a",2]}`, `/tags/1: expected a string, got an integer, 2`},
		{"items", `{"page":1,"tags":["a","b","c"]}`, `/tags: must have at most 2 items, has 3`},
		{"twice", `{"page":1,"tags":["a","a"]}`, `/tags/1: must not be there twice, got "a"`},
		{"alternatives", `{"page":1,"target":{"kind":"row","id":"7"}}`,
			`/target: fits none of 2 alternatives; number 2 is nearest; /target/id: expected an integer, got a string, "7"`},
		{"two problems", `{"order":1,"query":2}`,
			`/order: must be one of "newest", "oldest", got 1; /query: expected a string, got an integer, 2; /page: is required`},
		{"an array", `[]`, `expected an object, got an array`},
		{"an object encoded twice", `"{\"page\":1}"`, `expected an object, got a string; write the object itself, not a string that holds it`},
		{"a duplicate key", `{"page":1,"page":2}`, `not strict JSON: the key "page" is there twice at byte 10, near "page":2}`},
		{"an early end", `{"page":1`, `not strict JSON: the text ends too early at the end, byte 9`},
		{"characters that turn text around", `{"page":1,"query":"` + "\u202eabc" + `"}`,
			`/query: must match the pattern ^[a-z]+$, got "\u202eabc"`},
		{"a key that shows nothing", `{"page":1,"` + "\u200b" + `":1}`, `/\u200b: is not a known property; known are page, query, order, tags, target`},
	} {
		t.Run("A1 "+one.name, func(t *testing.T) {
			_, err := s.Check([]byte(one.raw))
			if fault.CodeOf(err) != fault.BadArguments {
				t.Fatalf("the code is %q", fault.CodeOf(err))
			}
			if got := fault.TextOf(err); got != "Invalid arguments: "+one.want {
				t.Errorf("\n got %s\nwant Invalid arguments: %s", got, one.want)
			}
		})
	}
}

// TestEchoIsShort proves: A1
func TestEchoIsShort(t *testing.T) {
	s := compile(t, []byte(`{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}`), nil)
	long := strings.Repeat("x", 10_000)
	for _, raw := range []string{`{"a":"` + long + `"}`, `{"` + long + `":1}`, `{"a` + long} {
		_, err := s.Check([]byte(raw))
		text := fault.TextOf(err)
		if n := strings.Count(text, "x"); err == nil || n > 200 || n == 0 && len(raw) > 300 && !strings.Contains(text, "early") && !strings.Contains(text, "within") {
			t.Errorf("%d characters of the value are echoed: %s", n, text)
		}
	}
}

// TestTenProblems proves: A1
func TestTenProblems(t *testing.T) {
	s := compile(t, []byte(`{"additionalProperties":{"type":"string"}}`), nil)
	var members []string
	for i := range 11 {
		members = append(members, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	for _, count := range []int{10, 11} {
		_, err := s.Check([]byte("{" + strings.Join(members[:count], ",") + "}"))
		text := fault.TextOf(err)
		if strings.Count(text, "expected a string") != 10 || strings.HasSuffix(text, "; and more") != (count > 10) {
			t.Errorf("%d problems: %s", count, text)
		}
	}
}

// TestLimits proves: A5
func TestLimits(t *testing.T) {
	for _, one := range []struct {
		name, raw string
		lim       schema.Limits
		valid     bool
	}{
		{"A5 as many bytes as allowed", `{"a":12}`, schema.Limits{Bytes: 8}, true},
		{"A5 one byte too many", `{"a":123}`, schema.Limits{Bytes: 8}, false},
		{"A5 as many levels as allowed", `{"a":[1]}`, schema.Limits{Levels: 2}, true},
		{"A5 one level too many", `{"a":[[]]}`, schema.Limits{Levels: 2}, false},
		{"A5 as many keys as allowed", `{"a":{"b":1}}`, schema.Limits{Keys: 2}, true},
		{"A5 one key too many", `{"a":{"b":1,"c":2}}`, schema.Limits{Keys: 2}, false},
		{"A5 256 KiB by default", `{"a":"` + strings.Repeat("x", 256<<10-8) + `"}`, schema.Limits{}, true},
		{"A5 a byte more", `{"a":"` + strings.Repeat("x", 256<<10-7) + `"}`, schema.Limits{}, false},
	} {
		t.Run(one.name, func(t *testing.T) {
			_, err := schema.Parse([]byte(one.raw), &one.lim)
			s := compile(t, []byte(`{}`), &schema.Options{Limits: &one.lim})
			if (err == nil) != one.valid || s.Valid([]byte(one.raw)) != one.valid {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestHostileTextIsCheap holds that no text makes a check slow (G-J12, G-J17).
//
// proves: A5
func TestHostileTextIsCheap(t *testing.T) {
	big := &schema.Limits{Bytes: 8 << 20, Levels: 1000, Keys: 1 << 20}
	var keys strings.Builder
	for i := range 200_001 {
		fmt.Fprintf(&keys, `,"k%d":0`, i)
	}
	for _, one := range []struct {
		name, raw string
		lim       *schema.Limits
	}{
		{"three million brackets", `{"x":` + strings.Repeat("[", 3_000_000), nil},
		{"three million brackets within generous limits", `{"x":` + strings.Repeat("[", 3_000_000), big},
		{"200,001 keys", `{` + keys.String()[1:] + `}`, nil},
		{"200,001 keys and a duplicate within generous limits", `{"k7":1` + keys.String() + `}`, big},
		{"one long string", `{"x":"` + strings.Repeat("x", 1<<20+1) + `"}`, nil},
		{"a number of a million digits", `{"x":1` + strings.Repeat("0", 1_000_000) + `}`, big},
		{"a fraction of a million digits", `{"x":0.` + strings.Repeat("1", 1_000_000) + `}`, big},
		{"an exponent of a million digits", `{"x":1e` + strings.Repeat("9", 1_000_000) + `}`, big},
	} {
		t.Run("A5 "+one.name, func(t *testing.T) {
			s := compile(t, []byte(`{}`), &schema.Options{Limits: one.lim})
			start := time.Now()
			if s.Valid([]byte(one.raw)) {
				t.Error("is valid")
			}
			if took := time.Since(start); took > 20*time.Second { // measured: 50 ms; a check that is not linear takes minutes
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestExponentialSchema holds that alternatives within alternatives end.
//
// proves: A3
func TestExponentialSchema(t *testing.T) {
	s := compile(t, []byte(`{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[
		{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["x"]},
		{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["y"]}]}}}`), nil)
	raw := strings.Repeat(`{"next":`, 60) + `1` + strings.Repeat(`}`, 60)
	_, err := s.Check([]byte(raw))
	if fault.CodeOf(err) != fault.BadArguments {
		t.Fatal(err)
	}
	if not := compile(t, []byte(`{"not":{"$ref":"#/$defs/n"},"$defs":{"n":{"anyOf":[
		{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["x"]},
		{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["y"]}]}}}`), nil); not.Valid([]byte(raw)) {
		t.Error("a check that was given up counts as met under not")
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	s := compile(t, []byte(orderSchema), &schema.Options{FillDefaults: true})
	c, err := schema.CompileCondition([]byte(`{"properties":{"page":{"minimum":3}}}`), []byte(orderSchema))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			raw := fmt.Appendf(nil, `{"query":"a%s","page":%d}`, strings.Repeat("b", i%4), i+1)
			for range 100 {
				args, err := s.Check(raw)
				if err != nil || !strings.Contains(string(args.Canonical), fmt.Sprintf(`"page":%d`, i+1)) {
					t.Errorf("%s: %s, %v", raw, args.Canonical, err)
				}
				if match, known := c.Match(args.Canonical); !known || match != (i+1 >= 3) {
					t.Errorf("%s: %t, %t", raw, match, known)
				}
			}
		})
	}
	wg.Wait()
}

// TestHostileSchemaIsCheap holds that no schema makes a check slow.
//
// proves: A3
func TestHostileSchemaIsCheap(t *testing.T) {
	list := func(item string, count int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", count), ",") + "]"
	}
	const slow = `{"pattern":"^(?=x)(x+x+)+y$"}`
	run := `"` + strings.Repeat("x", 40) + `"`
	for _, one := range []struct{ name, schema, raw string }{
		{"a slow pattern for each item", `{"properties":{"a":{"contains":` + slow + `}}}`, `{"a":` + list(run, 5000) + `}`},
		{"a slow pattern in each alternative", `{"properties":{"a":{"anyOf":` + list(slow, 5000) + `}}}`, `{"a":` + run + `}`},
		{"many patterns on a long text", `{"properties":{"a":{"anyOf":` + list(`{"pattern":"^(a|b|x)*$y"}`, 20_000) + `}}}`, `{"a":"` + strings.Repeat("x", 200_000) + `"}`},
		{"a long enum for each item", `{"properties":{"a":{"items":{"enum":` + list(`[1,2]`, 50_000) + `}}}}`, `{"a":` + list(`[1,2]`, 20_000)[:120_000] + `"x"]}`},
		{"a long enum of objects", `{"properties":{"a":{"contains":{"enum":` + list(`{"a":1,"b":2}`, 40_000) + `}}}}`, `{"a":` + list(`{"a":1,"b":3}`, 400) + `}`},
	} {
		t.Run("A3 "+one.name, func(t *testing.T) {
			s := compile(t, []byte(one.schema), nil)
			start := time.Now()
			if _, err := s.Check([]byte(one.raw)); err == nil {
				t.Error("is valid")
			}
			if took := time.Since(start); took > 20*time.Second { // measured: 2 s; without a bound: minutes
				t.Errorf("took %v", took)
			}
		})
	}
}
