package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"
)

// Limits on a file. What is over MaxSize bytes is refused; of more than
// MaxProblems problems the rest is only counted, since finding a line costs a
// pass over the file.
const (
	MaxSize     = 1 << 20
	MaxProblems = 100
)

// Load reads the file at path over the defaults. What is wrong with it comes
// back as Problems in the order of the file, and the rest is used; with a syntax
// error, or a file that cannot be read or is of a newer Version, the defaults
// are. A file that does not exist is no problem.
//
// A leading ~ in a path stands for home. actions are the names that [keys] may
// use; nil allows any. The result shares nothing with the next one.
func Load(path, home string, actions []string) (Config, []Problem) {
	data, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // HOME=/dev/null
		return Default(), nil
	case err != nil:
		return Default(), []Problem{{File: path, Message: "cannot be read, so the defaults are in force: " + err.Error()}}
	}
	d := decoder{file: path, home: home, actions: actions}
	return d.decode(data)
}

// String returns the problem as one line: "file:line: key: message".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	if p.Key != "" {
		b.WriteString(": " + p.Key)
	}
	b.WriteString(": " + p.Message)
	return b.String()
}

// readFile reads a regular file of at most MaxSize bytes: opening anything else
// (a pipe) could hang. Its errors do not repeat the path.
func readFile(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, bare(err)
	}
	if !fi.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, bare(err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, bare(err)
	}
	if len(data) > MaxSize {
		return nil, fmt.Errorf("larger than %d bytes", MaxSize)
	}
	return data, nil
}

// bare returns err without its operation and path.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// decoder reads one file. Values are decoded one at a time, so that a wrong one
// costs nothing but itself.
type decoder struct {
	file     string
	home     string
	actions  []string
	meta     toml.MetaData
	problems []Problem
	more     int // problems beyond MaxProblems
}

// fields says how the keys of one table are read.
type fields map[string]func(key string, value toml.Primitive)

func (d *decoder) decode(data []byte) (Config, []Problem) {
	var top map[string]toml.Primitive
	meta, err := toml.Decode(string(data), &top)
	if err != nil {
		d.syntax(err)
		return Default(), d.problems
	}
	d.meta = meta
	if v, ok := top["version"]; ok && !d.version(v) {
		return Default(), d.problems
	}
	c := Default()
	d.read("", top, d.topFields(&c))
	d.checkAgent(&c, top["agent"])
	slices.SortStableFunc(d.problems, func(a, b Problem) int { return a.Line - b.Line })
	if d.more > 0 {
		d.problems = append(d.problems, Problem{File: d.file, Message: fmt.Sprintf("and %d more", d.more)})
	}
	return c, d.problems
}

// syntax records that the file is no TOML.
func (d *decoder) syntax(err error) {
	p := Problem{File: d.file, Message: "not TOML, so the defaults are in force: " + err.Error()}
	var pe toml.ParseError
	if errors.As(err, &pe) {
		p.Line = pe.Position.Line
		p.Message = "not TOML, so the defaults are in force: " + pe.Message
	}
	d.problems = append(d.problems, p)
}

// version reads the version of the format and reports whether the rest of the
// file can be understood.
func (d *decoder) version(value toml.Primitive) bool {
	known := true
	var v int
	set(d, "version", value, &v, "a whole number", func(n int) string {
		known = n <= Version
		switch {
		case !known:
			return fmt.Sprintf("this file is of version %d and this program knows %d, so the defaults are in force; update coppice", n, Version)
		case n < 1:
			return fmt.Sprintf("there is no version %d; allowed is %d", n, Version)
		}
		return ""
	})
	return known
}

// read hands each value of a table to its field. name is the table's key, ""
// for the whole file.
func (d *decoder) read(name string, table map[string]toml.Primitive, f fields) {
	for _, k := range sortedKeys(table) {
		key := toml.Key{k}.String()
		if name != "" {
			key = name + "." + key
		}
		if read, ok := f[k]; ok {
			read(key, table[k])
			continue
		}
		d.add(key, table[k], "unknown key; allowed here: "+strings.Join(sortedKeys(f), ", "))
	}
}

// table reads a value that must be a table and hands its values to f.
func (d *decoder) table(key string, value toml.Primitive, f fields) {
	if t, ok := d.values(key, value); ok {
		d.read(key, t, f)
	}
}

// values returns the values of a table.
func (d *decoder) values(key string, value toml.Primitive) (map[string]toml.Primitive, bool) {
	var t map[string]toml.Primitive
	// Anything but a table leaves the map nil, for the most part without an error.
	if err := d.meta.PrimitiveDecode(value, &t); err != nil || t == nil {
		d.add(key, value, "must be a table: ["+key+"]")
		return nil, false
	}
	return t, true
}

// set decodes value into dst when it has the type of dst and check, which may
// be nil, has nothing to say against it. want names the type for a message.
func set[T any](d *decoder, key string, value toml.Primitive, dst *T, want string, check func(T) string) {
	var v T
	if err := d.meta.PrimitiveDecode(value, &v); err != nil {
		d.add(key, value, "must be "+want)
		return
	}
	if check != nil {
		if wrong := check(v); wrong != "" {
			d.add(key, value, wrong)
			return
		}
	}
	*dst = v
}

// add records a problem with value.
func (d *decoder) add(key string, value toml.Primitive, message string) {
	if len(d.problems) >= MaxProblems {
		d.more++
		return
	}
	d.problems = append(d.problems, Problem{File: d.file, Line: d.line(value), Key: key, Message: message})
}

// line returns where a value stands, 0 when that is not known. The library tells
// the position of a value only in the error of a type that refuses it.
func (d *decoder) line(value toml.Primitive) int {
	var pe toml.ParseError
	if errors.As(d.meta.PrimitiveDecode(value, refuser{}), &pe) {
		return pe.Position.Line
	}
	return 0
}

// refuser accepts no value.
type refuser struct{}

func (refuser) UnmarshalTOML(any) error { return errors.ErrUnsupported }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
