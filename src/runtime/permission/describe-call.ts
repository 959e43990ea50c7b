/** The tool a call names, with the facts that the session's own tool states of it, made ready to be judged and nothing else. */

import { createBackgroundTable } from '../../background/background-table.js'
import type { EngineTool, PermissionFacts } from '../../engine/ports.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import { type Platform, toToolPlatform } from '../../platform/platform.js'
import { createFlagReader, parseArgv } from '../../protocol/option-table/parse-argv.js'
import { toCanonicalToolName, toolTraits } from '../../protocol/tool-names.js'
import type { BashSandbox } from '../../tools/bash/sandbox-port.js'
import type { Tool, ToolContext } from '../../tools/tool.js'
import { validateInput } from '../../tools/validate-input.js'
import type { Configuration } from '../configuration.js'
import { readConfigurationFromFlags } from '../configuration-from-flags.js'
import { createLiveSettings, type LiveSettings } from '../live-settings.js'
import { createModelSetup, type ModelSetup } from '../model-setup.js'
import { chooseBuiltInTools } from '../tools/built-in-tools.js'
import { createInvalidFieldError } from './explain-request.js'
import { createPlanMode, newPlanFilePath } from './session-plan-mode.js'

export type CallToDescribe = {
  tool: string
  input: Record<string, unknown>
  /** `_meta` of an MCP tool. */
  toolMeta?: Record<string, unknown>
  cwd: string
  home: string
  permissions: Permissions
  /** Absent when it is off. */
  sandbox?: BashSandbox | undefined
  platform: Platform
  around: LoadFolderSessionDefaults
}

/** The defaults of a session in a folder that its tools need. */
export type LoadFolderSessionDefaults = (
  cwd: string,
  home: string,
) => { settings: Configuration; live: LiveSettings; model: ModelSetup }

/** Caches those of the last folder, because creating them takes longer than judging a call. */
export function createFolderDefaultsLoader(platform: Platform): LoadFolderSessionDefaults {
  let last: { cwd: string; home: string; made: ReturnType<LoadFolderSessionDefaults> } | undefined
  return (cwd, home) => {
    if (last?.cwd === cwd && last.home === home) return last.made
    const settings = usualSettings(cwd, home, platform)
    const live = createLiveSettings(settings)
    const made = { settings, live, model: createModelSetup(settings, live, '', platform, () => {}) }
    last = { cwd, home, made }
    return made
  }
}

export async function createFactsOnlyTool(call: CallToDescribe): Promise<Omit<EngineTool, 'execute' | 'moreFacts'>> {
  const tool = findTool(call)
  const checked = tool ? checkedInput(call, tool) : call.input
  const input = tool?.prepare ? { ...(await tool.prepare(checked, contextOf(call))) } : checked
  return {
    name: call.tool,
    isReadOnly: () => false,
    parse: () => ({ ok: true, input }),
    check: async () => undefined,
    facts: () => (tool ? tool.facts(input, contextOf(call)) : factsOfUnknown(call)),
  }
}

/** What is not built in states nothing of itself, unless an MCP server says that it needs the user. */
function factsOfUnknown({ toolMeta }: CallToDescribe): PermissionFacts {
  return { kind: toolMeta?.['anthropic/requiresUserInteraction'] === true ? 'ask' : 'other' }
}

/** What facts are made of has to be right; the rest of the input does not matter here. */
const FACT_FIELDS = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url']

function checkedInput({ tool: name, input }: CallToDescribe, tool: Tool): Record<string, unknown> {
  const checked = validateInput({ type: 'object', ...tool.inputSchema }, input)
  // The schema says that it is an object.
  if (checked.ok) return checked.value as Record<string, unknown>
  // Grep's facts don't include the pattern, so tools that are judged like Grep can be described without one.
  const wrong = checked.issues.find(({ path: [field] }) => FACT_FIELDS.some((known) => known === field))
  if (wrong && !(toolTraits(name).judgedLike && wrong.path[0] === 'pattern'))
    throw createInvalidFieldError(`input.${String(wrong.path[0])}`, `the tool ${name} needs it: ${wrong.message}`)
  return input
}

function findTool(call: CallToDescribe): Tool | undefined {
  const { cwd, home, platform, permissions, sandbox, around } = call
  const names = [toCanonicalToolName(call.tool), toolTraits(call.tool).judgedLike ?? '']
  const { settings, live, model } = around(cwd, home)
  const { tools } = chooseBuiltInTools({
    settings: { ...settings, tools: names },
    live,
    platform,
    permissions: { ...permissions, removedTools: () => [] },
    model,
    plan: createPlanMode({
      permissions,
      platform,
      planFile: newPlanFilePath(settings.configDir, platform.identity.hex),
      canBeApproved: () => true,
      onModeChanged: () => {},
    }),
    agents: { agents: () => [], run: async () => ({ ok: false, error: 'not run here' }) },
    search: { deferred: () => [], activate: () => {} },
    taskGuards: { created: async () => undefined, completed: async () => undefined },
    sandbox,
    skills: { find: () => undefined, names: () => [], load: async () => ({ problem: 'not loaded here' }) },
  })
  return tools.find(({ name }) => name === names[0]) ?? tools[0]
}

function contextOf({ cwd, home, platform, permissions }: CallToDescribe): ToolContext {
  return {
    cwd,
    directories: permissions.directories,
    env: { HOME: home },
    platform: toToolPlatform(platform),
    session: { readFiles: new Map(), destinations: new WeakMap(), todos: [], shellCwd: cwd },
    tasks: createBackgroundTable({
      identity: platform.identity,
      outputFolder: async () => cwd,
      onStarted: () => {},
      onEnded: () => {},
    }),
  }
}

function usualSettings(cwd: string, home: string, platform: Platform): Configuration {
  const parsed = parseArgv([])
  const read = parsed.ok
    ? readConfigurationFromFlags(createFlagReader(parsed.values), {
        cwd,
        home,
        env: { HOME: home },
        uid: null,
        files: platform.files,
      })
    : undefined
  if (!read?.ok) throw new Error('unreachable: no flags are no mistake')
  return read.settings
}
