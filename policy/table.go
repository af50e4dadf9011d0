package policy

// table is SPEC C1. Its zero is Hidden, so a pair that is missing here hides.
var table = [Auto + 1][Unknown + 1]Verdict{
	Off:      {},
	ReadOnly: {Read: Run},
	Ask:      {Read: Run, Write: AskFirst, Destructive: AskFirst, Unknown: AskFirst},
	Auto:     {Read: Run, Write: Run, Destructive: AskFirst, Unknown: AskFirst},
}

// Decide returns what a mode does with a tool of a class where nothing else has
// a say (SPEC C1): Run, AskFirst or Hidden. Applications that draw their own
// list of tools ask it. A number that is no mode counts as Off; NotGiven and a
// number that is no class count as Unknown.
func Decide(mode Mode, class Class) Verdict {
	return table[mode.known()][class.Known()]
}
