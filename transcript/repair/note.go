package repair

import (
	"strings"

	"github.com/tidwall/gjson"
)

// noteText says in our own words what an attachment that records no text told
// the model; "" for nothing. Which kinds tell something, and in what kind of
// message, is the client's (run 2.1.332 on each); the words are not.
func noteText(typ string, a gjson.Result) string {
	switch typ {
	case "queued_command":
		return lead("The user sent this while you worked:", plain(a.Get("prompt")), true)
	case "file":
		return lead("The file "+a.Get("filename").String()+" holds:", a.Get("content.file.content").String(), false)
	case "directory":
		return lead("The directory "+a.Get("path").String()+" holds:", a.Get("content").String(), false)
	case "edited_text_file":
		return lead("The file "+a.Get("filename").String()+" was changed by someone:", a.Get("snippet").String(), true)
	case "nested_memory":
		return lead("Instructions from "+a.Get("path").String()+":", a.Get("content.content").String(), false)
	case "plan_file_reference":
		return lead("The plan in "+a.Get("planFilePath").String()+":", a.Get("planContent").String(), false)
	case "selected_lines_in_ide":
		return lead("The user selected in "+a.Get("filename").String()+":", a.Get("content").String(), true)
	case "mcp_resource":
		return lead("The resource "+a.Get("uri").String()+" holds:", texts(a.Get("content.contents.#.text")), false)
	case "invoked_skills":
		return lead("Skills used before:", texts(a.Get("skills.#.content")), false)
	case "relevant_memories":
		return lead("Notes that may matter:", texts(a.Get("memories.#.content")), false)
	case "diagnostics":
		return lead("New diagnostics:", texts(a.Get("files.#.diagnostics.#.message|@flatten")), false)
	}
	if text := hookText(typ, a); text != "" {
		return text
	}
	return stateText(typ, a)
}

// hookText is noteText for what hooks said.
func hookText(typ string, a gjson.Result) string {
	hook := "The hook " + a.Get("hookName").String()
	switch typ {
	case "hook_success":
		if e := a.Get("hookEvent").Str; e == "SessionStart" || e == "UserPromptSubmit" {
			return lead(hook+" said:", a.Get("content").String(), false)
		}
	case "hook_additional_context":
		return lead(hook+" added:", plain(a.Get("content")), false)
	case "hook_blocking_error":
		return lead(hook+" refused:", a.Get("blockingError.blockingError").String(), true)
	case "hook_stopped_continuation":
		return lead(hook+" stopped the work:", a.Get("message").String(), true)
	case "async_hook_response":
		system, more := a.Get("response.systemMessage").String(), a.Get("response.hookSpecificOutput.additionalContext").String()
		return lead(hook+" answered:", strings.Trim(system+"\n"+more, "\n"), false)
	}
	return ""
}

// stateText is noteText for what was so at the time.
func stateText(typ string, a gjson.Result) string {
	switch typ {
	case "critical_system_reminder":
		return a.Get("content").String()
	case "opened_file_in_ide":
		return "The user opened " + a.Get("filename").String() + "."
	case "compact_file_reference":
		return "The file " + a.Get("filename").String() + " was read before; its text is no longer here."
	case "pdf_reference":
		return "The document " + a.Get("filename").String() + " has " + a.Get("pageCount").String() + " pages."
	case "agent_mention":
		return "The user asks for the agent " + a.Get("agentType").String() + "."
	case "output_style":
		return "Output style: " + a.Get("style").String() + "."
	case "plan_mode":
		return "Plan mode is on: change nothing but the plan " + a.Get("planFilePath").String() + "."
	case "plan_mode_exit":
		return "Plan mode is off."
	case "auto_mode":
		return "Auto mode is on."
	case "task_status":
		return "Task " + a.Get("taskId").String() + " is " + a.Get("status").String() + "."
	case "date":
		return "The date is " + a.Get("date").String() + "."
	case "date_change":
		return "The date is " + a.Get("newDate").String() + " now."
	case "session_context":
		return lead("Context:", texts(a.Get("context.@values")), false)
	case "skill_listing":
		return lead("Skills:", a.Get("content").String(), false)
	case "deferred_tools_delta", "agent_listing_delta":
		return lead("Now there are:", texts(a.Get("addedLines")), false)
	case "mcp_instructions_delta":
		return lead("Instructions:", texts(a.Get("addedBlocks")), false)
	case "token_usage", "budget_usd":
		return "Used: " + a.Get("used").String() + " of " + a.Get("total").String() + "."
	case "ultrathink_effort":
		return "The user asks for thorough thinking."
	}
	return ""
}

// lead returns a text under a line that says what it is; without a text nothing,
// unless the line says something by itself.
func lead(line, text string, always bool) string {
	if text == "" && !always {
		return ""
	}
	return line + "\n" + text
}

// plain returns a text, or the texts of a list of strings or blocks.
func plain(v gjson.Result) string {
	if !v.IsArray() {
		return v.String()
	}
	var all []string
	v.ForEach(func(_, e gjson.Result) bool {
		switch {
		case e.Type == gjson.String:
			all = append(all, e.Str)
		case e.Get("type").Str == "text":
			all = append(all, e.Get("text").String())
		}
		return true
	})
	return strings.Join(all, "\n")
}

// texts returns a list's strings, one below the other.
func texts(v gjson.Result) string {
	var all []string
	for _, e := range v.Array() {
		if e.Type == gjson.String && e.Str != "" {
			all = append(all, e.Str)
		}
	}
	return strings.Join(all, "\n")
}
