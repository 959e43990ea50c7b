/**
 * Which messages a host gets. Programs written for 0.2.x meet none that 0.2.50 does not have unless they asked, and none of
 * those before the first `init`: many take the first `system` message for it.
 */

import { messageName, NOTICES_OF_NEWER, OWN_NOTICES } from '../transport/notice-names.js'

/** Who asked for everything learns at once what can be typed, before anything was. */
const EARLY = 'commands_changed'

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
    const name = messageName(message)
    if (OWN_NOTICES.has(name) ? told !== 'all' : NOTICES_OF_NEWER.has(name) && told === 'none') return
    if (!isOpen && told === 'all' && name === EARLY) return send(message)
    if (!isOpen && (OWN_NOTICES.has(name) || NOTICES_OF_NEWER.has(name))) return void held.push(message)
    const taken = send(told === 'newer' ? asInNewer(message, name) : message)
    // A turn without an `init` is one that could not begin: its result says why.
    if (isOpen || (name !== 'init' && name !== 'result')) return taken
    isOpen = true
    const due = name === 'init' ? held : []
    held = []
    return due.reduce<void | Promise<void>>(
      (last, next) => send(told === 'newer' ? asInNewer(next, messageName(next)) : next) ?? last,
      taken,
    )
  }
}

function asInNewer(message: object, name: string): object {
  if (name !== 'permission_denied' || !('content' in message)) return message
  const { content, ...rest } = message
  return { ...rest, message: content }
}
