package runtime

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"coppice/transcript"
)

// maxSettings bounds what is read of a settings file, in bytes.
const maxSettings = 1 << 20

const day = 24 * time.Hour

// Settings are those of the client's settings that matter here, each from the
// first file that has it: the directory's local ones, its shared ones, those of
// the config root (as run with the client: the directory's win).
type Settings struct {
	DefaultMode    string   // the permission mode in which a new session starts; "" when none says so
	PlansDirectory string   // as written; "" when none says so
	CleanupDays    int      // the age by mtime at which the client removes transcripts (report F5); 0 when none says so
	Unread         []string // files that are there and cannot be read: they do not count
}

// ReadSettings reads the settings for a directory and a config root; where one of
// them is no absolute path it has none. Links are followed, as the client does.
func ReadSettings(root, dir string) Settings {
	var s Settings
	for _, path := range []string{
		filepath.Join(dir, ".claude", "settings.local.json"),
		filepath.Join(dir, ".claude", "settings.json"),
		filepath.Join(root, "settings.json"),
	} {
		if !filepath.IsAbs(path) {
			continue
		}
		data, err := readSettings(path)
		switch {
		case err == nil:
			s.add(data)
		case !errors.Is(err, fs.ErrNotExist):
			s.Unread = append(s.Unread, path)
		}
	}
	return s
}

// readSettings returns the JSON of a settings file.
func readSettings(path string) ([]byte, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && (info.Size() > maxSettings || !gjson.ValidBytes(data)) {
		err = fmt.Errorf("%s holds more than %d bytes, or no JSON", path, maxSettings)
	}
	return data, err
}

// add takes what no file before has.
func (s *Settings) add(data []byte) {
	const most = 100 * 365 // days, so that no setting overflows
	found := gjson.GetManyBytes(data, "permissions.defaultMode", "plansDirectory", "cleanupPeriodDays")
	if v := found[0]; s.DefaultMode == "" && v.Type == gjson.String && Strictness(v.Str) >= 0 {
		s.DefaultMode = v.Str
	}
	if v := found[1]; s.PlansDirectory == "" && v.Type == gjson.String {
		s.PlansDirectory = v.Str
	}
	if v := found[2]; s.CleanupDays == 0 && v.Num >= 1 {
		s.CleanupDays = int(min(v.Num, most))
	}
}

// Retention returns the age by mtime at which the client removes transcripts.
func (s Settings) Retention() time.Duration {
	if s.CleanupDays == 0 {
		return transcript.DefaultRetention
	}
	return time.Duration(s.CleanupDays) * day
}
