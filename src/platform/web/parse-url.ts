/** An address that may be none. */

/**
 * Not `URL.canParse`: in Node 20 and 22 it answers no to letters like ü once it was called a few thousand times (its fast path
 * takes Latin-1 for UTF-8).
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
