/** Turns a command line and an environment into what one session is to be. Wrong input becomes a refusal, never a guess. */

import type { CommandHook } from '../hooks/command-hook.js'
import type { ServerEntry } from '../mcp/servers.js'
import type { OwnPrices } from '../model/pricing.js'
import type { RuleLayer } from '../permissions/permission-engine.js'
import type { FileSystem } from '../platform/files/files.js'
import { isAbsolute, resolve } from '../platform/paths.js'
import { isOn } from '../platform/switch.js'
import type { TerminalReason } from '../protocol/messages.js'
import type { Options, SandboxSettings, SettingSource, ThinkingConfig, ThinkingDisplay } from '../protocol/options.js'
import type { FlagReader } from '../protocol/parse-argv.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { configFolder, isSessionId } from '../sessions/location.js'
import { type DebugSettings, readDebug } from './debug-settings.js'

export type Environment = Readonly<Record<string, string | undefined>>

export type SessionSettings = {
  cwd: string
  env: Environment
  home: string
  configDir: string
  model?: string
  fallbackModel?: string
  /** Undefined: what suits the model. */
  thinking?: ThinkingConfig
  thinkingDisplay?: ThinkingDisplay
  effort?: NonNullable<Options['effort']>
  betas: string[]
  /** Tokens for one turn, as the model is told. */
  taskBudget?: number
  /** By model, of settings files; before those we know. */
  modelPrices?: OwnPrices
  /** The main thread runs as this agent. */
  agent?: string
  maxTurns: number | null
  maxBudgetUsd: number | null
  maxTokens: number | null
  maxToolCalls: number | null
  partial: boolean
  /** Built-in tools that exist; undefined: all. */
  tools?: string[]
  /** The host said which tools there are: an agent's own list does not narrow that. */
  choseTools: boolean
  allow: string[]
  deny: string[]
  mode: PermissionMode
  allowBypass: boolean
  directories: string[]
  persist: boolean
  sessionId?: string
  resume?: string
  continueLatest: boolean
  fork: boolean
  resumeAt?: string
  /** The host wants every line of the session as well. */
  mirrors: boolean
  /** The session to resume comes from the host, in front of its first message. */
  resumesFromHost: boolean
  replay: boolean
  /** Whether the host answers permission questions. */
  asksHost: boolean
  /** Those of `--mcp-config`; each entry is checked when its server is connected. */
  mcpServers: Record<string, unknown>
  /** No MCP servers but those. */
  strictMcp: boolean
  /** All MCP servers there are, wherever they come from. */
  servers: ServerEntry[]
  /** Of `.mcp.json`, by name: those that are used (undefined: all), and those that are not. */
  projectServers: { enabled: readonly string[] | undefined; disabled: readonly string[] }
  /** The MCP tool that answers permission questions. */
  promptTool?: string
  timeoutMs: number | null
  /** What becomes of background work when a turn is over, and how long it may go on then. */
  onTurnEnd: NonNullable<Options['onTurnEnd']>
  backgroundCeilingMs: number | null
  toolOutput: boolean
  /** The session may lead a team. */
  teams: boolean
  /** It has a task list in place of the to-do list. */
  taskList: boolean
  setup?: 'init' | 'maintenance'
  systemPrompt?: string
  appendSystemPrompt?: string
  debug: DebugSettings
  /** What files were like at each user message is kept. */
  checkpoints: boolean
  /** Tell the host of every hook that runs, not only of those at the start. */
  hookEvents: boolean
  /** Ask the host for every call, whatever the rules say. */
  gated: boolean
  /** A question that nobody can answer ends the turn. */
  failOnAsk: boolean
  /** The JSON Schema that answers have to match, as text. */
  outputSchema?: string
  /** Folders of plugins; absolute. */
  pluginFolders: string[]
  /** The host wants to know when we are idle. */
  reportsState: boolean
  /** Which settings files count. */
  sources: SettingSource[]
  /** What comes with the folder may act; otherwise its settings only narrow. */
  trusted: boolean
  /** `--settings`: JSON, or the path of a file. */
  settingsFlag?: string
  /** The host sums conversations up. */
  hostSummarizes: boolean
  /** Results of tool calls that stay when old ones are left out; undefined: none is. */
  keepToolResults?: number
  /** The output style that settings name. */
  outputStyle?: string
  /** The host chose the mode: settings do not. */
  choseMode: boolean
  /** Permission rules of settings files. */
  layers: RuleLayer[]
  sandbox?: SandboxSettings
  /** Commands that settings files and plugins want run at events. */
  commandHooks: CommandHook[]
  /** False: settings turned them off. */
  runsCommandHooks: boolean
}

export type Refusal = {
  /** For people, on stderr. */
  stderr?: string
  /** For programs, as `errors[0]` of a result; absent where the original ends without one. */
  message?: string
  code: string
  reason: TerminalReason
}

export type SettingsResult = { ok: true; settings: SessionSettings } | { ok: false; refusal: Refusal }

export type World = { cwd: string; env: Environment; home: string; uid: number | null; files: FileSystem }

export function readSettings(flags: FlagReader, world: World): SettingsResult {
  const { cwd, env, home } = world
  const bypassFlag = flags.has('dangerously-skip-permissions')
  // The flag table only lets known modes through.
  const mode = bypassFlag ? 'bypassPermissions' : ((flags.text('permission-mode') ?? 'default') as PermissionMode)
  const allowBypass = bypassFlag || flags.has('allow-dangerously-skip-permissions')
  const refusal =
    checkBypass(mode, allowBypass, world) ?? checkSupport(flags) ?? checkSources(flags) ?? checkSession(flags)
  if (refusal) return { ok: false, refusal }
  const mcpServers = readMcpConfig(flags.text('mcp-config'), world)
  if ('refusal' in mcpServers) return { ok: false, refusal: mcpServers.refusal }
  const debug = readDebug(flags, env, cwd)
  if (typeof debug === 'string') {
    const refusal: Refusal = {
      stderr: `Error: ${debug}`,
      message: debug,
      code: 'invalid_configuration',
      reason: 'invalid_input',
    }
    return { ok: false, refusal }
  }
  const tools = flags.list('tools')
  const promptTool = flags.text('permission-prompt-tool')
  const seconds = flags.number('timeout')
  const ceiling = flags.number('background-ceiling')
  return {
    ok: true,
    settings: {
      cwd,
      env,
      home,
      configDir: configFolder(env, home),
      model: flags.text('model') ?? env.ANTHROPIC_MODEL,
      fallbackModel: flags.text('fallback-model'),
      thinking: readThinking(flags),
      // Checked against its choices by the flag table.
      effort: flags.text('effort') as SessionSettings['effort'],
      betas: flags.list('betas') ?? [],
      taskBudget: flags.number('task-budget'),
      // The flag table only lets these through.
      thinkingDisplay: flags.text('thinking-display') as ThinkingDisplay | undefined,
      agent: flags.text('agent'),
      maxTurns: flags.number('max-turns') ?? null,
      maxBudgetUsd: flags.number('max-budget-usd') ?? null,
      maxTokens: flags.number('max-tokens') ?? null,
      maxToolCalls: flags.number('max-tool-calls') ?? null,
      partial: flags.has('include-partial-messages'),
      tools: tools?.includes('default') ? undefined : tools,
      choseTools: tools !== undefined,
      allow: flags.list('allowedTools') ?? [],
      deny: flags.list('disallowedTools') ?? [],
      mode,
      allowBypass,
      directories: flags
        .repeated('add-dir')
        .map((directory) => (isAbsolute(directory) ? resolve(directory) : resolve(cwd, directory))),
      persist: !flags.has('no-session-persistence'),
      sessionId: flags.text('session-id'),
      resume: flags.text('resume'),
      continueLatest: flags.has('continue'),
      fork: flags.has('fork-session'),
      resumeAt: flags.text('resume-session-at'),
      mirrors: flags.has('session-mirror'),
      resumesFromHost: flags.has('resume-from-host'),
      replay: flags.has('replay-user-messages'),
      asksHost: promptTool === 'stdio',
      mcpServers: mcpServers.servers,
      strictMcp: flags.has('strict-mcp-config'),
      servers: [],
      projectServers: { enabled: undefined, disabled: [] },
      ...(promptTool?.startsWith('mcp__') ? { promptTool } : {}),
      timeoutMs: seconds === undefined ? null : seconds * 1000,
      // Checked against its choices by the flag table.
      onTurnEnd: (flags.text('on-turn-end') as Options['onTurnEnd']) ?? 'wait',
      backgroundCeilingMs: ceiling === undefined ? null : ceiling * 1000,
      toolOutput: flags.has('include-tool-output'),
      teams: flags.has('agent-teams') || isOn(env.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS),
      taskList: flags.has('agent-teams') || isOn(env.CLAUDE_CODE_ENABLE_TASKS),
      setup: flags.has('init') ? 'init' : flags.has('maintenance') ? 'maintenance' : undefined,
      systemPrompt: flags.text('system-prompt'),
      appendSystemPrompt: flags.text('append-system-prompt'),
      debug,
      checkpoints: isOn(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING),
      hookEvents: flags.has('include-hook-events'),
      outputSchema: flags.text('json-schema'),
      hostSummarizes: flags.text('summarizer') === 'host',
      keepToolResults: flags.number('keep-tool-results'),
      gated: flags.text('gate') === 'always',
      failOnAsk: flags.text('on-ask') === 'fail',
      pluginFolders: flags.repeated('plugin-dir').map((folder) => resolve(cwd, folder)),
      reportsState: isOn(env.CLAUDE_CODE_SDK_READS_SESSION_STATE),
      sources: settingSources(flags),
      trusted: namesTrust(flags),
      settingsFlag: flags.text('settings'),
      choseMode: bypassFlag || flags.text('permission-mode') !== undefined,
      layers: [],
      commandHooks: [],
      runsCommandHooks: true,
    },
  }
}

function readThinking(flags: FlagReader): ThinkingConfig | undefined {
  const mode = flags.text('thinking')
  if (mode === 'disabled' || mode === 'adaptive') return { type: mode }
  return (
    thinkingBudget(flags.number('max-thinking-tokens') ?? null) ??
    (mode === 'enabled' ? { type: 'enabled' } : undefined)
  )
}

/** Null: what suits the model; 0: none. */
export function thinkingBudget(tokens: number | null): ThinkingConfig | undefined {
  if (tokens === null) return undefined
  return tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: tokens }
}

const ROOT_REFUSED = '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons'

export function checkBypass(
  mode: PermissionMode,
  allowed: boolean,
  { uid, env }: Pick<World, 'uid' | 'env'>,
): Refusal | undefined {
  if (mode !== 'bypassPermissions') return undefined
  if (uid === 0 && !isOn(env.IS_SANDBOX)) {
    return { stderr: ROOT_REFUSED, message: ROOT_REFUSED, code: 'root_refused', reason: 'root_refused' }
  }
  if (allowed) return undefined
  const message =
    'permissionMode bypassPermissions needs allowDangerouslySkipPermissions: true (--allow-dangerously-skip-permissions).'
  return { stderr: `Error: ${message}`, message, code: 'bypass_not_launched', reason: 'invalid_input' }
}

export function unsupported(what: string): Refusal {
  const message = `${what} is not supported yet by this version of Kedge.`
  return { stderr: `Error: ${message}`, message, code: 'not_supported_yet', reason: 'invalid_input' }
}

/** Refuses by name what this version can't honour yet, rather than taking it and doing nothing. */
function checkSupport(flags: FlagReader): Refusal | undefined {
  const tool = flags.text('permission-prompt-tool')
  if (flags.text('gate') !== undefined && tool === undefined) {
    const message = '--gate always needs --permission-prompt-tool stdio: there is nobody to ask otherwise.'
    return { stderr: `Error: ${message}`, message, code: 'invalid_option', reason: 'invalid_input' }
  }
  if (tool !== undefined && tool !== 'stdio' && !/^mcp__.+__.+$/.test(tool)) {
    const message = `permissionPromptToolName (--permission-prompt-tool) must be stdio or a tool mcp__<server>__<tool>, not '${tool}'.`
    return { stderr: `Error: ${message}`, message, code: 'invalid_option', reason: 'invalid_input' }
  }
  return undefined
}

const SOURCES: readonly SettingSource[] = ['user', 'project', 'local']

/** Those that are named; all of them where nobody says which, as when a person types the command. */
export function settingSources(flags: FlagReader): SettingSource[] {
  const named = flags.list('setting-sources')
  return SOURCES.filter((source) => named === undefined || named.includes(source))
}

/** A host that names what comes with the folder trusts it; of a person's command line only the flag says so. */
export function namesTrust(flags: FlagReader): boolean {
  const isDriven = flags.text('input-format') === 'stream-json'
  const named = flags.list('setting-sources') ?? []
  return flags.has('trust') || (isDriven && named.some((source) => source !== 'user'))
}

function checkSources(flags: FlagReader): Refusal | undefined {
  const unknown = flags.list('setting-sources')?.find((name) => !SOURCES.some((source) => source === name))
  if (unknown === undefined) return undefined
  const message = `Unknown setting source '${unknown}': use user, project or local.`
  return { stderr: `Error: ${message}`, message, code: 'invalid_option', reason: 'invalid_input' }
}

function checkSession(flags: FlagReader): Refusal | undefined {
  const id = flags.text('session-id')
  const fail = (message: string): Refusal => ({
    stderr: `Error: ${message}`,
    message,
    code: 'invalid_session_id',
    reason: 'invalid_input',
  })
  if (id !== undefined && !isSessionId(id)) return fail('Invalid session ID. Must be a valid UUID.')
  if (id !== undefined && (flags.has('continue') || flags.text('resume')) && !flags.has('fork-session')) {
    return fail('--session-id can only be used with --continue or --resume if --fork-session is also specified.')
  }
  if (flags.has('resume')) return fail('--resume needs a session ID here; without one it asks on a terminal.')
  if (flags.has('resume-from-host') && !flags.text('resume'))
    return fail('--resume-from-host needs --resume <session>.')
  if (flags.text('resume-session-at') !== undefined && !flags.text('resume') && !flags.has('continue')) {
    const problem = fail('resumeSessionAt (--resume-session-at) needs a session to resume: set resume or continue.')
    return { ...problem, code: 'invalid_option' }
  }
  return undefined
}

function readMcpConfig(
  text: string | undefined,
  { cwd, files }: World,
): { servers: SessionSettings['mcpServers'] } | { refusal: Refusal } {
  if (text === undefined) return { servers: {} }
  try {
    const value: unknown = JSON.parse(text.trimStart().startsWith('{') ? text : files.readTextSync(resolve(cwd, text)))
    if (typeof value === 'object' && value !== null && 'mcpServers' in value) {
      const servers = value.mcpServers
      if (typeof servers === 'object' && servers !== null && !Array.isArray(servers)) return { servers: { ...servers } }
    }
  } catch {
    // Falls through to the refusal.
  }
  const message = 'Invalid MCP configuration: --mcp-config needs {"mcpServers":{…}} or a file that holds it.'
  return { refusal: { stderr: `Error: ${message}`, message, code: 'invalid_option', reason: 'invalid_input' } }
}
