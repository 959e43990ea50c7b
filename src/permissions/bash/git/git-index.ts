/** Finds the repositories that git keeps inside another one: entries of its index for which it goes there and asks. */

/** More would take longer to read than a question. */
export const LARGEST_INDEX = 16 * 1024 * 1024

const HEADER = 12
/** Times, sizes and ids of an entry before its name. */
const FIXED = 62
const MODE_AT = 24
const FLAGS_AT = 60
const EXTENDED = 0x4000
const KIND = 0xf000
const LINK_TO_REPOSITORY = 0xe000
const CHECKSUM = 20
const MAGIC = 0x44495243

/** Paths of such entries; undefined when the index is not of a kind that is understood to its end. */
export function linkedRepositories(index: Uint8Array): string[] | undefined {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  const end = index.length - CHECKSUM
  if (end < HEADER || view.getUint32(0) !== MAGIC) return undefined
  // In the fourth version names are shortened.
  const version = view.getUint32(4)
  if (version < 2 || version > 3) return undefined
  const found: string[] = []
  let at = HEADER
  for (let left = view.getUint32(8); left > 0; left--) {
    if (at + FIXED > end) return undefined
    const name = at + FIXED + ((view.getUint16(at + FLAGS_AT) & EXTENDED) === 0 ? 0 : 2)
    const stop = index.indexOf(0, name)
    if (stop <= name || stop >= end) return undefined
    if ((view.getUint32(at + MODE_AT) & KIND) === LINK_TO_REPOSITORY)
      found.push(new TextDecoder().decode(index.subarray(name, stop)))
    // Names are followed by one to eight zeros, so that the next entry begins at a multiple of eight.
    at += Math.ceil((stop - at + 1) / 8) * 8
  }
  // Extensions that change what the entries mean begin with a small letter.
  while (at + 8 <= end) {
    const letter = index[at] ?? 0
    if (letter < 0x41 || letter > 0x5a) return undefined
    at += 8 + view.getUint32(at + 4)
  }
  return at === end ? found : undefined
}
