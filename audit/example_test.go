package audit_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"strings"
	"time"

	"github.com/assentdev/assent/audit"
)

// exampleLog is a session of three events.
func exampleLog() (recs []audit.Record) {
	head := audit.Genesis("acme", audit.SessionStream("s1"))
	for _, payload := range []string{`{"text":"refund order 7"}`, `{"tool":"refund","args":{"card":"4242"}}`, `{"result":"done"}`} {
		r, err := head.Seal(audit.Draft{Type: "noted", Version: 1, Time: time.UnixMilli(1_780_000_000_000), Payload: []byte(payload)}, audit.NewSalt())
		if err != nil {
			fmt.Println(err)
			return nil
		}
		recs, head = append(recs, r), r.Head()
	}
	return recs
}

func ExampleVerify() {
	recs := exampleLog()
	recs[1].Payload = []byte(`{"tool":"refund","args":{"card":"9999"}}`)
	report, err := audit.Verify(audit.Records(seq(recs)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range report.Problems {
		fmt.Println(p)
	}
	// Output: line 2: stream session/s1, record 2: its payload was changed (edited)
}

// A checkpoint that was kept elsewhere shows that the end was cut off.
func ExampleSign() {
	recs := exampleLog()
	key, err := audit.NewKey()
	if err != nil {
		fmt.Println(err)
		return
	}
	kept, err := audit.Sign(audit.NewCheckpoint(time.Now(), true, []audit.Head{recs[2].Head()}), key)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := audit.Verify(audit.Records(seq(recs[:2])), &audit.VerifyOptions{
		Keys:  []ed25519.PublicKey{key.Public().(ed25519.PublicKey)},
		Saved: []*audit.Signed{kept},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Problems[0])
	// Output: stream session/s1, record 3: the stream ends with record 2 and a signed checkpoint knows more (truncated)
}

func ExampleExport() {
	var file bytes.Buffer
	_, err := audit.Export(&file, seq(exampleLog()), &audit.ExportOptions{
		Secrets: func(*audit.Record) []string { return []string{"/args/card"} },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(file.String()) {
		if i := strings.Index(line, `"payload":`); i > 0 {
			fmt.Print(line[i:])
		}
	}
	// Output:
	// "payload":{"text":"refund order 7"}}
	// "payload":{"tool":"refund","args":{"card":"***"}}}
	// "payload":{"result":"done"}}
}

func ExampleMask() {
	masked, n, err := audit.Mask([]byte(`{"users":[{"mail":"a@b.c","age":7}]}`), []string{"/users/*/mail"})
	fmt.Println(string(masked), n, err)
	// Output: {"users":[{"mail":"***","age":7}]} 1 <nil>
}
