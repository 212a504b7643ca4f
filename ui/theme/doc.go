// Package theme gives each text.Role its look and puts lines on a tcell screen.
//
// A theme never tells anything by colour alone: what a role means is also in the
// words and glyphs of the line. The package knows no widgets and reads no
// environment.
package theme
