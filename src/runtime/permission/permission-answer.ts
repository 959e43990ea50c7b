/** Reads a host's answer to `can_use_tool`. Anything but a clear yes is a no, with a reason. */

import type { PermissionAnswer } from '../../engine/ports.js'
import { findPermissionResultProblem, type PermissionResult } from '../../protocol/permission-types.js'

/**
 * Reads the host's answer to a permission request. Throws when the answer means nothing; the caller turns that into a
 * denial.
 */
export function readPermissionAnswer(
  answer: Record<string, unknown>,
  input: Record<string, unknown>,
): PermissionAnswer {
  const problem = findPermissionResultProblem(answer)
  if (problem !== undefined) throw new Error(`Invalid permission result: ${problem}`)
  const result = answer as PermissionResult // checked just above
  if (result.behavior === 'allow') {
    return { behavior: 'allow', input: result.updatedInput ?? input, updates: result.updatedPermissions ?? [] }
  }
  const message: unknown = result.message
  // The API refuses an error result without a text.
  const text = typeof message === 'string' && message.trim() !== '' ? message : 'Permission denied.'
  return { behavior: 'deny', message: text, interrupt: result.interrupt === true }
}
