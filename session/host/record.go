package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"
)

// record is what lies on disk about a host, so that it is known what was live
// before a crash or a reboot.
type record struct {
	Version int `json:"version"`
	Info
	Process  process  `json:"process"`
	AgentAt  process  `json:"agentProcess"` // of the agent
	Socket   string   `json:"socket"`
	EnvNames []string `json:"envNames"` // without their values
	Read     bool     `json:"read"`     // a viewer has read the exit
}

const (
	recordVersion = 1
	recordMax     = 4 << 20 // bytes
	recordsMax    = 4096
	recordKeep    = 14 * 24 * time.Hour // of a host that is no more
)

// write puts the record in place of the last one.
func (r record) write(d Dirs) error {
	r.Unseen = Unseen{} // what the agent said is not for the disk
	data, err := json.Marshal(r)
	if err == nil {
		err = renameio.WriteFile(d.record(r.Host), append(data, '\n'), 0o600, renameio.WithTempDir(d.hosts()))
	}
	if err != nil {
		return fmt.Errorf("write the record of host %s in %s: %w", r.Host, d.hosts(), err)
	}
	return nil
}

// ErrUnknown is returned for an id that no host has or had.
var ErrUnknown = errors.New("there is no such host")

// readRecord reads the record of a host. One that makes no sense is an error, but
// what it says is returned as far as it can be read.
func (d Dirs) readRecord(id string) (record, error) {
	r := record{Info: Info{Host: id}, Socket: d.socket(id)}
	f, err := os.OpenFile(d.record(id), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		return r, fmt.Errorf("%w: %s", ErrUnknown, id)
	}
	if err != nil {
		return r, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, recordMax))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if r.Version > recordVersion {
		err = errors.Join(err, fmt.Errorf("a newer version of this program wrote it (%d)", r.Version))
	}
	if r.Host != id {
		err = errors.Join(err, fmt.Errorf("it names another host"))
		r.Host, r.Socket = id, d.socket(id)
	}
	if err != nil {
		return r, fmt.Errorf("read the record of host %s: %w", id, err)
	}
	return r, nil
}

// ids returns the hosts that have a record or a socket, in order. Sockets that
// cannot be listed are those of hosts with a record, but for ones on a full disk.
func (d Dirs) ids() ([]string, error) {
	ids, err := named(d.hosts(), ".json")
	if err != nil {
		return nil, fmt.Errorf("list hosts: %w", err)
	}
	more, _ := named(d.Runtime, ".sock")
	ids = append(ids, more...)
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// named returns the ids that files of a directory are named by, at most
// recordsMax.
func named(dir, ending string) (ids []string, err error) {
	f, err := os.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(4 * recordsMax)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, ending); ok && validID(id) && len(ids) < recordsMax {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Forget removes what is on disk of a host that is no more. One whose process runs
// is left alone.
func Forget(d Dirs, id string) error {
	if !validID(id) {
		return fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	r, _ := d.readRecord(id)
	if r.Process.find() == alive {
		return fmt.Errorf("host %s runs: end it first", id)
	}
	var failed error
	for _, path := range []string{r.Socket, d.settings(id), d.log(id), d.record(id)} {
		if filepath.IsAbs(path) {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				failed = errors.Join(failed, err)
			}
		}
	}
	return failed
}

// prune forgets hosts that ended long ago, and what a write that broke off left.
func (d Dirs) prune() {
	entries, _ := os.ReadDir(d.hosts())
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < recordKeep {
			continue
		}
		id, isRecord := strings.CutSuffix(e.Name(), ".json")
		switch {
		case isRecord && validID(id):
			_ = Forget(d, id)
		case strings.HasPrefix(e.Name(), "."):
			_ = os.Remove(filepath.Join(d.hosts(), e.Name()))
		}
	}
}
