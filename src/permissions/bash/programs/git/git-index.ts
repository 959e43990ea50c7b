/** The index of a git repository, read from its file, piece by piece: git itself is not run to judge a command. */
import type { OpenFile } from '../../../../platform/files/open-file.js'

/** More would take longer to read than a question. */
const LARGEST_INDEX = 16 * 1024 * 1024

const HEADER = 12
/** Times, sizes and ids of an entry before its name. */
const FIXED = 62
const MODE_AT = 24
const FLAGS_AT = 60
const EXTENDED = 0x4000
/** Mask for the length of a name; all ones if the name is longer. */
const LENGTH = 0x0fff
const KIND = 0xf000
const LINK_TO_REPOSITORY = 0xe000
const CHECKSUM = 20
const MAGIC = 0x44495243
/** `sdir`. */
const LEFT_OUT = 0x73646972
/** What is held of it at once, and how much of that has to be there behind the start of an entry. No name is longer. */
const PIECE = 32 * 1024
const LONGEST_ENTRY = 8 * 1024

/** A file that is held open. */
export type GitIndexFile = Pick<OpenFile, 'read'> & { readonly stat: { readonly size: number } }

/** Repositories that git keeps inside this one, and for which it goes there and asks; undefined when it can't be read to its end. */
export function repositoriesInGitIndex(index: GitIndexFile): Promise<string[] | undefined> {
  return pathsIn(index, { onlyRepositories: true })
}

/** All names in it; undefined when it can't be read to its end, or leaves folders out, or a name isn't text. */
export async function namesInGitIndex(index: GitIndexFile): Promise<string[] | undefined> {
  const names = await pathsIn(index, { onlyRepositories: false })
  // What isn't text would be read as another name.
  return names?.some((name) => name.includes('\uFFFD')) ? undefined : names
}

/** How far it was read. */
type Scan = {
  readonly version: number
  readonly onlyRepositories: boolean
  /** Where the next entry begins, and how many there are to come. */
  next: number
  left: number
  /** The last name, where others are told by it. */
  path: Uint8Array<ArrayBuffer>
  readonly found: string[]
}

/** The part of the file that is looked at: all of it would be new memory for every decision, which takes longer than reading. */
type Piece = { readonly bytes: Uint8Array; readonly view: DataView; from: number; to: number }

async function pathsIn(
  index: GitIndexFile,
  { onlyRepositories }: { onlyRepositories: boolean },
): Promise<string[] | undefined> {
  const { size } = index.stat
  const end = size - CHECKSUM
  if (size > LARGEST_INDEX || end < HEADER) return undefined
  const bytes = new Uint8Array(Math.min(PIECE, size))
  const piece: Piece = { bytes, view: new DataView(bytes.buffer), from: 0, to: 0 }
  const moveTo = async (at: number) => {
    piece.from = at
    piece.to = at + (await index.read(bytes, at))
  }
  await moveTo(0)
  if (piece.to < HEADER || piece.view.getUint32(0) !== MAGIC) return undefined
  const version = piece.view.getUint32(4)
  if (version < 2 || version > 4) return undefined
  const left = piece.view.getUint32(8)
  const scan: Scan = { version, onlyRepositories, next: HEADER, left, path: new Uint8Array(), found: [] }
  while (scan.left > 0) {
    if (scan.next > HEADER) await moveTo(scan.next)
    const before = scan.left
    if (!takeEntries(scan, piece, end) || scan.left === before) return undefined
  }
  let { next } = scan
  // Extensions that change what the entries mean begin with a small letter; folders that are left out hold no repositories.
  for (; next + 8 <= end; next += 8 + piece.view.getUint32(next - piece.from + 4)) {
    if (next + 8 > piece.to) await moveTo(next)
    if (next + 8 > piece.to) return undefined
    const letter = bytes[next - piece.from] ?? 0
    const isLeftOut = onlyRepositories && piece.view.getUint32(next - piece.from) === LEFT_OUT
    if ((letter < 0x41 || letter > 0x5a) && !isLeftOut) return undefined
  }
  return next === end ? scan.found : undefined
}

/** Those that are surely whole in the piece; false when one is not what it should be. */
function takeEntries(scan: Scan, { bytes, view, from, to }: Piece, fileEnd: number): boolean {
  const { version, onlyRepositories, found } = scan
  const end = Math.min(to, fileEnd) - from
  // Behind the entries comes at least the checksum, so that the last piece is one that holds its start.
  const last = to > fileEnd ? end : end - LONGEST_ENTRY
  let { path, left } = scan
  let at = scan.next - from
  for (; left > 0 && at < last; left--) {
    if (at + FIXED > end) return false
    const flags = view.getUint16(at + FLAGS_AT)
    let name = at + FIXED + ((flags & EXTENDED) === 0 ? 0 : 2)
    let kept = 0
    if (version === 4) {
      // How much of the end of the last name is not in this one, seven bits at a time.
      let dropped = -1
      do dropped = (dropped + 1) * 128 + ((bytes[name] ?? 0) & 0x7f)
      while ((bytes[name++] ?? 0) > 0x7f && name < end)
      kept = path.length - dropped
    }
    // Git goes by the length, and looks for the zero only where that does not fit; what it skips by that is not looked at here.
    const length = flags & LENGTH
    const stop = length === LENGTH ? bytes.indexOf(0, name) : name + length - kept
    if (kept < 0 || stop < name || stop >= end || kept + stop === name || bytes[stop] !== 0) return false
    const isWanted = !onlyRepositories || (view.getUint32(at + MODE_AT) & KIND) === LINK_TO_REPOSITORY
    if (version === 4 || isWanted) path = joined(path.subarray(0, kept), bytes.subarray(name, stop))
    if (isWanted && path.includes(0)) return false
    if (isWanted) found.push(new TextDecoder().decode(path))
    // Names are followed by one to eight zeros, so that the next entry begins at a multiple of eight; in the fourth version by one.
    at = version === 4 ? stop + 1 : at + ((stop - at + 8) & ~7)
  }
  Object.assign(scan, { next: from + at, left, path })
  return true
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
