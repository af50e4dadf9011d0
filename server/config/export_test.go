package config

import "time"

// Looks returns the function that looks at the file, to be called with times
// that are hours apart.
func (f *File) Looks(tell func(*Config, error)) func(now time.Time) {
	return newWatcher(f, tell, time.Now()).look
}
