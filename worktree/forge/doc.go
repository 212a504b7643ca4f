// Package forge asks the place that a repository is published at about its pull
// requests, by the person's own gh or glab program.
//
// It owns the questions and the reading of the answers, which are foreign text in
// every part. It never reads a credential, never changes anything there, and lets
// the program see no repository: it is told the address and runs elsewhere.
package forge
