package rules_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	root     = "../../.."
	maxLines = 600 // a file over this is several files
)

func TestFilesStayShort(t *testing.T) {
	t.Parallel()
	for path, src := range sources(t) {
		if n := bytes.Count(src, []byte("\n")); n > maxLines && !strings.HasSuffix(path, "_test.go") {
			t.Errorf("%s has %d lines, more than %d", path, n, maxLines)
		}
	}
}

func TestNoInit(t *testing.T) {
	t.Parallel()
	for path, src := range sources(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: func init hides a dependency; make it an argument", path)
			}
		}
	}
}

// sources returns every Go file of the module by its path below the root.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && path != root {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		all[filepath.ToSlash(rel)] = src
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
