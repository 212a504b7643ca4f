// Package ui owns the screen: the dashboard's model, its keys, and how it is
// drawn with tview.
//
// The model is touched on tview's loop only. Workers send messages to one pump,
// the sole caller of QueueUpdateDraw. Rendering is pure: a model and a size in,
// lines of styled spans out; nothing from outside reaches the screen unescaped.
// The package never reads transcripts, repositories or the environment by
// itself: it is handed a Store and a few functions.
package ui
