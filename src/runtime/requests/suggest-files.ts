/** Files of the working directory for a host that completes a path: those that the session may see without a question. */
import { relative } from '../../platform/paths.js'
import { isObject } from '../../protocol/json.js'
import type { Conversation } from '../conversation.js'
import { runCallWithoutAsking } from '../permission/call-without-asking.js'

const MAX_LENGTH = 200
const MAX_FOUND = 50

export async function findFilesForHost(main: Conversation, query: string, signal: AbortSignal): Promise<string[]> {
  const parts = query.slice(0, MAX_LENGTH).replace(/^@/, '').split('/').filter(Boolean)
  const pattern = parts.length === 0 ? '*' : `**/${parts.map((part) => `*${literal(part)}*`).join('/')}`
  const { result } = await runCallWithoutAsking(main, 'Glob', { pattern }, signal)
  const names = isObject(result?.output) ? result.output['filenames'] : undefined
  if (!Array.isArray(names)) return []
  const { cwd } = main.shared.settings
  return names
    .filter((name) => typeof name === 'string')
    .slice(0, MAX_FOUND)
    .map((name) => relative(cwd, name))
}

/** Characters that mean something in a pattern stand for one character, whichever it is. */
function literal(text: string): string {
  return text.replaceAll(/[*?[\]{}\\!()]/g, '?')
}
