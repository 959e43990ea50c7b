/** Commands that settings files and plugins want run at events, in the form the engine works with. */
import { HOOK_EVENTS, type HookEvent } from '../protocol/hooks.js'

export type CommandHook = {
  event: HookEvent
  matcher?: string
  /** A command line for bash. */
  command: string
  /** Seconds. */
  timeout?: number
  /** Nobody waits for its end. */
  async?: boolean
  /** Not run again once it worked. */
  once?: boolean
  /** `block`: any failure of it counts as exit code 2. */
  onFailure?: 'continue' | 'block'
  /** For people: the file or plugin it comes from. */
  source: string
  /** The folder of its plugin, told to it as CLAUDE_PLUGIN_ROOT. */
  pluginRoot?: string
}

type CommandEntry = {
  command: string
  timeout?: number
  async?: boolean
  once?: boolean
  onFailure?: 'continue' | 'block'
}

/** `hooks` of a settings file or a plugin, already checked. */
export type CheckedHookSettings = {
  readonly [event: string]: readonly { matcher?: string; hooks: readonly CommandEntry[] }[] | undefined
}

export function toCommandHooks(
  hooks: CheckedHookSettings,
  from: Pick<CommandHook, 'source' | 'pluginRoot'>,
): CommandHook[] {
  return HOOK_EVENTS.flatMap((event) => {
    const groups = Object.hasOwn(hooks, event) ? (hooks[event] ?? []) : []
    return groups.flatMap(({ matcher, hooks: entries }) =>
      entries.map(({ command, timeout, async, once, onFailure }) => ({
        event,
        command,
        source: from.source,
        ...(matcher === undefined ? {} : { matcher }),
        ...(timeout === undefined ? {} : { timeout }),
        ...(async ? { async } : {}),
        ...(once ? { once } : {}),
        ...(onFailure ? { onFailure } : {}),
        ...(from.pluginRoot === undefined ? {} : { pluginRoot: from.pluginRoot }),
      })),
    )
  })
}

/** How texts for people and the model name it. */
export function commandHookName({ command }: Pick<CommandHook, 'command'>): string {
  return `[${command.length > MAX_NAME ? `${command.slice(0, MAX_NAME)}…` : command}]`
}

const MAX_NAME = 500
