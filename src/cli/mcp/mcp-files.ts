/** The files in which people keep their MCP servers: one map of servers per scope, read and changed with care for the rest. */

import { nodeClock } from '../../platform/clock.js'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import { nodeFiles } from '../../platform/files/files.js'
import { whileLocked } from '../../platform/files/process-lock.js'
import { homeFolder } from '../../platform/home.js'
import { dirname, join } from '../../platform/paths.js'
import { isObject } from '../../protocol/json.js'
import { configFolder } from '../../sessions/transcript-paths.js'
import { claudeCodeRecordPath } from '../../settings/settings-paths.js'

/**
 * The scopes of a configured MCP server. `local`: you, in this folder. `user`: you, everywhere. `project`: everybody
 * who works in this folder.
 */
export const MCP_SCOPES = ['local', 'project', 'user'] as const
export type McpScope = (typeof MCP_SCOPES)[number]
export type McpServerEntries = Record<string, unknown>

type JsonMap = Record<string, unknown>
type Place = { path: string; keys: string[] }

const MAX_FILE = 4 * 1024 * 1024
const ATTEMPTS = 5

/**
 * Reads the MCP servers of a scope. Throws when the file is there and can't be understood: what is in it must not be
 * lost.
 */
export async function readMcpServers(scope: McpScope): Promise<McpServerEntries> {
  const place = mcpConfigFile(scope)
  const { root } = await read(place.path)
  const found = place.keys.reduce<unknown>((value, key) => (isObject(value) ? own(value, key) : undefined), root)
  if (found !== undefined && !isObject(found))
    throw new Error(`${place.path}: ${place.keys.join('.')} isn't a JSON object`)
  return found ?? {}
}

/**
 * Changes the configured MCP servers of a scope and returns the path of the file. `change` changes the servers in
 * place and returns whether anything is to be written.
 */
export async function changeMcpServers(
  scope: McpScope,
  change: (servers: McpServerEntries) => boolean,
): Promise<string> {
  const place = mcpConfigFile(scope)
  await nodeFiles.makeDirectory(dirname(place.path), 0o700)
  const path = await nodeFiles.realpath(place.path).catch(() => place.path)
  const write = async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await changeOnce(path, place.keys, scope, change)
      } catch (error) {
        // Another program changed it since it was read.
        const isRace = systemErrorCode(error) === 'ESTALE' || systemErrorCode(error) === 'EEXIST'
        if (!isRace || attempt === ATTEMPTS) throw error
      }
    }
  }
  await whileLocked(path, { files: nodeFiles, clock: nodeClock }, write, { patienceMs: 5000, otherwise: write })
  return place.path
}

export function mcpConfigFile(scope: McpScope): Place {
  const cwd = process.cwd()
  if (scope === 'project') return { path: join(cwd, '.mcp.json'), keys: ['mcpServers'] }
  const home = homeFolder(process.env)
  const path = claudeCodeRecordPath({ configDir: configFolder(process.env, home), home })
  return { path, keys: scope === 'user' ? ['mcpServers'] : ['projects', cwd, 'mcpServers'] }
}

async function changeOnce(
  path: string,
  keys: string[],
  scope: McpScope,
  change: (servers: McpServerEntries) => boolean,
) {
  const { root, stat, indent } = await read(path)
  let servers: JsonMap = root
  for (const key of keys) {
    const inner = own(servers, key) ?? {}
    if (!isObject(inner)) throw new Error(`${path}: ${key} isn't a JSON object`)
    // A key like any other, also when it is called __proto__.
    Object.defineProperty(servers, key, { value: inner, enumerable: true, writable: true, configurable: true })
    servers = inner
  }
  if (!change(servers)) return
  const bytes = new TextEncoder().encode(`${JSON.stringify(root, null, indent)}\n`)
  if (stat) await nodeFiles.replace(path, bytes, stat.mode, stat)
  else await nodeFiles.create(path, bytes, scope === 'project' ? undefined : 0o600)
}

async function read(path: string) {
  const real = await nodeFiles.realpath(path).catch(() => undefined)
  if (real === undefined) return { root: {}, stat: undefined, indent: '  ' }
  const { content, stat } = await nodeFiles.snapshot(real, MAX_FILE)
  if (!content) throw new Error(`${path} isn't a regular file, or is too large`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  const root: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (!isObject(root)) throw new Error(`${path} holds no JSON object`)
  return { root, stat, indent: /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ' }
}

function own(map: JsonMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
