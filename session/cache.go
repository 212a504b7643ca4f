package session

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/google/renameio/v2"

	"coppice/transcript"
)

// cacheVersion is raised when the meaning of a summary changes although its
// fields stay the same. Changed fields are noticed by themselves.
const cacheVersion = 1

// cacheMax is the largest cache that is read: at some 2 KB a transcript, room for
// more than a hundred thousand of them. A larger file is not one that we wrote.
const cacheMax = 256 << 20

// errCacheNewer is returned for a cache that a newer program wrote. It is
// neither used nor overwritten.
var errCacheNewer = errors.New("written by a newer version; delete it or update")

// errCacheUnusable is returned for a cache that is damaged or of another shape.
var errCacheUnusable = errors.New("not usable")

// cacheEntry is what the cache keeps of one transcript: the summary of exactly
// that version of the file, and what is needed to go on from there. Nothing is
// ever resumed from it.
type cacheEntry struct {
	Path  string
	Stamp stamp
	State *transcript.State
}

// cacheHeader is the first line of a cache.
const cacheHeader = "coppice cache %d %08x %08x\n" // version, schema, checksum of the rest

// readCache returns the entries of a cache by path. A missing file is an empty cache.
func readCache(path string) (map[string]cacheEntry, error) {
	data, err := readBounded(path, cacheMax)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read cache: %w", err)
	}
	head, body, _ := bytes.Cut(data, []byte("\n"))
	var version int
	var schema, sum uint32
	n, _ := fmt.Sscanf(string(head)+"\n", cacheHeader, &version, &schema, &sum)
	switch {
	case n > 0 && version > cacheVersion:
		return nil, fmt.Errorf("read cache %s: %w", path, errCacheNewer)
	case n < 3 || version != cacheVersion || schema != cacheSchema() || sum != crc32.ChecksumIEEE(body):
		return nil, fmt.Errorf("read cache %s: %w", path, errCacheUnusable)
	}
	var list []cacheEntry
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(&list); err != nil {
		return nil, fmt.Errorf("read cache %s: %w: %w", path, errCacheUnusable, err)
	}
	entries := make(map[string]cacheEntry, len(list))
	for _, e := range list {
		entries[e.Path] = e
	}
	return entries, nil
}

// saveCache writes a cache of entries.
func saveCache(path string, entries []cacheEntry) error {
	data, err := encodeCache(entries)
	if err != nil {
		return err
	}
	return writeCache(path, data)
}

// encodeCache returns the bytes of a cache.
func encodeCache(entries []cacheEntry) ([]byte, error) {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(entries); err != nil {
		return nil, fmt.Errorf("encode cache: %w", err)
	}
	head := fmt.Sprintf(cacheHeader, cacheVersion, cacheSchema(), crc32.ChecksumIEEE(body.Bytes()))
	return append([]byte(head), body.Bytes()...), nil
}

// writeCache puts data in place of the cache: beside it, synced, renamed. A
// failed write leaves the old one whole (report F4).
func writeCache(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	if err := renameio.WriteFile(path, data, 0o600, renameio.WithTempDir(dir)); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	return nil
}

// cacheSchema tells whether a cache was written for the same fields.
func cacheSchema() uint32 {
	h := fnv.New32a()
	describe(h, reflect.TypeFor[cacheEntry]())
	return h.Sum32()
}

// describe writes the names and types of all fields of t.
func describe(w io.Writer, t reflect.Type) {
	_, _ = fmt.Fprintf(w, "%s;", t)
	switch t.Kind() { //nolint:exhaustive // the others have no parts
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				_, _ = fmt.Fprintf(w, "%s:", f.Name)
				describe(w, f.Type)
			}
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		describe(w, t.Elem())
	}
}
