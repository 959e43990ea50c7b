/** Names and texts of servers, which anybody may have written: made short, visible, and fit for a tool's name. */
import { oneLine, withoutInvisible } from '../platform/visible-text.js'

/** What the API takes as the name of a tool. */
const MAX_NAME = 128
const MAX_DESCRIPTION = 4000

/** Returns a text as it can stand in a name: for the part of a tool's name that stands for a server or its tool. */
export function toNamePart(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/**
 * Returns the name of an MCP tool: `mcp__server__tool`, within the length the API takes; what is cut off is told
 * apart by `mark`.
 */
export function toPrefixedMcpToolName(server: string, tool: string): string {
  const name = `mcp__${toNamePart(server)}__${toNamePart(tool)}`
  return name.length <= MAX_NAME ? name : withUniqueEnd(name, `${server}\0${tool}`)
}

/** Returns the same name with an end that only this server and tool have. */
export function withUniqueEnd(name: string, origin: string): string {
  return `${name.slice(0, MAX_NAME - 9)}_${hash(origin)}`
}

export function cleanDescription(text: unknown): string {
  if (typeof text !== 'string') return ''
  const { text: visible } = withoutInvisible(text.slice(0, MAX_DESCRIPTION * 2))
  const trimmed = visible.trim()
  return trimmed.length > MAX_DESCRIPTION ? `${trimmed.slice(0, MAX_DESCRIPTION - 1)}…` : trimmed
}

const MAX_INSTRUCTIONS = 2000

/** What stands in a text of ours must not be able to end it, or to look like another one. */
export function cleanInstructions(text: unknown): string {
  if (typeof text !== 'string') return ''
  const { text: visible } = withoutInvisible(text.slice(0, MAX_INSTRUCTIONS * 2))
  const plain = visible.trim().replace(/<(?=\s*\/?\s*(?:system-reminder|task-notification|teammate-message))/gi, '&lt;')
  return plain.length > MAX_INSTRUCTIONS ? `${plain.slice(0, MAX_INSTRUCTIONS - 1)}…` : plain
}

export function cleanServerLine(text: unknown, max = 200): string {
  return typeof text === 'string' ? oneLine(text, max) : ''
}

/** FNV-1a: the same everywhere and always, and no secret. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return value.toString(16).padStart(8, '0')
}
