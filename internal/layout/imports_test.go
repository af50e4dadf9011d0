package layout_test

import (
	"strings"
	"testing"
)

// doors are the folders that the SDK must never reach, directly or through others.
var doors = []string{"server", "mcpsource", "mcpserve", "cmd", "examples", "conformance", "web", "api", "client"}

// databases are the folders outside of the doors that may use database/sql.
var databases = []string{"resource/sqldata"}

// guests says which folders may import a library from outside. Any other import
// of a module that is not listed here is an error, so that a new dependency
// comes with a line in docs/decisions/libraries.md.
var guests = map[string][]string{
	"github.com/santhosh-tekuri/jsonschema": {"schema"},
	"github.com/dlclark/regexp2":            {"schema"},
	"github.com/openai/openai-go":           {"model/openai"},
	"github.com/modelcontextprotocol":       {"mcpsource", "mcpserve"},
	"github.com/spf13/cobra":                {"cmd"},
	"golang.org/x/term":                     {"cmd", "internal/tui"},
	"golang.org/x/text":                     {"schema"},
	"go.opentelemetry.io/otel":              {".", "engine"},
	"pgregory.net/rapid":                    {"assenttest"},
	"github.com/rogpeppe/go-internal":       {"assenttest"},
	"github.com/chromedp":                   {"internal/browser"},
	"modernc.org/sqlite":                    {"server/sqlite", "examples/shop"},
	"github.com/jackc/pgx":                  {"server/postgres"},
	"go.yaml.in/yaml":                       {"server/config"},
}

func TestPolicyImportsOnlyTheStandardLibrary(t *testing.T) {
	policy := packages(t)[module+"/policy"]
	if policy == nil {
		t.Fatal("there is no package policy")
	}
	for _, dep := range policy.Deps {
		if p := packages(t)[dep]; p == nil || !p.Standard {
			t.Errorf("policy depends on %s", dep)
		}
	}
}

func TestTheSDKNeverReachesADoor(t *testing.T) {
	for _, p := range ours(t) {
		if within(p.path(), doors...) || within(p.path(), "internal") {
			continue
		}
		for _, dep := range p.Deps {
			if d := packages(t)[dep]; d != nil && within(d.path(), doors...) {
				t.Errorf("%s depends on %s", p.path(), dep)
			}
			sql := strings.HasPrefix(dep, "database/sql") && !within(p.path(), databases...)
			if sql || strings.Contains(dep, "modelcontextprotocol") {
				t.Errorf("%s depends on %s", p.path(), dep)
			}
		}
	}
}

func TestOnlyTheRightFolderImportsALibrary(t *testing.T) {
	for _, p := range ours(t) {
		for _, imp := range p.Imports {
			d := packages(t)[imp]
			if d == nil || d.Standard || d.path() != "" {
				continue
			}
			folders, known := allowed(imp)
			if !known {
				t.Errorf("%s imports %s, which this test does not list: add it here and to docs/decisions/libraries.md", p.path(), imp)
			} else if !within(p.path(), folders...) {
				t.Errorf("%s imports %s, which belongs to %v only", p.path(), imp, folders)
			}
		}
	}
}

func allowed(imp string) (folders []string, known bool) {
	for prefix, folders := range guests {
		if imp == prefix || strings.HasPrefix(imp, prefix+"/") {
			return folders, true
		}
	}
	return nil, false
}

// helpers are the packages that are made for tests.
var helpers = []string{
	"assenttest", "resource/resourcetest", "engine/journal/journaltest", "server/storetest", "server/auth/authtest",
	"internal/tui/terminal/ptytest",
}

func TestOnlyTestHelpersImportTesting(t *testing.T) {
	for _, p := range ours(t) {
		if within(p.path(), helpers...) {
			continue
		}
		for _, imp := range p.Imports {
			if imp == "testing" {
				t.Errorf("%s imports testing outside of its tests", p.path())
			}
		}
	}
}
