/** The public library: `query()`, sessions, hooks, tools. Named exports only; a test pins the list. */
export { AbortError, ConfigurationError, KedgeError, type KedgeErrorCode, ProcessExitError } from './errors.js'
export { EXIT_REASONS, HOOK_EVENTS } from './protocol/hooks.js'
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from './protocol/option-table/system-prompt.js'
export type * from './protocol/public-types.js'
export { foldSessionSummary } from './protocol/session-summary.js'
export { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from './protocol/tool-names.js'
export { explainPermission } from './sdk/explain-permission.js'
export { folderTrust, trustFolder } from './sdk/folder-trust.js'
export { createSdkMcpServer, tool } from './sdk/mcp/create-server.js'
export { InMemorySessionStore } from './sdk/memory-store.js'
export { filterEscalatingDefaultMode, resolveSettings } from './sdk/resolve-settings.js'
export {
  archiveSession,
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  listSessions,
  listSubagents,
  renameSession,
  tagSession,
  unarchiveSession,
} from './sdk/session-functions.js'
export { query } from './sdk/start-query.js'
export { startup } from './sdk/startup.js'
export { matchDeniedModels, prewarm } from './sdk/unsupported-functions.js'
export {
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from './sdk/usage-prefixes.js'
export { unstable_v2_createSession, unstable_v2_prompt, unstable_v2_resumeSession } from './sdk/v2-session.js'
export type { ToolInputs, ToolOutputs } from './tools/tool-types.js'
export type { SpawnedProcess } from './transport/spawned-process.js'
