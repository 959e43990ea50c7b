/**
 * A call of an MCP tool that the host makes in place of the model. What denies it holds in any case. A question is asked only where
 * the host wants the call judged like one of the model: otherwise the host itself is who would be asked.
 */
import { runToolCalls } from '../../engine/tool-calls.js'
import { isObject } from '../../protocol/json.js'
import type { SDKControlMcpCallRequest } from '../../protocol/requests/session-requests.js'
import type { Conversation } from '../conversation.js'

const [LEAST_MS, MOST_MS] = [1000, 600_000]
const USUAL_MS = 120_000

export type HostCallOutcome = { answer: Record<string, unknown> } | { problem: string; code: string }

export async function callToolForHost(
  { ports, shared: { platform, mcp } }: Conversation,
  request: Omit<SDKControlMcpCallRequest, 'subtype'>,
  over: AbortSignal,
): Promise<HostCallOutcome> {
  const { tool: name, arguments: input = {}, timeout_ms: wanted = USUAL_MS, check_permissions: isJudged } = request
  const owners = mcp.ownersOf(name)
  const [owner] = owners
  if (owner === undefined || !name.startsWith('mcp__'))
    return fail(`No MCP server has the tool ${name}.`, 'tool_not_found')
  if (owners.length > 1) return fail(`Several MCP servers could have the tool ${name}: ${owners.join(', ')}.`)
  await mcp.someSettled((server) => server.name === owner, over)
  if (mcp.servers()?.find(owner)?.connection.config?.type === 'sdk')
    return fail(`${owner} is a server of the host, which calls its tools itself.`)
  const tool = mcp.find(name)
  if (!tool) return fail(`The MCP server ${owner} has no tool ${name}.`, 'tool_not_found')
  const limit = new AbortController()
  const withHost = () => limit.abort(over.reason)
  over.addEventListener('abort', withHost, { once: true })
  if (over.aborted) withHost()
  let isLate = false
  const stopTimer = platform.clock.after(Math.min(MOST_MS, Math.max(LEAST_MS, wanted)), () => {
    isLate = true
    limit.abort()
  })
  try {
    const { results } = await runToolCalls(
      [{ call: { id: `host_${platform.identity.hex(16)}`, name, input } }],
      {
        ...ports,
        tools: { ...ports.tools, find: (called) => (called === name ? tool : ports.tools.find(called)) },
        permissions: isJudged
          ? ports.permissions
          : { ...ports.permissions, ask: async () => ({ behavior: 'allow', input, updates: [] }) },
        emit() {},
      },
      limit.signal,
    )
    const [result] = results
    if (isLate) return fail(`${name} took longer than ${wanted} ms.`, 'timeout')
    if (!result) return fail('The call was canceled.', 'aborted')
    const { content = '', is_error: isError } = result.block
    const structured = isObject(result.output) ? result.output['structuredContent'] : undefined
    if (isError) return fail(typeof content === 'string' ? content : JSON.stringify(content), 'tool_failed')
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return { answer: { content: blocks, ...(isObject(structured) ? { structuredContent: structured } : {}) } }
  } finally {
    stopTimer()
    over.removeEventListener('abort', withHost)
  }
}

function fail(problem: string, code = 'mcp_failed'): HostCallOutcome {
  return { problem, code }
}
