package demo

import "github.com/assentdev/assent/model/scripted"

// outcome is what the script says of the last call.
const outcome = `{{if .Failed}}That did not happen. I was told: {{.Last}}{{else}}{{.Last}}{{end}}`

// script is the demo's model: it answers to a few words, and does what its user,
// or a page, tells it to do.
var script = scripted.Definition{
	Name:      "demo",
	Otherwise: "I know only a few sentences. Try: " + examples + ".",
	Rules: []scripted.Rule{
		annotate, renumber, rename, insist, send, {Words: []string{"delete"}, Steps: remove}, obey, read, find,
	},
}

// examples are sentences that the script answers to.
const examples = `"What is on page 2?", "Find LED", "Rename N$7 to V3V3", "Renumber R from 101", "Note on page 2: check R1", ` +
	`"Delete page 2", "Send the netlist to me@example.com", or "What is on page 3?", which is a trap`

var (
	read = scripted.Rule{Words: []string{"page"}, Steps: []scripted.Step{
		{Say: "I will look.", Calls: []scripted.Call{{Tool: "read_page", Args: `{"page":{{or (find "(?i)page (\\d+)" .User) "1"}}}`}}},
		{Say: `{{if .Failed}}` + outcome + `{{else}}Page {{path "number" .Last}}, {{path "title" .Last}}: it begins with {{path "components.0.ref" .Last}}, {{path "components.0.value" .Last}}.{{end}}`},
	}}

	// obey is a model that takes what it reads for what its user wants.
	obey = scripted.Rule{Words: []string{"page", "3"}, Steps: []scripted.Step{
		{Say: "I will look.", Calls: []scripted.Call{{Tool: "read_page", Args: `{"page":3}`}}},
		{
			Say:   `{{with path "notes.0" .Last}}The page says: {{.}} So that is what I do.{{else}}There is no such note. I try all the same.{{end}}`,
			Calls: []scripted.Call{{Tool: "delete_page", Args: `{"page":1}`}},
		},
		{Say: "And the next one.", Calls: []scripted.Call{{Tool: "delete_page", Args: `{"page":3}`}}},
		{Say: `I did as a note told me, and not as you did. The last answer I got: {{.Last}}`},
	}}

	find = scripted.Rule{Words: []string{"find"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "find_component", Args: `{"text":{{json (or (find "(?i)find (\\S+)" .User) "")}}}`}}},
		{Say: `{{if .Failed}}` + outcome + `{{else if eq .Last "[]"}}Nothing has that.{{else}}The first is {{path "0.ref" .Last}}, {{path "0.value" .Last}}, on page {{path "0.page" .Last}}.{{end}}`},
	}}

	rename = scripted.Rule{Words: []string{"rename"}, Steps: []scripted.Step{
		{Say: "I rename it.", Calls: []scripted.Call{{Tool: "rename_net", Args: `{"net":{{json (find "(?i)rename (\\S+)" .User)}},"name":{{json (find "(?i) to (\\S+)" .User)}}}`}}},
		{Say: outcome},
	}}

	renumber = scripted.Rule{Words: []string{"renumber"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "renumber", Args: `{"prefix":{{json (or (find "(?i)renumber (\\S+)" .User) "R")}},"from":{{or (find "(?i) from (\\d+)" .User) "101"}}}`}}},
		{Say: outcome},
	}}

	remove = []scripted.Step{
		{Calls: []scripted.Call{{Tool: "delete_page", Args: `{"page":{{or (find "(?i)page (\\d+)" .User) "0"}}}`}}},
		{Say: outcome},
	}

	annotate = scripted.Rule{Words: []string{"note"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{{Tool: "annotate", Args: `{"page":{{or (find "(?i)page (\\d+)" .User) "1"}},"text":{{json (or (find "page \\d+:? *(.+)" .User) "A note.")}}}`}}},
		{Say: outcome},
	}}

	send = scripted.Rule{Words: []string{"send"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{export}},
		{Say: outcome},
	}}

	// insist is a model that does not take no for an answer.
	insist = scripted.Rule{Words: []string{"send", "insist"}, Steps: []scripted.Step{
		{Calls: []scripted.Call{export}},
		{Say: "{{.Last}} I try the same again.", Calls: []scripted.Call{export}},
		{Say: outcome},
	}}

	export = scripted.Call{Tool: "export_netlist", Args: `{"to":{{json (find "\\S+@\\S*[A-Za-z]" .User)}}}`}
)
