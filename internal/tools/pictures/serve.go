package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	startLimit = time.Minute     // until a program says its address
	stopLimit  = 5 * time.Second // until one that was asked to stop is killed
)

// server is a program that serves pages.
type server struct {
	url  string
	stop func() // ends the program, with all that it started, and waits for it
}

// serve starts a command and reads the address from the first line it prints.
// The rest of its output goes to ours.
func serve(ctx context.Context, command []string) (*server, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = stopLimit
	read, write := io.Pipe()
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is stopped, so its exit code says nothing
		write.CloseWithError(errors.New("it ended without saying its address"))
		close(ended)
	}()
	stop := func() {
		cancel()
		<-ended
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what did not listen
	}
	timer := time.AfterFunc(startLimit, func() {
		write.CloseWithError(fmt.Errorf("it said no address within %s", startLimit))
	})
	defer timer.Stop()
	address, err := firstLine(read)
	if err != nil {
		read.Close() // nobody reads what else it says
		stop()
		return nil, err
	}
	return &server{url: address, stop: stop}, nil
}

// firstLine reads an address, and passes on what follows in the background.
func firstLine(r io.Reader) (string, error) {
	lines := bufio.NewReader(r)
	line, err := lines.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSpace(line)
	if u, err := url.Parse(line); err != nil || u.Host == "" {
		return "", fmt.Errorf("the first line is no address: %q", line)
	}
	go func() { _, _ = io.Copy(os.Stderr, lines) }() // ends with the program
	return line, nil
}
