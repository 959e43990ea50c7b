/**
 * Which messages a host gets. Programs written for 0.2.x meet none that 0.2.50 does not have unless they asked, and none of
 * those before the first `init`: many take the first `system` message for it.
 */

import { NOTICES_ONLY_OF_KEDGE, NOTICES_SINCE_SDK_0_3, readMessageTypeOrSubtype } from '../transport/notice-names.js'

/** Messages that can precede the first `init`, for hosts with `includeNotices`: the list of commands, and rejected prompts. */
const EARLY: readonly string[] = ['commands_changed', 'command_lifecycle completed']
/** Messages that every host receives, even without `includeNotices`: from here on, the session isn't saved. */
const FOR_ALL = 'session_not_saved'

/** Which notices a host receives. `none`: as 0.2.50. `newer`: as 0.3. `all`: those of our own too. */
export type HostNoticeSelection = 'none' | 'newer' | 'all'

/** Returns the notices that a host receives, by its request and the environment. */
export function readHostNoticeSelection(
  asked: boolean,
  env: Readonly<Record<string, string | undefined>>,
): HostNoticeSelection {
  if (asked) return 'all'
  return /^(0\.([3-9]|\d\d)|[1-9])/.test(env['CLAUDE_AGENT_SDK_VERSION'] ?? '') ? 'newer' : 'none'
}

type Send = (message: object) => void | Promise<void>

/** Returns a `send` that drops the notices a host didn't ask for. */
export function createNoticeFilter(told: HostNoticeSelection, send: Send): Send {
  let isOpen = false
  let held: object[] = []
  return (message) => {
    const name = readMessageTypeOrSubtype(message)
    const isForAll = 'code' in message && message.code === FOR_ALL
    if (isForAll && isOpen) return send(message)
    if (isForAll) return void held.push(message)
    if (NOTICES_ONLY_OF_KEDGE.has(name) ? told !== 'all' : NOTICES_SINCE_SDK_0_3.has(name) && told === 'none') return
    if (!isOpen && told === 'all' && EARLY.includes(keyOf(message, name))) return send(message)
    if (!isOpen && (NOTICES_ONLY_OF_KEDGE.has(name) || NOTICES_SINCE_SDK_0_3.has(name))) return void held.push(message)
    const taken = send(told === 'newer' ? asInNewer(message, name) : message)
    // A turn without an `init` couldn't start. Its result contains the reason, but not that the session isn't saved.
    if (isOpen || (name !== 'init' && name !== 'result')) return taken
    isOpen = true
    const due = held.filter((notice) => name === 'init' || ('code' in notice && notice.code === FOR_ALL))
    held = []
    return due.reduce<void | Promise<void>>(
      (last, next) => send(told === 'newer' ? asInNewer(next, readMessageTypeOrSubtype(next)) : next) ?? last,
      taken,
    )
  }
}

function keyOf(message: object, name: string): string {
  return name === 'command_lifecycle' && 'state' in message ? `${name} ${message.state}` : name
}

function asInNewer(message: object, name: string): object {
  if (name !== 'permission_denied' || !('content' in message)) return message
  const { content, ...rest } = message
  return { ...rest, message: content }
}
