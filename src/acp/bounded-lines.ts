/** A line that is too long is cut where it gets so, and the rest of it dropped: it is refused as broken, and the next one is read. */

const NEWLINE = 10

export async function* cutOverlongLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, void> {
  /** Bytes of the current line so far. */
  let length = 0
  for await (const chunk of chunks) {
    let from = 0
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from)
      const to = end < 0 ? chunk.length : end + 1
      const isCut = length > limit
      length += to - from
      if (!isCut) yield length > limit ? Uint8Array.of(NEWLINE) : chunk.subarray(from, to)
      if (end >= 0) length = 0
      from = to
    }
  }
}
