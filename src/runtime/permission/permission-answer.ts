/** Reads a host's answer to `can_use_tool`. Anything but a clear yes is a no, with a reason. */

import type { PermissionAnswer } from '../../engine/ports.js'
import { isObject } from '../../protocol/json.js'
import type { PermissionUpdate } from '../../protocol/permission-types.js'

/** Throws when the answer means nothing; the caller turns that into a denial. */
export function readPermissionAnswer(
  answer: Record<string, unknown>,
  input: Record<string, unknown>,
): PermissionAnswer {
  const { behavior, updatedInput, updatedPermissions, message, interrupt } = answer
  if (behavior === 'allow') {
    if (updatedInput !== undefined && !isObject(updatedInput)) throw invalid('`updatedInput` must be an object')
    if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions)) {
      throw invalid('`updatedPermissions` must be an array')
    }
    return {
      behavior: 'allow',
      input: updatedInput ?? input,
      // Each update is checked by the permission engine before it changes anything.
      updates: (updatedPermissions ?? []) as PermissionUpdate[],
    }
  }
  if (behavior === 'deny') {
    if (typeof message !== 'string') throw invalid('a denial needs `message`, a string')
    // The API refuses an error result without a text.
    return {
      behavior: 'deny',
      message: message.trim() === '' ? 'Permission denied.' : message,
      interrupt: interrupt === true,
    }
  }
  throw invalid("`behavior` must be 'allow' or 'deny'")
}

function invalid(problem: string): Error {
  return new Error(`Invalid permission result: ${problem}`)
}
