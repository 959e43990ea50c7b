/** Names and ids as these APIs take them: at most 64 letters, digits, `_` and `-`. */

const LONGEST = 64
const HASH_LENGTH = 8

export interface SentToolNames {
  /** What the service is told. */
  sent(name: string): string
  /** What it means. */
  meant(sent: string): string
}

export function createSentToolNames(): SentToolNames {
  const meanings = new Map<string, string>()
  return {
    sent(name) {
      const short = shortenToolName(name)
      if (short !== name) meanings.set(short, name)
      return short
    },
    meant: (sent) => meanings.get(sent) ?? sent,
  }
}

/**
 * Returns a tool name that is short enough for a service. The same for the same text, and another for another: a call
 * and its result must keep belonging together.
 */
export function shortenToolName(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  const clean = text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST - HASH_LENGTH - 1)
  return `${clean}_${hash(text)}`
}

/** FNV-1a. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0).toString(16).padStart(HASH_LENGTH, '0')
}
