/** Hooks that settings files, plugins, agents, skills and commands want run at events, in the form the engine works with. */
import { HOOK_EVENTS, type HookEvent } from '../protocol/hooks.js'
import type { JsonObject } from '../protocol/json.js'

/** What is run: a program, a request to an address, a question to a model, an agent, or a tool of an MCP server. */
export type HookAction =
  | {
      type: 'command'
      /** A command line for bash; with `args` the program itself, started without a shell. */
      command: string
      args?: readonly string[]
      /** What reads the command line. */
      shell?: 'bash' | 'powershell'
    }
  | {
      type: 'http'
      url: string
      /** Values can name variables that `allowedEnvVars` lists, as `$NAME` or `${NAME}`. */
      headers?: Readonly<Record<string, string>>
      allowedEnvVars?: readonly string[]
    }
  | {
      type: 'prompt'
      prompt: string
      model?: string
      /** An objection lets the turn continue. */
      continueOnBlock?: boolean
    }
  | { type: 'agent'; prompt: string; model?: string }
  | {
      type: 'mcp_tool'
      server: string
      tool: string
      /** Texts can name fields of the event, as `${tool_input.file_path}`. */
      input?: JsonObject
    }
  | {
      /** A kind of a later release. */
      type: 'unknown'
      kind: string
    }

export type HookConditions = {
  event: HookEvent
  matcher?: string
  /** A permission rule: it runs for calls that the rule covers. */
  if?: string
  /** Seconds. */
  timeout?: number
  /** The turn doesn't wait for its end. */
  async?: boolean
  /** `async`; and if it ends with exit code 2, the model hears of it at once. */
  asyncRewake?: boolean
  /** Not run again once it worked. */
  once?: boolean
  /** `block`: any failure of it works like exit code 2. */
  onFailure?: 'continue' | 'block'
  /** What people read while it runs. */
  statusMessage?: string
  /** For people: the file or plugin it comes from. */
  source: string
  /** The folder of its plugin, which the hook gets as CLAUDE_PLUGIN_ROOT. */
  pluginRoot?: string
  /** Runs only for sub-agents of this type. */
  agent?: string
}

export type SettingsHook = HookConditions & HookAction

/** Hooks that aren't programs. */
export type ServiceHook = Exclude<SettingsHook, { type: 'command' | 'unknown' }>

/** What settings permit hooks of type `http`. */
export type HttpHookLimits = {
  /** Patterns of addresses; undefined: all. */
  urls?: readonly string[] | undefined
  /** Variables in headers; undefined: those the hook lists. */
  variables?: readonly string[] | undefined
}

type CheckedHook = Omit<HookConditions, 'event' | 'matcher' | 'source' | 'pluginRoot' | 'agent'> & HookAction

/** `hooks` of a settings file or a plugin, already checked. */
export type CheckedHookSettings = {
  readonly [event: string]: readonly { matcher?: string; hooks: readonly CheckedHook[] }[] | undefined
}

export function toSettingsHooks(
  hooks: CheckedHookSettings,
  { source, pluginRoot }: Pick<SettingsHook, 'source' | 'pluginRoot'>,
): SettingsHook[] {
  return HOOK_EVENTS.flatMap((event) => {
    const groups = Object.hasOwn(hooks, event) ? (hooks[event] ?? []) : []
    return groups.flatMap(({ matcher, hooks: entries }) =>
      entries.map((entry) => ({
        ...entry,
        event,
        source,
        ...(matcher === undefined ? {} : { matcher }),
        ...(pluginRoot === undefined ? {} : { pluginRoot }),
      })),
    )
  })
}

/** How texts for people and the model name it. */
export function settingsHookName(hook: HookAction): string {
  const text = describeAction(hook)
  return `[${text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text}]`
}

const MAX_NAME = 500

function describeAction(hook: HookAction): string {
  switch (hook.type) {
    case 'command':
      return [hook.command, ...(hook.args ?? [])].join(' ')
    case 'http':
      return `POST ${withoutQuery(hook.url)}`
    case 'prompt':
    case 'agent':
      return `${hook.type}: ${hook.prompt.split('\n', 1)[0]}`
    case 'mcp_tool':
      return `MCP tool ${hook.server}: ${hook.tool}`
    case 'unknown':
      return `hook of type ${hook.kind}`
  }
}

/** What follows the path can be a secret, and so can a user's name. */
function withoutQuery(url: string): string {
  try {
    const { origin, pathname } = new URL(url)
    return `${origin}${pathname}`
  } catch {
    return 'an invalid address'
  }
}

/** Identifies a hook among those of a session. */
export function settingsHookKey({ event, matcher, source, ...hook }: SettingsHook): string {
  const { pluginRoot: _folder, timeout: _timeout, ...rest } = hook
  return JSON.stringify([event, matcher, source, rest])
}
