/** What a credential is, and the text that explains its absence. */
import type { ApiKeySource } from '../../../protocol/messages.js'
import { MISSING_KEY_HELP } from '../../../protocol/shown/fix-words.js'

export type UsableCredential = {
  kind: 'api-key' | 'bearer'
  secret: string
  source: ApiKeySource
  /** A bearer token to send beside a key. */
  token?: string
}
export type Credential = UsableCredential | { kind: 'none'; explanation: string }

/** Returns the credential of an agent that has none. `found` names what was there and why it is of no use. */
export function createMissingCredential(found: readonly string[]): Credential {
  return { kind: 'none', explanation: [...found, MISSING_KEY_HELP].join('\n') }
}

/** Undefined when `value` can't be sent as a header, which is also what a truncated or pasted-over key looks like. */
export function toSendableSecret(value: string): string | undefined {
  const secret = value.trim()
  return /^[\x21-\x7e]+$/.test(secret) ? secret : undefined
}
