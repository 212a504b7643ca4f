package transcript

import "github.com/google/uuid"

// IsID reports whether a value has the shape of a session id: a UUID as files
// and records spell it, in letters of either case.
func IsID(value string) bool { return len(value) == 36 && uuid.Validate(value) == nil }
