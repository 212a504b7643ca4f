package transcript

// field is a member of a record that a Summary wants. All but the last group
// stand at depth one.
type field uint8

const (
	fNone field = iota
	fType
	fSessionID
	fCwd
	fBranch
	fVersion
	fEntrypoint
	fTimestamp
	fSidechain
	fMeta
	fCompact
	fTeam
	fKind
	fPermissionMode
	fCustomTitle
	fAgentName
	fAITitle
	fLastPrompt
	fLeafUUID
	fSummary
	fMode
	fTag
	fAgentSetting
	fRelocated
	fPRNumber
	fPRURL
	fPRRepository
	fMessage    // the large values: never read from their end
	fAttachment //
	fLarge      // any other value known to be large
	fForkedFrom
	fWorktree // a worktree-state's session, null or an object

	fForkID // nested: forkedFrom.sessionId
	fWorktreePath
	fWorktreeName
	fWorktreeBranch
	fOriginalDir
	fOriginalBranch
	fOriginalCommit
	fMessageID
	fModel
	fText // a message's content when it is a string
	fAttachmentType
	fDirs // environment attachment: the list of added directories
	fBlockType
	fBlockText
	fBlockID
	fBlockAnswers

	numFields
)

// fieldSet is a set of fields.
type fieldSet uint64

func (s fieldSet) has(f field) bool       { return s>>f&1 != 0 }
func (s fieldSet) hasAll(o fieldSet) bool { return s&o == o }
func (s *fieldSet) add(f field)           { *s |= 1 << f }
func (s *fieldSet) remove(o fieldSet)     { *s &^= o }

// The members that every row of a conversation has. A row read from both ends
// is taken as read when they are among what was found.
const coreSet fieldSet = 1<<fSidechain | 1<<fCwd | 1<<fSessionID

// The members whose values are another in every record.
const freeText fieldSet = 1<<fTimestamp | 1<<fCustomTitle | 1<<fAgentName | 1<<fAITitle | 1<<fLastPrompt | 1<<fLeafUUID | 1<<fSummary

// rootField names the member of a record with this key.
func rootField(key []byte) field {
	switch string(key) {
	case "type":
		return fType
	case "sessionId":
		return fSessionID
	case "cwd":
		return fCwd
	case "gitBranch":
		return fBranch
	case "version":
		return fVersion
	case "entrypoint":
		return fEntrypoint
	case "timestamp":
		return fTimestamp
	case "isSidechain":
		return fSidechain
	case "isMeta":
		return fMeta
	case "isCompactSummary":
		return fCompact
	case "teamName":
		return fTeam
	case "sessionKind":
		return fKind
	case "permissionMode":
		return fPermissionMode
	case "message":
		return fMessage
	case "attachment":
		return fAttachment
	case "toolUseResult", "snapshot", "shape", "rendered":
		return fLarge
	case "forkedFrom":
		return fForkedFrom
	}
	return metaField(key)
}

// metaField names the members of records that hold no conversation.
func metaField(key []byte) field {
	switch string(key) {
	case "customTitle":
		return fCustomTitle
	case "agentName":
		return fAgentName
	case "aiTitle":
		return fAITitle
	case "lastPrompt":
		return fLastPrompt
	case "leafUuid":
		return fLeafUUID
	case "summary":
		return fSummary
	case "mode":
		return fMode
	case "tag":
		return fTag
	case "agentSetting":
		return fAgentSetting
	case "relocatedCwd":
		return fRelocated
	case "prNumber":
		return fPRNumber
	case "prUrl":
		return fPRURL
	case "prRepository":
		return fPRRepository
	case "worktreeSession":
		return fWorktree
	}
	return fNone
}

// node is a container on the way to a wanted field.
type node uint8

const (
	nSkip node = iota
	nRoot
	nMessage
	nContent
	nBlock
	nFork
	nWorktree
	nAttachment
	nSnapshot
	nDirs
)

// member says what the member key of an object at n is: a field when its value
// is a scalar, the node below it when it is a container.
func member(n node, key []byte) (field, node) {
	switch n {
	case nRoot:
		f := rootField(key)
		switch f {
		case fMessage:
			return f, nMessage
		case fAttachment:
			return f, nAttachment
		case fForkedFrom:
			return f, nFork
		case fWorktree:
			return f, nWorktree
		default:
			return f, nSkip
		}
	case nMessage:
		switch string(key) {
		case "id":
			return fMessageID, nSkip
		case "model":
			return fModel, nSkip
		case "content":
			return fText, nContent
		}
	case nBlock:
		return blockField(key), nSkip
	case nFork:
		if string(key) == "sessionId" {
			return fForkID, nSkip
		}
	case nWorktree:
		return worktreeField(key), nSkip
	case nAttachment:
		switch string(key) {
		case "type":
			return fAttachmentType, nSkip
		case "snapshot":
			return fNone, nSnapshot
		}
	case nSnapshot:
		if string(key) == "additionalWorkingDirectories" {
			return fNone, nDirs
		}
	case nSkip, nContent, nDirs:
	}
	return fNone, nSkip
}

func blockField(key []byte) field {
	switch string(key) {
	case "type":
		return fBlockType
	case "text":
		return fBlockText
	case "id":
		return fBlockID
	case "tool_use_id":
		return fBlockAnswers
	}
	return fNone
}

func worktreeField(key []byte) field {
	switch string(key) {
	case "worktreePath":
		return fWorktreePath
	case "worktreeName":
		return fWorktreeName
	case "worktreeBranch":
		return fWorktreeBranch
	case "originalCwd":
		return fOriginalDir
	case "originalBranch":
		return fOriginalBranch
	case "originalHeadCommit":
		return fOriginalCommit
	}
	return fNone
}

// under lists the fields that a container holds, so that a member that comes
// twice counts as its last occurrence only.
func under(n node) fieldSet {
	switch n {
	case nMessage:
		return 1<<fMessageID | 1<<fModel | 1<<fText
	case nFork:
		return 1 << fForkID
	case nWorktree:
		return 1<<fWorktreePath | 1<<fWorktreeName | 1<<fWorktreeBranch | 1<<fOriginalDir | 1<<fOriginalBranch | 1<<fOriginalCommit
	case nAttachment:
		return 1<<fAttachmentType | 1<<fDirs
	case nSnapshot, nDirs:
		return 1 << fDirs
	case nSkip, nRoot, nContent, nBlock:
	}
	return 0
}
