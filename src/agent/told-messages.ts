/**
 * Which messages a host gets. Programs written for 0.2.x meet none that 0.2.50 does not have unless they asked, and none of
 * those before the first `init`: many take the first `system` message for it.
 */

/** What 0.3 has beside 0.2.50. Hosts of that line say which they are. */
const OF_NEWER = new Set([
  ...['api_retry', 'permission_denied', 'informational', 'mirror_error'],
  ...['task_progress', 'task_updated', 'background_tasks_changed', 'conversation_reset', 'commands_changed'],
  'elicitation_complete',
])
/** Who asked for everything learns at once what can be typed, before anything was. */
const EARLY = 'commands_changed'
const OURS = new Set(['command_lifecycle', 'model_fallback'])

/** `none`: as 0.2.50. `newer`: as 0.3. `all`: those of our own too. */
export type ToldMessages = 'none' | 'newer' | 'all'

export function readTold(asked: boolean, env: Readonly<Record<string, string | undefined>>): ToldMessages {
  if (asked) return 'all'
  return /^(0\.([3-9]|\d\d)|[1-9])/.test(env['CLAUDE_AGENT_SDK_VERSION'] ?? '') ? 'newer' : 'none'
}

type Send = (message: object) => void | Promise<void>

export function tellOnly(told: ToldMessages, send: Send): Send {
  let isOpen = false
  let held: object[] = []
  return (message) => {
    const name = nameOf(message)
    if (OURS.has(name) ? told !== 'all' : OF_NEWER.has(name) && told === 'none') return
    if (!isOpen && told === 'all' && name === EARLY) return send(message)
    if (!isOpen && (OURS.has(name) || OF_NEWER.has(name))) return void held.push(message)
    const taken = send(told === 'newer' ? asInNewer(message, name) : message)
    // A turn without an `init` is one that could not begin: its result says why.
    if (isOpen || (name !== 'init' && name !== 'result')) return taken
    isOpen = true
    const due = name === 'init' ? held : []
    held = []
    return due.reduce<void | Promise<void>>(
      (last, next) => send(told === 'newer' ? asInNewer(next, nameOf(next)) : next) ?? last,
      taken,
    )
  }
}

function asInNewer(message: object, name: string): object {
  if (name !== 'permission_denied' || !('content' in message)) return message
  const { content, ...rest } = message
  return { ...rest, message: content }
}

function nameOf(message: object): string {
  const { type, subtype } = message as { type?: unknown; subtype?: unknown } // any object can be looked into
  return String(type === 'system' ? subtype : type)
}
