// Package text turns strings into what a terminal's cells can hold: it makes
// foreign text harmless, measures and cuts by grapheme cluster, wraps, maps to
// ASCII, and defines lines of spans whose look is named by a Role.
//
// It is pure: no screen, no colours, no input or output, no state. A width is
// always in cells, counted as tcell counts them (by rivo/uniseg), and no
// function ever cuts through a cluster or halves a wide cell.
//
// The rule of the package: text from outside goes through Clean or CleanLines
// before it is measured, and a Span built by Foreign has done so.
package text
