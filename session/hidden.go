package session

import (
	"strings"

	"coppice/transcript"
)

// hiddenReason says why a session is not listed by default, or "" (DESIGN
// "Which files are rows"). What is missing counts only once the whole file was
// looked at.
func hiddenReason(sum *transcript.Summary, size int64) string {
	conversation := sum.HasMain || sum.Sidechain
	switch {
	case size == 0:
		return "empty file"
	case strings.HasPrefix(sum.Entrypoint, "sdk-"):
		return "print mode or SDK (" + sum.Entrypoint + ")"
	case strings.HasPrefix(sum.Kind, "daemon"):
		return "background service (" + sum.Kind + ")"
	case sum.Team:
		return "agent team"
	case !sum.Complete || sum.Records == 0:
		return "" // not known yet, or damaged through and through, which is shown
	case !conversation:
		return "no conversation"
	case !sum.Prompted && sum.Messages == 0 && sum.HasMain:
		return "only local commands"
	}
	return ""
}

// notReady says why a session cannot be resumed, or "". The client would open a
// blank conversation on such a file, or refuse (observed A.3, F).
func notReady(sum *transcript.Summary, size int64, problem string) string {
	switch {
	case problem != "":
		return "the transcript cannot be read: " + problem
	case size == 0:
		return "the transcript is empty"
	case !sum.Complete || sum.HasMain:
		return ""
	case sum.Records == 0:
		return "the transcript has no readable record"
	case sum.Sidechain:
		return "the transcript holds nothing but an agent's side conversation"
	}
	return "the transcript holds no conversation"
}
