/** The index of a git repository, read from its file: git itself is not run to judge a command. */

/** More would take longer to read than a question. */
export const LARGEST_INDEX = 16 * 1024 * 1024

const HEADER = 12
/** Times, sizes and ids of an entry before its name. */
const FIXED = 62
const MODE_AT = 24
const FLAGS_AT = 60
const EXTENDED = 0x4000
/** Of a name; all ones where it is longer than fits. */
const LENGTH = 0x0fff
const KIND = 0xf000
const LINK_TO_REPOSITORY = 0xe000
const CHECKSUM = 20
const MAGIC = 0x44495243
/** `sdir`. */
const LEFT_OUT = 0x73646972

/** Repositories that git keeps inside this one, and for which it goes there and asks; undefined when it can't be read to its end. */
export function linkedRepositories(index: Uint8Array): string[] | undefined {
  return pathsIn(index, { onlyRepositories: true })
}

/** All names in it; undefined when it can't be read to its end, or leaves folders out, or a name is no text. */
export function namesInIndex(index: Uint8Array): string[] | undefined {
  const names = pathsIn(index, { onlyRepositories: false })
  // What is no text would be read as another name.
  return names?.some((name) => name.includes('\uFFFD')) ? undefined : names
}

function pathsIn(index: Uint8Array, { onlyRepositories }: { onlyRepositories: boolean }): string[] | undefined {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  const end = index.length - CHECKSUM
  if (end < HEADER || view.getUint32(0) !== MAGIC) return undefined
  const version = view.getUint32(4)
  if (version < 2 || version > 4) return undefined
  const found: string[] = []
  let at = HEADER
  let path = new Uint8Array()
  for (let left = view.getUint32(8); left > 0; left--) {
    if (at + FIXED > end) return undefined
    const flags = view.getUint16(at + FLAGS_AT)
    let name = at + FIXED + ((flags & EXTENDED) === 0 ? 0 : 2)
    let kept = 0
    if (version === 4) {
      // How much of the end of the last name is not in this one, seven bits at a time.
      let dropped = -1
      do dropped = (dropped + 1) * 128 + ((index[name] ?? 0) & 0x7f)
      while ((index[name++] ?? 0) > 0x7f && name < end)
      kept = path.length - dropped
    }
    // Git goes by the length, and looks for the zero only where that does not fit; what it skips by that is not looked at here.
    const length = flags & LENGTH
    const stop = length === LENGTH ? index.indexOf(0, name) : name + length - kept
    if (kept < 0 || stop < name || stop >= end || kept + stop === name || index[stop] !== 0) return undefined
    const isWanted = !onlyRepositories || (view.getUint32(at + MODE_AT) & KIND) === LINK_TO_REPOSITORY
    if (version === 4 || isWanted) path = joined(path.subarray(0, kept), index.subarray(name, stop))
    if (isWanted && path.includes(0)) return undefined
    if (isWanted) found.push(new TextDecoder().decode(path))
    // Names are followed by one to eight zeros, so that the next entry begins at a multiple of eight; in the fourth version by one.
    at = version === 4 ? stop + 1 : at + Math.ceil((stop - at + 1) / 8) * 8
  }
  // Extensions that change what the entries mean begin with a small letter; folders that are left out hold no repositories.
  while (at + 8 <= end) {
    const letter = index[at] ?? 0
    if ((letter < 0x41 || letter > 0x5a) && !(onlyRepositories && view.getUint32(at) === LEFT_OUT)) return undefined
    at += 8 + view.getUint32(at + 4)
  }
  return at === end ? found : undefined
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
