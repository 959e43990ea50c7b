/** Collects bytes in flat memory: the beginning and the end of a long output, never more than asked for. */

export interface BoundedOutput {
  push(chunk: Uint8Array): void
  /** Bytes seen so far. */
  readonly seen: number
  /** Bytes that are not in `text()`. */
  readonly dropped: number
  /** What was kept, invalid UTF-8 replaced, a note between beginning and end where bytes were dropped. */
  text(): string
}

/** Keeps `headBytes` from the start and `tailBytes` from the end. */
export function createBoundedOutput(headBytes: number, tailBytes: number): BoundedOutput {
  const head = createGrowing(headBytes)
  let tail: Uint8Array | undefined
  let tailSeen = 0
  let seen = 0

  const dropped = () => Math.max(0, tailSeen - tailBytes)
  const tailInOrder = () => {
    if (!tail) return new Uint8Array(0)
    if (tailSeen <= tailBytes) return tail.subarray(0, tailSeen)
    const start = tailSeen % tailBytes
    return concat(tail.subarray(start), tail.subarray(0, start))
  }

  return {
    push(chunk) {
      seen += chunk.length
      let rest = chunk.subarray(head.push(chunk))
      if (rest.length === 0) return
      tail ??= new Uint8Array(tailBytes)
      if (rest.length > tailBytes) {
        tailSeen += rest.length - tailBytes
        rest = rest.subarray(rest.length - tailBytes)
      }
      if (tailBytes === 0) return
      const start = tailSeen % tailBytes
      const fits = Math.min(rest.length, tailBytes - start)
      tail.set(rest.subarray(0, fits), start)
      tail.set(rest.subarray(fits), 0)
      tailSeen += rest.length
    },
    get seen() {
      return seen
    },
    get dropped() {
      return dropped()
    },
    text() {
      const first = head.bytes()
      const last = tailInOrder()
      if (dropped() === 0) return decode(concat(first, last))
      if (tailBytes === 0) return decode(withoutOpenCharacter(first))
      const note = `\n[… ${dropped()} bytes left out …]\n`
      return decode(withoutOpenCharacter(first)) + note + decode(withoutContinuation(last))
    },
  }
}

/** A buffer that doubles up to `limit`, so that short outputs stay cheap. */
function createGrowing(limit: number) {
  let buffer = new Uint8Array(Math.min(limit, 1024))
  let used = 0
  return {
    /** Returns how many bytes were taken. */
    push(chunk: Uint8Array): number {
      const taken = Math.min(chunk.length, limit - used)
      if (used + taken > buffer.length) {
        const larger = new Uint8Array(Math.min(limit, Math.max(buffer.length * 2, used + taken)))
        larger.set(buffer.subarray(0, used))
        buffer = larger
      }
      buffer.set(chunk.subarray(0, taken), used)
      used += taken
      return taken
    },
    bytes: () => buffer.subarray(0, used),
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (b.length === 0) return a
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Cuts a character whose last bytes fell into the gap. */
function withoutOpenCharacter(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1
  while (start > 0 && start > bytes.length - 4 && isContinuation(bytes[start])) start -= 1
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes
}

function withoutContinuation(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start += 1
  return bytes.subarray(start)
}
