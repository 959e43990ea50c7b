/** Takes secrets out of what a cassette keeps: credentials, session cookies, and ids of users. */
import { withoutSecrets } from '../platform/secret-shapes.js'

const blank = '<redacted>'

const USER_ID = /\buser_[0-9a-f]{16,}[A-Za-z0-9_-]*/g

export type Redactor = {
  /** Learns the secrets of a request, so that they are found wherever else they turn up. */
  learn(headers: Readonly<Record<string, string>>, body: unknown): void
  text(text: string): string
  /** The same for every string of a JSON value; user ids in `metadata` go altogether. */
  json(value: unknown): unknown
}

export function createRedactor(extra: (text: string) => string = (text) => text): Redactor {
  const known = new Set<string>()

  function text(value: string): string {
    let result = value
    // The longest first: what holds another must not be cut in two.
    for (const secret of [...known].sort((a, b) => b.length - a.length)) result = result.replaceAll(secret, blank)
    // Anything that looks like a credential or a user id, from any sender.
    return extra(withoutSecrets(result, blank).replaceAll(USER_ID, blank))
  }

  function json(value: unknown, key?: string): unknown {
    if (typeof value === 'string') return key === 'user_id' ? blank : text(value)
    if (Array.isArray(value)) return value.map((item) => json(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), json(item, name)]))
  }

  function learn(headers: Readonly<Record<string, string>>, body: unknown): void {
    const found = [
      headers['x-api-key'],
      headers['authorization']?.replace(/^\w+\s+/, ''),
      headers['proxy-authorization']?.replace(/^\w+\s+/, ''),
      ...(headers['cookie'] ?? '').split(/;\s*/).map((cookie) => cookie.replace(/^[^=]*=/, '')),
      userIdOf(body),
    ]
    for (const secret of found) {
      // What is shorter than a credential would blank ordinary words.
      if (!secret || secret.length < 8) continue
      known.add(secret)
      known.add(JSON.stringify(secret).slice(1, -1))
    }
  }

  return { learn, text, json }
}

function userIdOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return undefined
  const { metadata } = body
  if (typeof metadata !== 'object' || metadata === null || !('user_id' in metadata)) return undefined
  return typeof metadata.user_id === 'string' ? metadata.user_id : undefined
}
