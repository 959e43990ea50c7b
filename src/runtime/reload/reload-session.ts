/**
 * Reads anew what a running session began with: settings files, plugins, skills, commands, agents, output styles, instructions.
 * The system prompt and the list of tools stay as they are, since the model's cache depends on them: what is new is told to the
 * model before the next prompt.
 */
import type { SDKControlReloadResponse } from '../../protocol/requests/session-answers.js'
import type { ReloadPart } from '../../protocol/requests/session-requests.js'
import type { Conversation } from '../conversation.js'
import { isHookOfProject, readAgentHooks, readPluginHooks } from '../hooks/hooks-of-files.js'
import { findConfiguredServers } from '../mcp/server-sources.js'
import { slashCommandsOf } from '../messages/init-message.js'
import { loadSessionProject, type SessionProject } from '../session-project.js'
import { applySettingsFiles } from '../settings-files.js'
import { takeProjectSnapshot } from './project-snapshot.js'
import { useAgents } from './reload-agents.js'
import { changedSettings, useSettings } from './reload-settings.js'
import { describeProjectChanges, tellModel } from './reload-texts.js'

export const RELOAD_PARTS: readonly ReloadPart[] = [
  'settings',
  'plugins',
  'skills',
  'agents',
  'output_styles',
  'instructions',
]

export type ReloadOutcome = SDKControlReloadResponse & {
  /** MCP servers of plugins that came and went, or would. */
  servers: { added: string[]; removed: string[] }
  /** Nothing was changed: the list of tools would have. */
  held?: boolean
}

export type ReloadWishes = {
  /** Folders of further plugins. */
  addPlugins?: readonly string[]
  /** Change nothing where the list of tools would change. */
  holdsOnCacheImpact?: boolean | undefined
  /** The output style to use from now on, though it changes the system prompt. */
  outputStyle?: string
}

const NO_SERVERS = { added: [], removed: [] }

export async function reloadSession(
  main: Conversation,
  parts: readonly ReloadPart[],
  wishes: ReloadWishes = {},
): Promise<ReloadOutcome> {
  const { shared } = main
  const { settings, platform, project } = shared
  const problems: string[] = []
  const note = (text: string) => problems.push(text.replace(/^(?:Warning|Note|Error): /, '').trim())
  const failed = (why: string): ReloadOutcome => ({ changes: [], problems: [...problems, why], servers: NO_SERVERS })

  const read = await applySettingsFiles(settings, platform, note)
  if ('refusal' in read) return failed(read.refusal.message ?? 'The settings can not be used.')
  const folders = [...new Set([...project.added.pluginFolders, ...(wishes.addPlugins ?? [])])]
  const wanted = {
    ...read.settings,
    trusted: settings.trusted,
    pluginFolders: [...settings.pluginFolders, ...folders],
    directories: main.permissions.directories(),
    outputStyle: wishes.outputStyle ?? project.style?.name,
  }
  const { project: next, hooks: ofAgents } = await readAgentHooks(
    await loadSessionProject(wanted, platform, note),
    note,
  )
  const ofPlugins = await readPluginHooks(next.plugins, note)
  if ('refusal' in ofPlugins) return failed(ofPlugins.refusal.message ?? 'A plugin can not be used.')
  const withPlugins = parts.includes('plugins')
  const servers = withPlugins ? await serverChanges(main, wanted, next, note) : { ...NO_SERVERS, entries: [] }
  const { added, removed } = servers
  if (wishes.holdsOnCacheImpact && added.length + removed.length > 0)
    return { changes: [], problems, servers: { added, removed }, held: true }

  const withSettings = parts.includes('settings')
  const changes = withSettings ? await useSettings(main, read.settings, note) : []
  const { hooks: before } = shared.live
  shared.live.setHooks({
    limits: withSettings ? read.settings.hookLimits : before.limits,
    list: [
      ...(withSettings ? read.settings.settingsHooks : before.list.filter((hook) => !isHookOfProject(hook))),
      ...(withPlugins ? ofPlugins.hooks : before.list.filter(({ source }) => source.startsWith('plugin '))),
      ...ofAgents,
    ],
  })
  if (JSON.stringify(shared.live.hooks) !== JSON.stringify(before)) changes.push(changedSettings('Hooks'))
  project.added.pluginFolders.splice(0, project.added.pluginFolders.length, ...folders)
  useProject(main, next, changes, parts)
  await shared.mcp.drop(removed)
  shared.mcp.add(servers.entries)
  if (added.length > 0) changes.push(`MCP servers that came: ${added.join(', ')}.`)
  if (removed.length > 0) changes.push(`MCP servers that went: ${removed.join(', ')}.`)
  return { changes, problems, servers: { added, removed } }
}

/** What the project has from now on, for the session, its model, and its host. */
function useProject(main: Conversation, next: SessionProject, changes: string[], parts: readonly ReloadPart[]): void {
  const { project } = main.shared
  const [before, commands] = [takeProjectSnapshot(main), JSON.stringify(slashCommandsOf(main))]
  useAgents(main, next)
  project.become(next)
  const now = takeProjectSnapshot(main)
  changes.push(...describeProjectChanges(before, now))
  tellModel(main, before, now, parts)
  const listed = slashCommandsOf(main)
  if (JSON.stringify(listed) !== commands) main.emitter.commandsChanged(listed)
}

/** MCP servers of plugins that came or went. One that only changed counts as both. */
async function serverChanges(
  { shared }: Conversation,
  wanted: Parameters<typeof findConfiguredServers>[0],
  next: SessionProject,
  note: (text: string) => void,
) {
  const { platform, mcp } = shared
  const isOfPlugin = ({ name }: { name: string }) => name.startsWith('plugin:')
  const entries = (await findConfiguredServers(wanted, next, platform, note)).filter(isOfPlugin)
  const before = mcp.entries().filter(isOfPlugin)
  const same = (one: { name: string; value: unknown }) => (other: { name: string; value: unknown }) =>
    one.name === other.name && JSON.stringify(one.value) === JSON.stringify(other.value)
  const fresh = entries.filter((entry) => !before.some(same(entry)))
  return {
    entries: fresh,
    added: fresh.map(({ name }) => name),
    removed: before.filter((entry) => !entries.some(same(entry))).map(({ name }) => name),
  }
}
