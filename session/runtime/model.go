package runtime

import "strings"

// modelVariable names a model in the environment, which beats the recorded one.
const modelVariable = "ANTHROPIC_MODEL"

// RestoreModel decides the model from Model, Getenv and KnownModel of env. stored
// is that of the newest answer in the conversation (client-behaviour 7.4,
// observed A.4).
func RestoreModel(stored string, env Environment) Fact {
	if env.Model != "" {
		return fact(env.Model, stored, "asked for")
	}
	if env.Getenv != nil {
		if model := env.Getenv(modelVariable); model != "" {
			return fact(model, stored, "set by "+modelVariable)
		}
	}
	switch {
	case stored == "":
		return Fact{Reason: "none is recorded"}
	case providersOwn(stored):
		return fact("", stored, "the recorded one is an id of another provider")
	case env.KnownModel != nil:
		if ok, reason := env.KnownModel(stored); !ok {
			if reason == "" {
				reason = "it cannot be used any more"
			}
			return fact("", stored, reason)
		}
	}
	return Fact{Value: stored}
}

// providersOwn says whether an id means something at one provider only: an ARN
// or an inference profile ("us.anthropic.…"), or a name with a version behind "@".
func providersOwn(model string) bool {
	return strings.HasPrefix(model, "arn:") || strings.Contains(model, "anthropic.") || strings.Contains(model, "@")
}

// realModel says whether a recorded model is one, not the mark of an answer that
// no model gave.
func realModel(model string) bool { return model != "" && !strings.HasPrefix(model, "<") }
