package config

import (
	"cmp"
	"log/slog"
	"net/http"

	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
	"github.com/assentdev/assent/model/scripted"
)

// Model returns a model of the provider by the provider's own name of it. It
// reads the key and sends nothing. A nil client is http.DefaultClient, a nil
// logger silent. The error has code fault.BadConfig.
func (p *Provider) Model(name string, client *http.Client, log *slog.Logger) (model.Model, error) {
	if p.Kind == Scripted {
		return p.script()
	}
	key, err := p.Key()
	if err != nil {
		return nil, err
	}
	retries := cmp.Or(p.Retries, -1) // zero means the default there
	return openai.New(openai.Options{
		BaseURL: p.BaseURL, Key: key, Model: name, MaxRetries: retries, Idle: p.Timeout, HTTPClient: client, Logger: log,
	})
}

func (p *Provider) script() (model.Model, error) {
	if p.Script == nil {
		return scripted.NewScript(scripted.Definition{Name: p.Name})
	}
	return scripted.ReadScript(p.Script)
}
