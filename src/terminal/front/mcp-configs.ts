/** Several `--mcp-config`: all of them count, as for the command that prints. Of one name the later decides. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject } from '../../protocol/json.js'

/** One configuration that says the same. What can't be read goes to the agent as it is: it says what is wrong with it. */
export function mergeMcpConfigTexts(texts: readonly string[], cwd: string): string {
  const [only = ''] = texts
  if (texts.length < 2) return only
  const all: Record<string, unknown> = {}
  for (const text of texts) {
    const servers = serversIn(text, cwd)
    if (!servers) return text
    Object.assign(all, servers)
  }
  return JSON.stringify({ mcpServers: all })
}

function serversIn(text: string, cwd: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(
      text.trimStart().startsWith('{') ? text : readFileSync(resolve(cwd, text), 'utf8'),
    )
    return isObject(value) && isObject(value['mcpServers']) ? value['mcpServers'] : undefined
  } catch {
    return undefined
  }
}
