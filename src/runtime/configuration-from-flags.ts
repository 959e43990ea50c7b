/** Turns a command line and an environment into what one session is to be. Wrong input becomes a refusal, never a guess. */

import { modelNamedByEnvironment } from '../model/messages-api/messages-provider.js'
import type { Environment } from '../platform/environment.js'
import type { FileSystem } from '../platform/files/files.js'
import { resolve } from '../platform/paths.js'
import { isVariableOn } from '../platform/switch.js'
import type { FlagReader } from '../protocol/option-table/parse-argv.js'
import { readStartSettings } from '../protocol/option-table/read-start-settings.js'
import type { SettingSource, ThinkingConfig } from '../protocol/options.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { configFolder, isSessionId } from '../sessions/transcript-paths.js'
import type { Configuration, StartRefusal } from './configuration.js'
import { readDebugSettings } from './debug-settings.js'
import { readFlagContents } from './flag-contents.js'

export type ConfigurationResult = { ok: true; settings: Configuration } | { ok: false; refusal: StartRefusal }

/** What the answers of a command line depend on beside it. */
export type FlagReadingContext = { cwd: string; env: Environment; home: string; uid: number | null; files: FileSystem }

export function readConfigurationFromFlags(flags: FlagReader, conditions: FlagReadingContext): ConfigurationResult {
  const { cwd, env, home } = conditions
  const bypassFlag = flags.has('dangerously-skip-permissions')
  // The option table only lets known modes through.
  const mode = bypassFlag ? 'bypassPermissions' : ((flags.text('permission-mode') ?? 'default') as PermissionMode)
  // The user who starts Kedge in this mode has allowed it. A settings file alone isn't enough.
  const allowBypass = mode === 'bypassPermissions' || flags.has('allow-dangerously-skip-permissions')
  const refusal =
    checkBypassMode(mode, allowBypass, conditions) ?? checkSupport(flags) ?? checkSources(flags) ?? checkSession(flags)
  if (refusal) return { ok: false, refusal }
  const contents = readFlagContents(flags, conditions)
  if ('refusal' in contents) return { ok: false, refusal: contents.refusal }
  const debug = readDebugSettings(flags, env, cwd)
  if (typeof debug === 'string') {
    const refusal: StartRefusal = {
      stderr: `Error: ${debug}`,
      message: debug,
      code: 'invalid_configuration',
      reason: 'invalid_input',
    }
    return { ok: false, refusal }
  }
  const start = readStartSettings(flags, { resolve: (path) => resolve(cwd, path) })
  const tools = flags.list('tools')
  const promptTool = flags.text('permission-prompt-tool')
  return {
    ok: true,
    settings: {
      cwd,
      env,
      home,
      configDir: configFolder(env, home),
      debug,
      ...start,
      ...contents,
      model: start.model ?? modelNamedByEnvironment(env),
      thinking: readThinking(flags),
      tools: tools?.includes('default') ? undefined : tools,
      choseTools: tools !== undefined,
      ...readSwitchVariables(env, { teams: start.teams, taskList: start.teams, checkpoints: false }),
      mode,
      choseMode: bypassFlag || flags.text('permission-mode') !== undefined,
      allowBypass,
      asksHost: promptTool === 'stdio',
      unattended: promptTool === undefined && flags.text('input-format') !== 'stream-json',
      ...(promptTool === undefined || promptTool === 'stdio' ? {} : { promptTool }),
      setup: flags.has('init') ? 'init' : flags.has('maintenance') ? 'maintenance' : undefined,
      sources: chosenSettingSources(flags),
      trusted: isTrustChosen(flags, env),
      reportsState: isVariableOn(env.CLAUDE_CODE_SDK_READS_SESSION_STATE),
      showsState: isVariableOn(env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS),
      servers: [],
      projectServers: { enabled: undefined, disabled: [] },
      layers: [],
      settingsHooks: [],
      hookLimits: {},
    },
  }
}

type Switches = Pick<Configuration, 'teams' | 'taskList' | 'checkpoints'>

/** What variables turn on, of the process as of settings files. Nothing is turned off by them. */
export function readSwitchVariables(env: Environment, before: Switches): Switches {
  return {
    teams: before.teams || isVariableOn(env.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS),
    taskList: before.taskList || isVariableOn(env.CLAUDE_CODE_ENABLE_TASKS),
    checkpoints: before.checkpoints || isVariableOn(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING),
  }
}

function readThinking(flags: FlagReader): ThinkingConfig | undefined {
  const mode = flags.text('thinking')
  if (mode === 'disabled' || mode === 'adaptive') return { type: mode }
  return (
    toThinkingConfig(flags.number('max-thinking-tokens') ?? null) ??
    (mode === 'enabled' ? { type: 'enabled' } : undefined)
  )
}

/** Null: what suits the model; 0: none. */
export function toThinkingConfig(tokens: number | null): ThinkingConfig | undefined {
  if (tokens === null) return undefined
  return tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: tokens }
}

const ROOT_REFUSED = '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons'

export function checkBypassMode(
  mode: PermissionMode,
  allowed: boolean,
  { uid, env }: Pick<FlagReadingContext, 'uid' | 'env'>,
): StartRefusal | undefined {
  if (mode !== 'bypassPermissions') return undefined
  if (uid === 0 && !isVariableOn(env.IS_SANDBOX)) {
    return { stderr: ROOT_REFUSED, message: ROOT_REFUSED, code: 'root_refused', reason: 'root_refused' }
  }
  if (allowed) return undefined
  const message =
    'defaultMode bypassPermissions of a settings file needs allowDangerouslySkipPermissions: true (--allow-dangerously-skip-permissions).'
  return { stderr: `Error: ${message}`, message, code: 'bypass_not_launched', reason: 'invalid_input' }
}

export function createUnsupportedOptionRefusal(what: string): StartRefusal {
  const message = `${what} is not supported yet by this version of Kedge.`
  return { stderr: `Error: ${message}`, message, code: 'not_supported_yet', reason: 'invalid_input' }
}

/** Refuses by name what this version can't honor yet, rather than taking it and doing nothing. */
function checkSupport(flags: FlagReader): StartRefusal | undefined {
  const tool = flags.text('permission-prompt-tool')
  if (flags.text('gate') !== undefined && tool === undefined) {
    const message = '--gate always needs --permission-prompt-tool stdio: there is nobody to ask otherwise.'
    return { stderr: `Error: ${message}`, message, code: 'invalid_option', reason: 'invalid_input' }
  }
  return undefined
}

const SOURCES: readonly SettingSource[] = ['user', 'project', 'local']

/** Those that are named; all of them where nobody says which, as when a person types the command. */
export function chosenSettingSources(flags: FlagReader): SettingSource[] {
  const named = flags.list('setting-sources')
  return SOURCES.filter((source) => named === undefined || named.includes(source))
}

/** A host that names what comes with the folder trusts it; of a person's command line only the flag says so. */
export function isTrustChosen(flags: FlagReader, { CLAUDE_CODE_ENTRYPOINT: entry = '' }: Environment): boolean {
  // Some hosts start the command once for each prompt; they say what they are.
  const isDriven = flags.text('input-format') === 'stream-json' || entry.startsWith('sdk-')
  const named = flags.list('setting-sources') ?? []
  if (flags.has('untrusted')) return false
  return flags.has('trust') || (isDriven && named.some((source) => source !== 'user'))
}

function checkSources(flags: FlagReader): StartRefusal | undefined {
  const unknown = flags.list('setting-sources')?.find((name) => !SOURCES.some((source) => source === name))
  if (unknown === undefined) return undefined
  const message = `Unknown setting source '${unknown}': use user, project or local.`
  return { stderr: `Error: ${message}`, message, code: 'invalid_option', reason: 'invalid_input' }
}

function checkSession(flags: FlagReader): StartRefusal | undefined {
  const id = flags.text('session-id')
  const fail = (message: string): StartRefusal => ({
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
  if (flags.text('resume-drops-turn') !== undefined && flags.text('resume-session-at') === undefined)
    return { ...fail('--resume-drops-turn requires --resume-session-at'), code: 'invalid_option' }
  if (flags.text('resume-session-at') !== undefined && !flags.text('resume') && !flags.has('continue')) {
    const problem = fail('resumeSessionAt (--resume-session-at) needs a session to resume: set resume or continue.')
    return { ...problem, code: 'invalid_option' }
  }
  return undefined
}
