/** What crosses the wire, as the server has it. Types only: the page shares no code with the server. */
export type { Ask, AskAnswer, Person, RuleSuggestion } from '../../src/hub/ask-types.js'
export type { Delta, LogEntry, LogItem, PromptChange, SessionStatus, StateChange } from '../../src/hub/log/entries.js'
export type { Prompt, PromptReceipt, PromptTiming } from '../../src/hub/prompt-types.js'
export type { RewindChanges, SessionInfo } from '../../src/hub/session-types.js'
export type { ContentBlockParam } from '../../src/protocol/content.js'
export type { SDKMessage, SDKResultMessage } from '../../src/protocol/messages.js'
export type { AskPreview, PermissionMode } from '../../src/protocol/permission-types.js'
export type { SessionMessage } from '../../src/protocol/stored-sessions.js'

/** In the stream over all sessions an entry has one more number. */
export type StreamEntry = import('../../src/hub/log/entries.js').LogItem & { all?: number }

export type SignedInCaller = {
  id: string
  name: string
  scopes: string[]
  folders?: string[]
  /** Sessions run on other machines: this server doesn't know their files, models, commands, and MCP servers. */
  isCluster?: boolean
}
