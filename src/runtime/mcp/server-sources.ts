/** Where a session's MCP servers come from: the host, files of the user and of the project, plugins. Nothing is started here. */

import type { ServerEntry } from '../../mcp/servers.js'
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { printableText } from '../../platform/visible-text.js'
import { isObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'
import { claudeCodeRecordPath } from '../../settings/settings-paths.js'
import type { Configuration, DiscoveredConfiguration, SessionLocation } from '../configuration.js'
import type { SessionProject } from '../session-project.js'

const MAX_FILE = 4 * 1024 * 1024

/** The host's outdo those of files, the nearer file the farther. */
export async function findConfiguredServers(
  settings: Configuration,
  project: SessionProject,
  platform: Platform,
  stderr: (text: string) => void,
): Promise<ServerEntry[]> {
  const warn = (text: string) => stderr(`Warning: ${text}\n`)
  const found = new Map<string, ServerEntry>()
  const add = (servers: Readonly<Record<string, unknown>>, scope: string) => {
    for (const [name, value] of Object.entries(servers)) if (!found.has(name)) found.set(name, { name, value, scope })
  }
  add(settings.mcpServers, 'dynamic')
  if (!settings.strictMcp) {
    const own = settings.sources.some((source) => source !== 'project')
      ? await readOwnFile(settings, platform, warn)
      : {}
    if (settings.sources.includes('local')) add(serversOf(at(at(own, 'projects'), settings.cwd)), 'local')
    if (settings.sources.includes('project') && settings.trusted) {
      add(await readProjectFile(settings, platform, warn), 'project')
    }
    if (settings.sources.includes('user')) add(serversOf(own), 'user')
    for (const { name, mcpServers } of project.plugins) {
      add(
        Object.fromEntries(Object.entries(mcpServers).map(([key, value]) => [`plugin:${name}:${key}`, value])),
        'dynamic',
      )
    }
  }
  return [...found.values()]
}

async function readOwnFile(settings: SessionLocation, platform: Platform, warn: (text: string) => void) {
  return readJson(claudeCodeRecordPath(settings), platform, warn)
}

async function readProjectFile(
  settings: SessionLocation & DiscoveredConfiguration,
  platform: Platform,
  warn: (text: string) => void,
) {
  const { projectServers } = settings
  const servers = serversOf(await readJson(join(settings.cwd, '.mcp.json'), platform, warn))
  const isUsed = (name: string) =>
    !projectServers.disabled.includes(name) &&
    (projectServers.enabled === undefined || projectServers.enabled.includes(name))
  return Object.fromEntries(Object.entries(servers).filter(([name]) => isUsed(name)))
}

async function readJson(path: string, { files }: Platform, warn: (text: string) => void): Promise<JsonMap> {
  try {
    const real = await files.realpath(path).catch(() => undefined)
    if (real === undefined) return {}
    const { content } = await files.snapshot(real, MAX_FILE)
    if (!content) throw new Error("it isn't a regular file, or is too large")
    const value: unknown = JSON.parse(new TextDecoder().decode(content))
    if (!isObject(value)) throw new Error('it holds no JSON object')
    return value
  } catch (error) {
    const why = printableText(messageOf(error), 200)
    warn(`${path}: its MCP servers are not used: ${why}`)
    return {}
  }
}

type JsonMap = Readonly<Record<string, unknown>>

function serversOf(value: unknown): JsonMap {
  const servers = at(value, 'mcpServers')
  return isObject(servers) ? servers : {}
}

function at(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
