/** Calls that an MCP server works on without us, among the background tasks of the session. */
import type { BackgroundEnd } from '../../engine/background-port.js'
import type { ToolOutcome } from '../../engine/ports.js'
import type { McpCallTask } from '../../mcp/server-tool.js'
import type { Platform } from '../../platform/platform.js'
import type { SessionBackground } from '../turn/background.js'

const MAX_REASON = 300

/** Lists the call, and writes what came of it where its output belongs. */
export async function adoptMcpCall(
  { description, toolUseId, ended, status, stop }: McpCallTask,
  { table }: Pick<SessionBackground, 'table'>,
  files: Pick<Platform['files'], 'create'>,
): Promise<{ id: string; outputFile: string }> {
  const prepared = await table.prepare('mcp_task')
  let isStopped = false
  let text = ''
  const settled = ended.then(async (outcome): Promise<BackgroundEnd> => {
    text = textOf(outcome)
    // What it says is in the notice, too.
    await files.create(prepared.outputFile, new TextEncoder().encode(text), 0o600).catch(() => {})
    if (isStopped) return { status: 'stopped', exitCode: null }
    if (outcome.ok) return { status: 'completed', exitCode: null, answer: text }
    const [reason = ''] = text.split('\n', 1)
    return { status: 'failed', exitCode: null, reason: reason.slice(0, MAX_REASON), answer: text }
  })
  table.adopt(prepared, {
    type: 'mcp_task',
    description,
    toolUseId,
    output: async (limit) => (text || status()).slice(0, limit),
    ended: settled,
    stop() {
      isStopped = true
      stop()
    },
  })
  return prepared
}

function textOf(outcome: ToolOutcome): string {
  if (!outcome.ok) return outcome.error
  if (typeof outcome.content === 'string') return outcome.content
  return outcome.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}
