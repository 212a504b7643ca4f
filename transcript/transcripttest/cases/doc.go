// Package cases holds the transcripts of the conformance suite: the experiments
// with the real client, and random ones. For each experiment testdata/client
// holds what the client sends when it resumes the transcript, in a notation that
// a person can read and that holds nothing of the client's own words.
//
// The suite of session/lab compares those files with the real client, and records
// them anew: go test -tags lab -run TestConformance$ ./session/lab -update. The
// tests of transcript/repair compare our own policy with them.
package cases
