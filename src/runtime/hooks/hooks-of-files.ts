/** Hooks of plugins, agents, commands, and skills: checked like those of settings files. */
import { type CheckedHookSettings, type SettingsHook, toSettingsHooks } from '../../hooks/settings-hook.js'
import type { CommandFile, Plugin } from '../../project/project.js'
import type { StartRefusal } from '../configuration.js'
import type { SessionProject } from '../session-project.js'
import { invalidSettings, permissionRulePort } from '../settings-files.js'

/** The hooks of plugins, checked like those of a settings file. Or why the session must not start. */
export async function readPluginHooks(
  plugins: readonly Plugin[],
  stderr: (text: string) => void,
): Promise<{ hooks: SettingsHook[] } | { refusal: StartRefusal }> {
  const files = plugins.flatMap(({ name, path, hooks }) =>
    hooks.map(({ file, value }) => ({ name, path, file, value })),
  )
  const found: SettingsHook[] = []
  for (const { name, path, file, value } of files) {
    const read = await readHooksOfFile(file, value, stderr)
    if ('refused' in read) return { refusal: invalidSettings(read.refused) }
    found.push(...toSettingsHooks(read.hooks, { source: `plugin ${name}`, pluginRoot: path }))
  }
  return { hooks: found }
}

/** Checks hooks like those of a settings file. `refused`: one before a tool can't be used. */
async function readHooksOfFile(
  file: string,
  value: unknown,
  stderr: (text: string) => void,
): Promise<{ hooks: CheckedHookSettings } | { refused: string }> {
  const { parseSettings } = await import('../../settings/settings-parts.js')
  const text = JSON.stringify({ hooks: value })
  const { settings, problems } = parseSettings({ source: 'userSettings', file, text, rules: permissionRulePort })
  const refused = problems.find(({ severity }) => severity === 'refuse')
  if (refused) return { refused: refused.message }
  for (const { message } of problems) stderr(`Warning: ${message}\n`)
  return { hooks: settings.hooks ?? {} }
}

/** The hooks of agents, each for its agent alone. An agent is left out if a guard of its own can't be used. */
export async function readAgentHooks(
  project: SessionProject,
  stderr: (text: string) => void,
): Promise<{ hooks: SettingsHook[]; project: SessionProject }> {
  const found: SettingsHook[] = []
  const unusable = new Set<string>()
  for (const { name, path, hooks } of project.agents) {
    if (!hooks) continue
    const read = await readHooksOfFile(path, hooks, stderr)
    if ('refused' in read) {
      stderr(`Warning: the agent ${name} is not used: ${read.refused}\n`)
      unusable.add(path)
    } else found.push(...toSettingsHooks(read.hooks, { source: path }).map((hook) => ofAgent(hook, name)))
  }
  const agents = project.agents.filter(({ path }) => !unusable.has(path))
  return { hooks: found, project: unusable.size === 0 ? project : { ...project, agents } }
}

/** An agent that stops is a sub-agent that stops. */
function ofAgent(hook: SettingsHook, agent: string): SettingsHook {
  return { ...hook, agent, event: hook.event === 'Stop' ? 'SubagentStop' : hook.event }
}

/** The hooks of a command or skill, or why it can't be used. */
export async function readCommandHooks(
  { path, pluginRoot, hooks }: Pick<CommandFile, 'path' | 'pluginRoot' | 'hooks'>,
  stderr: (text: string) => void,
): Promise<{ hooks: SettingsHook[] } | { refused: string }> {
  if (!hooks) return { hooks: [] }
  const read = await readHooksOfFile(path, hooks, stderr)
  if ('refused' in read) return read
  return { hooks: toSettingsHooks(read.hooks, { source: path, ...(pluginRoot && { pluginRoot }) }) }
}

/** Plugins and agents brought it, not a settings file. */
export function isHookOfProject({ agent, source }: SettingsHook): boolean {
  return agent !== undefined || source.startsWith('plugin ')
}
