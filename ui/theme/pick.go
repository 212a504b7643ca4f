package theme

import "strings"

// Pick returns the theme to use: the configured one where the terminal can show
// it. env looks up environment variables.
//
//   - NO_COLOR, not empty, and terminals without colours: "none";
//   - "dark" and "light" on a terminal not known to have 256 colours: "16";
//   - a name that is not known: as if it were "dark".
//
// ASCII is set where the locale is not UTF-8.
func Pick(name string, env func(string) string) Theme {
	t, ok := Named(name)
	if !ok {
		t = dark().theme("dark")
	}
	switch {
	case env("NO_COLOR") != "" || colourless(env("TERM")):
		t = plain()
	case (t.name == "dark" || t.name == "light") && !manyColours(env("TERM"), env("COLORTERM")):
		t = sixteen()
	}
	t.ASCII = !UTF8(env)
	return t
}

// UTF8 reports whether the locale of env is one that tcell sends UTF-8 in: it
// names UTF-8 or no character set at all, and is not C or POSIX, which also no
// locale at all is (report G14).
func UTF8(env func(string) string) bool {
	locale := env("LC_ALL")
	for _, name := range [...]string{"LC_CTYPE", "LANG"} {
		if locale == "" {
			locale = env(name)
		}
	}
	locale, _, _ = strings.Cut(locale, "@")
	if locale == "" || locale == "C" || locale == "POSIX" {
		return false
	}
	_, charset, named := strings.Cut(locale, ".")
	charset = strings.ReplaceAll(strings.ToLower(charset), "-", "")
	return !named || charset == "utf8"
}

// colourless reports whether a terminal has no colours.
func colourless(term string) bool {
	return term == "dumb" || strings.HasPrefix(term, "vt") || strings.HasSuffix(term, "-m") || strings.HasSuffix(term, "-mono")
}

// manyColours reports whether a terminal is known to have 256 colours or more.
func manyColours(term, colorterm string) bool {
	if colorterm == "truecolor" || colorterm == "24bit" || colorterm == "24-bit" {
		return true
	}
	for _, part := range [...]string{"256color", "truecolor", "direct", "kitty", "ghostty", "alacritty", "wezterm", "foot", "contour"} {
		if strings.Contains(term, part) {
			return true
		}
	}
	return false
}
