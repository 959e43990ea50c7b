/** Permission questions answered by a tool of an MCP server (`--permission-prompt-tool mcp__server__tool`). */
import type { PermissionAnswer, PermissionRequest } from '../../engine/ports.js'
import { printableText } from '../../platform/visible-text.js'
import type { HostAskPorts } from '../permission/ask-host.js'
import { readPermissionAnswer } from '../permission/permission-answer.js'
import type { SessionMcp } from './session-servers.js'

/** Rejects when there is no clear answer; the caller turns that into a denial. */
export function askPermissionThroughTool(mcp: SessionMcp, name: string): NonNullable<HostAskPorts['askHost']> {
  return async ({ call }: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> => {
    const input = { tool_name: call.name, input: structuredClone(call.input), tool_use_id: call.id }
    const tool = mcp.find(name)
    const several = explainAmbiguousPromptTool(mcp, name)
    if (several !== undefined) throw new Error(several)
    const problem = tool ? await tool.check(input) : `There's no MCP tool named ${name} (--permission-prompt-tool).`
    if (!tool || problem !== undefined) throw new Error(problem)
    const outcome = await tool.execute({ id: call.id, name, input }, signal, () => {})
    if (!outcome.ok) throw new Error(outcome.error)
    return readPermissionAnswer(toObject(outcome.content, name), call.input)
  }
}

/** Why the name is not clear enough for a tool that gives permission; undefined: only one server can have it. */
export function explainAmbiguousPromptTool(mcp: Pick<SessionMcp, 'ownersOf'>, name: string): string | undefined {
  const owners = mcp.ownersOf(name).map((owner) => JSON.stringify(printableText(owner, 100)))
  if (owners.length < 2) return undefined
  return `${name} (--permission-prompt-tool) can mean tools of the MCP servers ${owners.join(' and ')}: rename one of them.`
}

function toObject(content: string | readonly object[], name: string): Record<string, unknown> {
  const text =
    typeof content === 'string' ? content : content.flatMap((b) => ('text' in b ? String(b.text) : [])).join('')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new Error(`${name} must answer with JSON: {"behavior":"allow"} or {"behavior":"deny","message":"…"}`)
}
