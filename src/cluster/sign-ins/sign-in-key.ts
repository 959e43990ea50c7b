/** The key that seals the sign-ins of a cluster: on every node, and never in the database. */
import { KedgeError } from '../../errors.js'
import { readSealKey } from '../../platform/sealed-text.js'

export const SIGN_IN_KEY_VARIABLE = 'KEDGE_SECRET_MCP_SIGN_INS'

/** Undefined: this node has none, so its sessions use no sign-ins of the cluster. Throws if it's no key. */
export function readSignInKey(env: Readonly<Record<string, string | undefined>>): Uint8Array | undefined {
  const text = env[SIGN_IN_KEY_VARIABLE]
  if (!text) return undefined
  const key = readSealKey(text)
  if (key) return key
  // Never the value itself.
  throw new KedgeError('invalid_option', `${SIGN_IN_KEY_VARIABLE} must be 32 bytes. Create it: openssl rand -hex 32`)
}
