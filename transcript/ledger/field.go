package ledger

// field is a member that the index wants. All but the last three stand at depth
// one.
type field uint8

const (
	fNone field = iota
	fType
	fUUID
	fParent
	fLogical
	fSource
	fSubtype
	fTime
	fSidechain
	fMeta
	fSummary
	fTeam
	fLeaf
	fExplicit
	fMessage
	fAttachment
	fCompact

	fMessageID      // message.id
	fAttachmentType // attachment.type
	fBlockType      // message.content[].type

	numFields
)

// rootField names the member of a record with this key.
func rootField(key []byte) field {
	switch string(key) {
	case "type":
		return fType
	case "uuid":
		return fUUID
	case "parentUuid":
		return fParent
	case "logicalParentUuid":
		return fLogical
	case "sourceToolAssistantUUID":
		return fSource
	case "subtype":
		return fSubtype
	case "timestamp":
		return fTime
	case "isSidechain":
		return fSidechain
	case "isMeta":
		return fMeta
	case "isCompactSummary":
		return fSummary
	case "teamName":
		return fTeam
	case "leafUuid":
		return fLeaf
	case "explicit":
		return fExplicit
	case "message":
		return fMessage
	case "attachment":
		return fAttachment
	case "compactMetadata":
		return fCompact
	}
	return fNone
}

// form is what kind of value a member has.
type form uint8

const (
	absent  form = iota
	text         // a string, kept without escapes
	literal      // true, false, null or a number, kept as it is written
	other        // a container, or a string that is too long to be kept
)

// value is a member's value, at arena[at:end] when it is kept.
type value struct {
	at, end int32
	form    form
}
