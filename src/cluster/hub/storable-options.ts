/** Session options as a row can hold them: functions belong into the app, and secrets aren't stored. */
import { KedgeError } from '../../errors.js'
import type { Options } from '../../protocol/options.js'

/** They would hold keys: the app has them, or the worker's environment. */
const SECRET = new Set<keyof Options>(['env', 'mcpServers', 'settings'])

/**
 * Returns the options of a session that can be stored in the database. Rejects with `not_on_cluster` what can't be
 * stored, by name.
 */
export function storableOptions(options: Options): Record<string, unknown> {
  const stored: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (SECRET.has(name as keyof Options)) throw refused(name, 'it can contain secrets') // only compared
    if (!isPlain(value)) throw refused(name, "it isn't plain JSON data")
    stored[name] = value
  }
  return stored
}

function refused(name: string, why: string): KedgeError {
  return new KedgeError(
    'not_on_cluster',
    `The option ${name} can't be stored with a session, because ${why}. Set it in the session's app (defineApp).`,
  )
}

function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every((one) => one === undefined || isPlain(one))
}
