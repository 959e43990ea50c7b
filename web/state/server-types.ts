/** What comes from the server. Types only: the page shares no code with it but the client. */
export type { Attachment, NewSession } from '../../src/client/client-types.js'
export type { Client, SignedInCaller } from '../../src/client/create-client.js'
export type { OutgoingPrompt } from '../../src/client/outbox.js'
export type { NumberedFeedEntry } from '../../src/hub/log/feed.js'
export type { RewindChanges, SessionInfo } from '../../src/hub/session-types.js'
export type { ContentBlockParam } from '../../src/protocol/content.js'
export type { SDKMessage, SDKResultMessage } from '../../src/protocol/messages.js'
export type { AskPreview, PermissionMode } from '../../src/protocol/permission-types.js'
export type { AnswerOutcome, Ask, AskAnswer, Person, RuleSuggestion } from '../../src/protocol/session-log/ask-types.js'
export type {
  Delta,
  LogEntry,
  LogItem,
  PromptChange,
  SessionStatus,
  StateChange,
} from '../../src/protocol/session-log/entries.js'
export type { Prompt, PromptReceipt, PromptTiming } from '../../src/protocol/session-log/prompt-types.js'
export type { SessionMessage } from '../../src/protocol/stored-sessions.js'
