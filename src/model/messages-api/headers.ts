/** The headers of a request: who we are, who pays, which betas it needs. */

import type { ModelEnvironment } from './client-environment.js'
import type { UsableCredential } from './credentials/credential.js'

export function requestHeaders(
  version: string,
  credential: UsableCredential | null,
  betas: readonly string[],
  environment: Pick<ModelEnvironment, 'clientApp' | 'customHeaders'>,
): Record<string, string> {
  const { clientApp, customHeaders } = environment
  const allBetas = [...betas, ...(customHeaders['anthropic-beta'] ?? '').split(',')]
    .map((beta) => beta.trim())
    .filter((beta, index, all) => beta !== '' && all.indexOf(beta) === index)
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'user-agent': `kedge/${version}${clientApp === null ? '' : ` client-app/${clientApp}`}`,
    ...(clientApp !== null && { 'x-client-app': clientApp }),
    ...(credential?.kind === 'api-key' && { 'x-api-key': credential.secret }),
    ...(credential?.kind === 'bearer' && { authorization: `Bearer ${credential.secret}` }),
    ...(credential?.token !== undefined && { authorization: `Bearer ${credential.token}` }),
    ...customHeaders,
    ...(allBetas.length > 0 && { 'anthropic-beta': allBetas.join(',') }),
  }
}

/** A gateway may take its credential from a header of its own; then none of ours is needed. */
export function hasCredentialHeader(customHeaders: Readonly<Record<string, string>>): boolean {
  return 'authorization' in customHeaders || 'x-api-key' in customHeaders
}

/** What must not be seen in any text, should a server echo it. */
export function secretsToRedact(
  credential: UsableCredential | null,
  customHeaders: Readonly<Record<string, string>>,
): string[] {
  const custom = Object.entries(customHeaders)
    .filter(([name]) => /auth|key|token|secret|cookie|password/.test(name))
    .map(([, value]) => value.replace(/^(?:bearer|basic)\s+/i, ''))
  return credential
    ? [credential.secret, ...(credential.token === undefined ? [] : [credential.token]), ...custom]
    : custom
}

/**
 * Returns the user ID for the API's metadata: `metadata.user_id`: the same for the same user and session, and not the
 * user's name.
 */
export function apiUserId(userId: string, sessionId: string): string {
  return `user_${/^[0-9a-f]{64}$/.test(userId) ? userId : spread(userId)}_account__session_${sessionId}`
}

/** 64 hex digits from any text: eight 32-bit FNV-1a hashes. Stable, and free of the milliseconds `node:crypto` costs. */
function spread(text: string): string {
  return Array.from({ length: 8 }, (_, lane) => {
    let hash = 0x811c9dc5 ^ Math.imul(lane + 1, 0x9e3779b1)
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    return ((hash ^ (hash >>> 13)) >>> 0).toString(16).padStart(8, '0')
  }).join('')
}
