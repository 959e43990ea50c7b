/** The whole API, as one table. */
import { acpOperations } from '../acp-http/acp-operations.js'
import { MCP_APP_OPERATIONS } from '../mcp/app-operations.js'
import { NOTIFY_OPERATIONS } from '../notify/notify-operations.js'
import { UNIVERSAL_OPERATIONS } from '../universal/universal-operations.js'
import { AGENT_OPERATIONS } from './agent-operations.js'
import { ASK_OPERATIONS } from './ask-operations.js'
import { EVENT_OPERATIONS } from './event-operations.js'
import { SEARCH_IMPORT_AND_SETTINGS_OPERATIONS } from './find-operations.js'
import type { Operation } from './operation.js'
import { PROMPT_OPERATIONS } from './prompt-operations.js'
import { SESSION_LOG_OPERATIONS } from './record-operations.js'
import { serverOperations } from './server-operations.js'
import { SESSION_OPERATIONS } from './session-operations.js'

export const OPERATIONS: readonly Operation[] = [
  ...SESSION_OPERATIONS,
  ...PROMPT_OPERATIONS,
  ...ASK_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...SESSION_LOG_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...MCP_APP_OPERATIONS,
  ...SEARCH_IMPORT_AND_SETTINGS_OPERATIONS,
  ...NOTIFY_OPERATIONS,
  ...acpOperations('/v1', (id) => id),
  ...UNIVERSAL_OPERATIONS,
  ...acpOperations('/universal/v1', (id) => `universal${id[0]?.toUpperCase()}${id.slice(1)}`),
  ...serverOperations(() => OPERATIONS),
]
