/** `kedge/client`: the sessions of a server, for browsers and every other runtime with `fetch`. */

export type { NumberedFeedEntry } from '../hub/log/feed.js'
export type { SearchHit } from '../hub/search-sessions.js'
export type { RewindChanges, RewindRequest, SessionChangeRequest, SessionInfo } from '../hub/session-types.js'
export type {
  AnswerOutcome,
  Ask,
  AskAnswer,
  AskingAgent,
  AskKind,
  InboxPage,
  Person,
  RuleSuggestion,
} from '../protocol/session-log/ask-types.js'
export type {
  Delta,
  LogEntry,
  LogItem,
  PromptChange,
  SessionStatus,
  StateChange,
} from '../protocol/session-log/entries.js'
export type { Prompt, PromptReceipt, PromptTiming } from '../protocol/session-log/prompt-types.js'
export type * from '../view/view-items.js'
export {
  ClientError,
  type ClientErrorCode,
  ConflictError,
  ForbiddenError,
  IncompatibleServerError,
  InvalidRequestError,
  NotFoundError,
  ServerBusyError,
  ServerFailedError,
  ServerTimeoutError,
  ServerUnreachableError,
  UnauthorizedError,
} from './client-errors.js'
export type {
  ApiRequestOptions,
  AskReference,
  Attachment,
  CallOptions,
  ClientOptions,
  ClientStorage,
  ConnectionState,
  NewSession,
  PromptToSend,
  ReadOptions,
} from './client-types.js'
export {
  type Client,
  type ClientSession,
  createClient,
  type ListedSessions,
  type SearchRequest,
  type SessionFilter,
  type SignedInCaller,
} from './create-client.js'
export type { LiveState, LiveValue } from './live-value.js'
export type { LiveView, ViewListener, ViewSnapshot } from './live-view.js'
export type { Outbox, OutgoingPrompt } from './outbox.js'
export type { LiveOverview, OverviewSnapshot } from './overview.js'
export type { LogPage, SessionFileContent, SessionHistory, SessionOperations } from './session-api.js'
