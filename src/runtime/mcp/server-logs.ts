/** Log messages of MCP servers: all of them in the debug log, and errors as notices for the user. The model sees none. */
import { oneLine } from '../../platform/visible-text.js'
import type { JsonObject } from '../../protocol/json.js'
import type { Conversation } from '../conversation.js'

const ERRORS: readonly unknown[] = ['error', 'critical', 'alert', 'emergency']
const MAX_DEBUG = 1000
const MAX_NOTICE = 500
/** Notices per server and session: the rest is in the debug log. */
const MAX_NOTICES = 10

/** What servers are asked for: more is worth its traffic only while a user looks at the debug log. */
export function mcpLogLevel({ shared: { settings } }: Conversation): 'debug' | 'warning' {
  return settings.debug.note ? 'debug' : 'warning'
}

export function createServerLogReporter({ shared: { settings }, emitter }: Conversation) {
  const told = new Map<string, Set<string>>()
  return (server: string, params: JsonObject): void => {
    const { level, logger, data } = params
    const whole = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    settings.debug.note?.('mcp', `· mcp        ${server}: ${whole.slice(0, MAX_DEBUG)}`)
    if (!ERRORS.includes(level)) return
    const text = oneLine(whole, MAX_NOTICE)
    const before = told.get(server) ?? new Set()
    if (text === '' || before.has(text) || before.size >= MAX_NOTICES) return
    told.set(server, before.add(text))
    const part = typeof logger === 'string' ? ` (${oneLine(logger, 60)})` : ''
    const details = { server, level: String(level) }
    void emitter.inform(`MCP server ${oneLine(server, 100)}${part}: ${text}`, 'warning', { code: 'mcp_log', details })
  }
}
