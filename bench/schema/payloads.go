package main

import (
	"fmt"
	"strings"
)

// payload is a tool's schema and one call's arguments.
type payload struct {
	name, schema string
	args         []byte
	valid        bool
}

// payloads are five calls: small and flat, twenty fields with two patterns, a
// list of a hundred objects through $ref, alternatives, and three errors.
func payloads() []payload {
	invalid := strings.NewReplacer(`"quantity":2,`, ``, `"amount":1249.5`, `"amount":"1249.5"`, `"note":`, `"remark":`).Replace(twentyArgs)
	return []payload{
		{"flat", flat, []byte(flatArgs), true},
		{"twenty", twenty, []byte(twentyArgs), true},
		{"nested", nested, []byte(nestedArgs()), true},
		{"union", union, []byte(unionArgs), true},
		{"invalid", twenty, []byte(invalid), false},
	}
}

func nestedArgs() string {
	var b strings.Builder
	b.WriteString(`{"sheet":"stock","rows":[`)
	for i := 1; i <= 100; i++ {
		if i > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"Part number %d of the assembly","unit":"%s","count":%d.5,"active":%t,"place":{"hall":"H%d","shelf":%d,"bin":"B-%03d"}}`,
			1000+i, i, []string{"pcs", "kg", "m", "h"}[i%4], i*3, i%3 != 0, i%5, i%40, i)
	}
	b.WriteString(`]}`)
	return b.String()
}

const (
	flatArgs   = `{"page":12,"query":"unpaid invoices of november","order":"newest"}`
	twentyArgs = `{"customer_id":"cus_a81kd02mx71p","title":"Replacement of the front sensor unit","summary":"The customer reports that the unit shows no value after the update; please send a replacement and book the return.","priority":"high","status":"open","due":"2026-12-15","amount":1249.5,"currency":"EUR","quantity":2,"discount":0.1,"tags":["warranty","sensor","return"],"notify":true,"private":false,"assignee":null,"email":"anna.keller@example.org","phone":"+49 30 1234567","country":"DE","city":"Berlin","zip":"10115","note":"Call before delivery, the entrance is in the yard."}`
	unionArgs  = `{"target":{"kind":"record","table":"orders","id":"ord_000918271"},"value":[1,2.5,"three",4,"five"]}`

	flat = `{"type":"object","properties":{"page":{"type":"integer","minimum":1,"maximum":5000,"description":"The page number."},
"query":{"type":"string","minLength":1,"maxLength":200},"order":{"type":"string","enum":["newest","oldest","title"]}},
"required":["page","query"],"additionalProperties":false}`

	twenty = `{"type":"object","properties":{
"customer_id":{"type":"string","pattern":"^cus_[a-z0-9]{12}$"},"title":{"type":"string","maxLength":120},"summary":{"type":"string","maxLength":2000},
"priority":{"type":"string","enum":["low","normal","high","urgent"]},"status":{"enum":["open","waiting","closed",null]},
"due":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},"amount":{"type":"number","minimum":0,"maximum":1000000},"currency":{"type":"string","minLength":3,"maxLength":3},
"quantity":{"type":"integer","minimum":1},"discount":{"type":["number","null"],"minimum":0,"exclusiveMaximum":1},"tags":{"type":"array","items":{"type":"string","maxLength":40},"maxItems":20},
"notify":{"type":"boolean"},"private":{"type":"boolean"},"assignee":{"type":["string","null"]},"email":{"type":"string","minLength":3},
"phone":{"type":"string"},"country":{"type":"string","minLength":2,"maxLength":2},"city":{"type":"string"},"zip":{"type":"string"},"note":{"type":"string"}},
"required":["customer_id","title","priority","amount","currency","quantity"],"additionalProperties":false}`

	nested = `{"type":"object","properties":{"sheet":{"type":"string"},"rows":{"type":"array","minItems":1,"maxItems":500,"items":{"$ref":"#/$defs/row"}}},"required":["sheet","rows"],"additionalProperties":false,
"$defs":{"row":{"type":"object","properties":{"id":{"type":"integer","minimum":1},"name":{"type":"string","minLength":1,"maxLength":80},"unit":{"type":"string","enum":["pcs","kg","m","h"]},"count":{"type":"number","minimum":0},"active":{"type":"boolean"},
"place":{"$ref":"#/$defs/place"}},"required":["id","name","count"],"additionalProperties":false},
"place":{"type":"object","properties":{"hall":{"type":"string"},"shelf":{"type":"integer"},"bin":{"type":"string","maxLength":8}},"required":["hall","shelf"],"additionalProperties":false}}}`

	union = `{"type":"object","properties":{"target":{"oneOf":[
{"type":"object","properties":{"kind":{"const":"file"},"path":{"type":"string"},"line":{"type":"integer","minimum":1}},"required":["kind","path"],"additionalProperties":false},
{"type":"object","properties":{"kind":{"const":"url"},"url":{"type":"string","pattern":"^https?://"}},"required":["kind","url"],"additionalProperties":false},
{"type":"object","properties":{"kind":{"const":"record"},"table":{"type":"string"},"id":{"anyOf":[{"type":"integer"},{"type":"string","minLength":8}]}},"required":["kind","table","id"],"additionalProperties":false},
{"type":"object","properties":{"kind":{"const":"selection"}},"required":["kind"],"additionalProperties":false}]},
"value":{"anyOf":[{"type":"number"},{"type":"string","maxLength":500},{"type":"array","items":{"anyOf":[{"type":"number"},{"type":"string"}]}}]}},"required":["target","value"],"additionalProperties":false}`
)
