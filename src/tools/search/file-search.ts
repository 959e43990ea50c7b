/** Searches one file: text as ripgrep reads it, what it says about binary data, and the lines to show. */
import { INVALID_BYTE_CHARACTER } from './char-set.js'
import { type FileMatches, MAX_SHOWN_LINE_BYTES, type TextQuery } from './search-request.js'
import { splitLines, type TextSearcher } from './text-search.js'

/** A NUL among the first so many bytes makes a file binary; later ones are met while reading on, in pieces of this size. */
const PIECE_BYTES = 64 * 1024
const LONG_MATCH = '[Omitted long matching line]'
const LONG_CONTEXT = '[Omitted long context line]'
const LINE_BREAK = 0x0a

type Found = Omit<FileMatches, 'path' | 'time'>

/** `wasNamed`: the file itself was asked for, so that binary data is searched too. Undefined when nothing is found. */
export async function searchBytes(
  bytes: Uint8Array,
  wasNamed: boolean,
  search: TextSearcher,
  query: TextQuery,
): Promise<Found | undefined> {
  const nul = isWide(bytes) ? -1 : bytes.indexOf(0)
  if (nul !== -1 && nul < PIECE_BYTES && !wasNamed) return undefined
  const inPieces = nul !== -1 && !wasNamed && !search.acrossLines
  const text = decode(inPieces ? bytes.subarray(0, endOfSearch(bytes, nul)) : bytes)
  const { count, lines } = await search(text.matched, query.mode === 'files_with_matches')
  if (count === 0) return undefined
  if (query.mode === 'files_with_matches') return { count: 0, block: '' }
  const all = splitLines(text.shown)
  if (query.mode === 'count') {
    // Where a search ended at a NUL, what was counted before is not told.
    const ended = inPieces || (nul !== -1 && !wasNamed && lines.some((line) => all[line]?.includes('\0')))
    return ended ? undefined : { count, block: '' }
  }
  const block = toBlock(all, lines, query, text.shown.endsWith('\n'))
  if (nul === -1) return { count: 0, block: block.join('\n') }
  return { count: 0, block: withRemark(block, nul, wasNamed, inPieces).join('\n') }
}

/** Everything of the piece that holds the NUL is left out. Pieces end with whole lines. */
function endOfSearch(bytes: Uint8Array, nul: number): number {
  let start = 0
  let end = PIECE_BYTES
  while (end <= nul) {
    const last = bytes.lastIndexOf(LINE_BREAK, end - 1)
    // A line longer than the piece makes the piece longer.
    if (last < start) end += end - start
    else {
      start = last + 1
      end = start + PIECE_BYTES
    }
  }
  return start
}

function withRemark(block: string[], nul: number, wasNamed: boolean, inPieces: boolean): string[] {
  const found = `(found "\\0" byte around offset ${nul})`
  const remark = wasNamed
    ? `binary file matches ${found}`
    : `WARNING: stopped searching binary file after match ${found}`
  if (inPieces) return [...block, remark]
  if (nul < PIECE_BYTES) return [remark]
  // Read as a whole: the NUL is met in the first line to be shown that has one.
  const met = block.findIndex((line) => line.includes('\0'))
  return met === -1 ? block : [...block.slice(0, met), remark]
}

function isWide(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

/** `matched` has a character that nothing matches for each byte that isn't text. Both are equally long. */
function decode(bytes: Uint8Array): { shown: string; matched: string } {
  const encoding = isWide(bytes) ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return { shown: text, matched: text }
  } catch {
    const text = new TextDecoder(encoding).decode(bytes)
    return { shown: text, matched: text.replaceAll('\ufffd', INVALID_BYTE_CHARACTER) }
  }
}

/** The matching lines with those around them. `isClosed`: the last of all lines has a line break. */
function toBlock(all: string[], matching: number[], { before, after }: TextQuery, isClosed: boolean): string[] {
  const isMatch = new Set(matching)
  const block: string[] = []
  let next = 0
  for (const match of matching) {
    const start = Math.max(next, match - before)
    if (start > next && block.length > 0 && before + after > 0) block.push('--')
    const end = Math.min(all.length - 1, match + after)
    for (let i = start; i <= end; i += 1) {
      const line = all[i] ?? ''
      const isLong = lengthOf(line) + (i < all.length - 1 || isClosed ? 1 : 0) > MAX_SHOWN_LINE_BYTES
      if (isMatch.has(i)) block.push(`${i + 1}:${isLong ? LONG_MATCH : line}`)
      else block.push(`${i + 1}-${isLong ? LONG_CONTEXT : line}`)
    }
    next = Math.max(next, end + 1)
  }
  return block
}

/** In bytes, as far as it matters: a character takes at most three per UTF-16 unit. */
function lengthOf(line: string): number {
  return line.length * 3 < MAX_SHOWN_LINE_BYTES ? line.length : new TextEncoder().encode(line).length
}
