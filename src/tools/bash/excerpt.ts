/** The beginning and the end of a text that comes in pieces, in bounded memory. */
import { endOfWholeCharacter } from '../bound-output.js'

export interface Excerpt {
  /** Characters that came. */
  readonly length: number
  add(text: string): void
  /** Everything, while that is not more than the limit. */
  whole(): string | undefined
  /** At most `limit` characters, `note` between beginning and end where some are left out. */
  text(limit: number, note: (leftOut: number) => string): string
}

export function createExcerpt(limit: number): Excerpt {
  let head = ''
  let tail: string | undefined
  let length = 0

  return {
    get length() {
      return length
    },
    add(text) {
      length += text.length
      if (tail === undefined) {
        head += text
        if (length > limit) {
          tail = head.slice(-limit)
          head = head.slice(0, limit)
        }
        return
      }
      tail += text
      // Not with every piece: cutting copies.
      if (tail.length > 4 * limit) tail = tail.slice(-limit)
    },
    whole: () => (tail === undefined ? head : undefined),
    text(wanted, note) {
      const most = Math.min(wanted, limit)
      if (length <= most) return head
      const first = head.slice(0, endOfWholeCharacter(head, Math.ceil(most / 2)))
      const end = tail ?? head
      const last = end.slice(endOfWholeCharacter(end, end.length - Math.floor(most / 2)))
      return `${first}\n\n${note(length - first.length - last.length)}\n\n${last}`
    },
  }
}
