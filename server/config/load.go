package config

import (
	"io"
	"os"
	"path/filepath"

	"github.com/assentdev/assent/fault"
)

// Load reads a file and those that it names, whose relative paths begin at its
// folder. The error has code fault.BadConfig; it is an *Error unless the file
// itself cannot be read.
func Load(path string) (*Config, error) {
	data, err := readFile(path, maxFile)
	if err != nil {
		return nil, unread(path, err)
	}
	return Parse(path, data, besides(path))
}

func unread(path string, err error) error {
	return fault.Wrap(err, fault.BadConfig, "%s: the file %s", path, whyUnread(err))
}

// besides lets a text name files beside its own.
func besides(path string) *Options {
	return &Options{
		ReadFile: func(name string) ([]byte, error) {
			return readFile(beside(path, name), max(maxInstructions, maxScript))
		},
		LookupEnv: os.LookupEnv,
	}
}

func beside(path, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(path), name)
}

// readFile reads one byte more than it may have, for the caller to see.
// A pipe or a device could block or never end.
func readFile(path string, most int) ([]byte, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fault.New(fault.BadConfig, "is no regular file: name one")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)+1))
}
