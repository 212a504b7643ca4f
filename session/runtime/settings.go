package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"coppice/transcript"
)

// maxSettings bounds what is read of a settings file, in bytes.
const maxSettings = 1 << 20

const day = 24 * time.Hour

// settings are the settings that matter here, each from the first file that has
// it: the directory's local ones, its shared ones, those of the config root.
type settings struct {
	plansDirectory string
	cleanupDays    int
}

func readSettings(dir, root place) (settings, []Finding) {
	var s settings
	var findings []Finding
	for _, file := range []struct {
		in   place
		name string
	}{
		{dir, filepath.Join(".claude", "settings.local.json")},
		{dir, filepath.Join(".claude", "settings.json")},
		{root, "settings.json"},
	} {
		data, err := file.in.read(file.name, maxSettings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !gjson.ValidBytes(data) {
			findings = append(findings, Finding{CheckSettings, fmt.Sprintf("%s cannot be read: its settings do not count", file.in.path(file.name))})
			continue
		}
		if v := gjson.GetBytes(data, "plansDirectory"); s.plansDirectory == "" && v.Type == gjson.String {
			s.plansDirectory = v.Str
		}
		if v := gjson.GetBytes(data, "cleanupPeriodDays"); s.cleanupDays == 0 && v.Num >= 1 && v.Num < 1e5 {
			s.cleanupDays = int(v.Num)
		}
	}
	if s.cleanupDays == 0 {
		s.cleanupDays = int(transcript.DefaultRetention / day)
	}
	return s, findings
}

// expiring says whether the agent's sweep takes a file of that age soon.
func (s settings) expiring(modified, now time.Time) bool {
	return transcript.Expiring(modified, now, time.Duration(s.cleanupDays)*day)
}
