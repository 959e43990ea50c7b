/** The tools of MCP servers that a user has let run, as their servers described them then; a file of the user's own. */
import { join } from '../../platform/paths.js'
import { isObject } from '../../protocol/json.js'
import { readUserRecord, type UserRecordLocation, type UserRecordPorts, updateUserRecord } from '../user-record.js'

type Mark = { description: string; hash: string }

/** The oldest are forgotten first. */
const MAX_TOOLS = 500

/** Returns the MCP tools that the user approved earlier. */
export async function readRememberedMcpTools(places: UserRecordLocation): Promise<Record<string, Mark>> {
  return marksIn((await readUserRecord(pathIn(places), places))?.value)
}

/**
 * Stores that the user approved an MCP tool, by its description. Where it can't be written it is not known next time.
 */
export async function rememberMcpTool(key: string, mark: Mark, ports: UserRecordPorts): Promise<void> {
  await updateUserRecord(pathIn(ports), ports, (value) => {
    const { [key]: _, ...others } = marksIn(value)
    return { tools: Object.fromEntries([...Object.entries(others), [key, mark]].slice(-MAX_TOOLS)) }
  })
}

function pathIn({ configDir }: Pick<UserRecordLocation, 'configDir'>): string {
  return join(configDir, 'kedge-mcp-tools.json')
}

function marksIn(value: unknown): Record<string, Mark> {
  const tools = isObject(value) && isObject(value['tools']) ? value['tools'] : {}
  return Object.fromEntries(
    Object.entries(tools).flatMap(([key, mark]) =>
      isObject(mark) && typeof mark['hash'] === 'string'
        ? [[key, { hash: mark['hash'], description: String(mark['description'] ?? '') }] as const]
        : [],
    ),
  )
}
