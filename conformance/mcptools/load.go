package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// server is a file of descriptors.
type server struct {
	name  string // of the file
	tools []descriptor
}

// descriptor is a tool as tools/list tells it.
type descriptor struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  json.RawMessage `json:"annotations"`
}

func load(dir string) ([]server, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no *.json in %s", dir)
	}
	var servers []server
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var list struct{ Tools []descriptor }
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		servers = append(servers, server{strings.TrimSuffix(filepath.Base(file), ".json"), list.Tools})
	}
	return servers, nil
}

// tools are the server's tools as a local MCP server's, whose class nobody says (SPEC C3).
func (s server) toolList() []*tool.Tool {
	var list []*tool.Tool
	for _, d := range s.tools {
		list = append(list, &tool.Tool{
			Name: d.Name, Title: d.Title, Description: d.Description, Input: d.InputSchema, Hints: d.Annotations,
			Source: tool.Source{Kind: policy.LocalMCP, Name: s.name},
		})
	}
	return list
}
