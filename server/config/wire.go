package config

import "encoding/json"

// The types of this file are the form of the file. The JSON Schema that checks
// it, that editors are given, and that the reference page is made of, is made of
// them: see schema.go. Their documentation stands in the tags.

type wireFile struct {
	Server    wireServer     `json:"server,omitzero" doc:"How the server is reached and how much it takes."`
	Providers []wireProvider `json:"providers,omitempty" doc:"Where models come from."`
	Tenants   []wireTenant   `json:"tenants,omitempty" minItems:"1" doc:"Organisations that share the server and nothing else. Without it the file speaks of one tenant, local, and agents, rules and limits stand at the top."`
	wireOwn
}

// wireOwn is what belongs to one tenant.
type wireOwn struct {
	Agents []wireAgent `json:"agents,omitempty" doc:"The agents, each with a slug of its own."`
	Rules  []wireRule  `json:"rules,omitempty" doc:"Rules for all agents of the tenant, or for those that a rule names. They are a set together with an agent's own rules: the order means nothing and the strictest match wins."`
	Limits []wireLimit `json:"limits,omitempty" doc:"Limits on the mode for all agents of the tenant, or for those that a limit names."`
}

type wireServer struct {
	Listen            string   `json:"listen,omitempty" default:"127.0.0.1:4780" doc:"The address to listen on, as host:port."`
	Hosts             []string `json:"hosts,omitempty" minLength:"1" doc:"Host names by which requests may call the server, each with or without a port, besides localhost and the loopback addresses."`
	Origins           []string `json:"origins,omitempty" doc:"Origins of web pages that may call the server, such as https://shop.example, besides its own."`
	RequestBytes      int      `json:"request_bytes,omitempty" min:"1024" max:"67108864" default:"1048576" doc:"The most bytes of a request's body."`
	RequestsPerMinute int      `json:"requests_per_minute,omitempty" min:"1" max:"1000000" default:"600" doc:"The most requests of one key in a minute."`
	OpenSessions      int      `json:"open_sessions,omitempty" min:"1" max:"10000000" default:"10000" doc:"The most sessions that one tenant has open."`
	OpenApprovals     int      `json:"open_approvals,omitempty" min:"1" max:"10000000" default:"10000" doc:"The most questions that one tenant has open."`
}

type wireProvider struct {
	Name           string `json:"name" pattern:"^[a-z0-9][a-z0-9_-]{0,63}$" doc:"The name by which agents refer to it: small letters, digits, - and _."`
	Kind           string `json:"kind" enum:"openai,scripted" doc:"openai is every server with a chat completions API. scripted is no model: it answers to keywords."`
	BaseURL        string `json:"base_url,omitempty" default:"https://api.openai.com/v1" doc:"The address below which chat/completions lies."`
	KeyEnv         string `json:"key_env,omitempty" pattern:"^[A-Za-z_][A-Za-z0-9_]*$" doc:"The name of the environment variable that has the key, such as OPENAI_API_KEY."`
	KeyFile        string `json:"key_file,omitempty" minLength:"1" doc:"The file that has the key and nothing else."`
	TimeoutSeconds int    `json:"timeout_seconds,omitempty" min:"1" max:"3600" default:"600" doc:"How long the provider may stay silent, before its answer and within it."`
	Retries        *int   `json:"retries,omitempty" min:"0" max:"10" default:"2" doc:"How often a request is made again after a failure that may pass."`
	ScriptFile     string `json:"script_file,omitempty" minLength:"1" doc:"What a scripted provider says, as JSON. Without it, that it has no answer."`
}

type wireTenant struct {
	Name string `json:"name" pattern:"^[a-z0-9][a-z0-9_-]{0,63}$" doc:"The tenant's name: small letters, digits, - and _."`
	wireOwn
}

type wireAgent struct {
	Slug             string        `json:"slug" pattern:"^[a-z0-9][a-z0-9_-]{0,63}$" doc:"The name by which programs call the agent, unique in its tenant: small letters, digits, - and _."`
	Name             string        `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"The name that people see. Without it the slug."`
	Model            string        `json:"model" pattern:"^[a-z0-9][a-z0-9_-]{0,63}/.+$" doc:"The provider's name, a slash, and the provider's own name of the model, such as openai/gpt-5-mini."`
	Instructions     string        `json:"instructions,omitempty" doc:"What the model is told before every conversation."`
	InstructionsFile string        `json:"instructions_file,omitempty" minLength:"1" doc:"A file with the instructions instead. A relative path begins at this file's folder."`
	Mode             string        `json:"mode,omitempty" enum:"off,read_only,ask,auto" doc:"The mode in which sessions start. It can make the ordinary start, ask, stricter and never wider."`
	LocalMCP         bool          `json:"local_mcp,omitempty" default:"false" doc:"Whether applications may start local MCP servers for the agent."`
	WaitSeconds      int           `json:"approval_wait_seconds,omitempty" min:"1" max:"2592000" doc:"How long a question stays open, at most 30 days. Without it a question for a tool of the application waits without limit and one for a tool of the server 10 minutes."`
	Turn             wireTurn      `json:"turn,omitzero" doc:"What one turn may use up. Reaching a limit ends the turn with a notice."`
	Contract         *wireContract `json:"contract,omitempty" doc:"The tools that applications may offer to the agent. Without it, and with an empty list of tools, it restricts nothing."`
	Rules            []wireRule    `json:"rules,omitempty" doc:"Rules for this agent: a set, whose order means nothing."`
	Limits           []wireLimit   `json:"limits,omitempty" doc:"Limits on the mode, for everybody or for groups."`
	Caps             wireCaps      `json:"caps,omitzero" doc:"The widest approval that a person may give, for each class of tools. Without a word it is session."`
}

type wireTurn struct {
	Steps        int   `json:"steps,omitempty" min:"1" max:"100000" default:"50" doc:"Messages of the model."`
	Calls        int   `json:"calls,omitempty" min:"1" max:"100000" default:"200" doc:"Calls of tools."`
	Tokens       int64 `json:"tokens,omitempty" min:"1" doc:"Tokens, input and output together. Without it no limit."`
	TimeSeconds  int   `json:"time_seconds,omitempty" min:"1" max:"604800" doc:"Time at work; waiting for people does not count. Without it no limit."`
	Repeats      int   `json:"repeats,omitempty" min:"1" max:"100000" default:"8" doc:"Identical calls."`
	ResultBytes  int   `json:"result_bytes,omitempty" min:"256" max:"67108864" default:"65536" doc:"Bytes of one result that the model sees."`
	ContextBytes int   `json:"context_bytes,omitempty" min:"1024" max:"1073741824" doc:"Bytes of all messages of a request to the model. Without it no limit."`
	Denials      int   `json:"denials,omitempty" min:"1" max:"1000" default:"3" doc:"Denials of one tool by a person."`
}

type wireContract struct {
	Tools      []wireEntry `json:"tools,omitempty" doc:"The tools. Others of the application are held back until they are listed."`
	Unreadable bool        `json:"unreadable,omitempty" doc:"Whether to hold all tools of applications, as for a contract that cannot be read."`
}

type wireEntry struct {
	Tool  string   `json:"tool" minLength:"1" doc:"The tool's exact name."`
	Class string   `json:"class,omitempty" doc:"read, write, destructive or unknown: makes the application's class stricter, never more lenient. Another word counts as unknown, with a warning."`
	Pins  []string `json:"pins,omitempty" minLength:"1" doc:"Digests of the accepted descriptors. Without them every one is accepted."`
}

type wireRule struct {
	ID          string          `json:"id" minLength:"1" doc:"The rule's name, unique among the rules that an agent has."`
	Effect      string          `json:"effect" enum:"deny,ask_each,ask,allow" doc:"deny refuses, ask_each asks each time, ask asks unless an approval is remembered, allow is a standing approval."`
	Shadow      bool            `json:"shadow,omitempty" default:"false" doc:"Whether the rule is only logged where it matches, and decides nothing."`
	Source      *wireSource     `json:"source,omitempty" doc:"Who provides the tool."`
	Tools       []string        `json:"tools,omitempty" minItems:"1" minLength:"1" doc:"Names, or patterns in which * stands for any characters. Without it all tools."`
	Except      []string        `json:"except,omitempty" minLength:"1" doc:"Names or patterns that the rule leaves out."`
	Classes     []string        `json:"classes,omitempty" minItems:"1" enum:"read,write,destructive,unknown" doc:"Effective classes. In a rule that denies or asks, destructive covers unknown too."`
	Agents      []string        `json:"agents,omitempty" minItems:"1" minLength:"1" doc:"Slugs of agents."`
	Groups      []string        `json:"groups,omitempty" minItems:"1" minLength:"1" doc:"Groups, in one of which the user is."`
	Modes       []string        `json:"modes,omitempty" minItems:"1" enum:"off,read_only,ask,auto" doc:"Effective modes."`
	Tainted     *bool           `json:"tainted,omitempty" doc:"Whether content from outside is in the conversation."`
	When        json.RawMessage `json:"when,omitempty" doc:"A condition on the arguments: a JSON Schema of type, properties, required, enum, const, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems, pattern, items, not and anyOf."`
	Expires     string          `json:"expires,omitempty" format:"date-time" doc:"When the rule ends, such as 2027-01-31T12:00:00Z."`
	WaitSeconds int             `json:"wait_seconds,omitempty" min:"1" max:"2592000" doc:"How long a question of this rule stays open, at most 30 days."`
	Reason      string          `json:"reason,omitempty" doc:"Why, in your words: shown beside the decision."`
	Pins        []string        `json:"pins,omitempty" minItems:"1" minLength:"1" doc:"Digests of descriptors that an allow rule is bound to."`
}

type wireSource struct {
	Kind string `json:"kind" enum:"host,local-mcp,server" doc:"host is the application, local-mcp a process that it started, server an MCP server that was registered."`
	Name string `json:"name,omitempty" minLength:"1" doc:"One source of the kind. Without it each, and in an allow rule the application itself."`
}

type wireLimit struct {
	ID     string   `json:"id" minLength:"1" doc:"The limit's name, unique among the limits that an agent has."`
	Agents []string `json:"agents,omitempty" minItems:"1" minLength:"1" doc:"Slugs of agents. Without it each agent."`
	Groups []string `json:"groups,omitempty" minItems:"1" minLength:"1" doc:"Groups, in one of which the user is. Without it everybody."`
	Mode   string   `json:"mode" enum:"off,read_only,ask,auto" doc:"The widest mode."`
}

type wireCaps struct {
	Read        string `json:"read,omitempty" enum:"once,exact,pattern,session,user" doc:"For tools that read."`
	Write       string `json:"write,omitempty" enum:"once,exact,pattern,session,user" doc:"For tools that write."`
	Destructive string `json:"destructive,omitempty" enum:"once,exact,pattern,session,user" doc:"For tools whose effect cannot easily be changed back; covers unknown too."`
	Unknown     string `json:"unknown,omitempty" enum:"once,exact,pattern,session,user" doc:"For tools whose class nobody said."`
}
