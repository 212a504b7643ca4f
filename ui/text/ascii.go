package text

import "strings"

// ASCII returns s in ASCII and of the same width, for locales that are not
// UTF-8: the glyphs that Coppice draws with become their twins, any other
// character "?" for each of its cells. Apply it last, when s is laid out.
func ASCII(s string) string {
	if plain(s) {
		return s
	}
	var out strings.Builder
	for s != "" {
		var cluster string
		var w int
		cluster, w, s = Cluster(s)
		switch {
		case plain(cluster) || cluster == "\n":
			out.WriteString(cluster)
		case w == 1 && twin(cluster) != "":
			out.WriteString(twin(cluster))
		default:
			out.WriteString(strings.Repeat("?", w))
		}
	}
	return out.String()
}

// twin returns the ASCII character for one of our glyphs, or "".
func twin(glyph string) string {
	for _, t := range [...]struct{ glyphs, ascii string }{
		{"◉", "@"},
		{"○◦", "o"},
		{"●•⎿*", "*"},
		{"◌·", "."},
		{"▸›→⟩»", ">"},
		{"‹←⟨«", "<"},
		{"▾↓", "v"},
		{"✓✔", "="},
		{"↑▴", "^"},
		{"✗×✕", "x"},
		{"⎇", "Y"},
		{"±", "+"},
		{"…", "~"},
		{"─━┄┈╌–—", "-"},
		{"│┃┆┊╎", "|"},
		{"├┤", "|"},
		{"▏", "|"},
		{"┌┐└┘┬┴┼╭╮╰╯╔╗╚╝", "+"},
		{"═", "="},
		{"║", "|"},
		{"█▓▒■▮", "#"},
		{"░▯□", "."},
		{"⏎↵", "<"},
		{"‘’", "'"},
		{"“”", `"`},
		{"\u00a0\u2002\u2003\u2009\u202f", " "},
	} {
		if strings.Contains(t.glyphs, glyph) {
			return t.ascii
		}
	}
	return ""
}
