/** The names in the index of a git repository, read from its file: git itself is not run to judge a command. */
import { join } from '../../platform/paths.js'
import type { PathFinder } from '../path-places.js'

/** Larger ones are not read. */
const LARGEST_INDEX = 8 * 1024 * 1024
const LARGEST_CONFIG = 64 * 1024
const HEADER = 12
/** Of an entry before its name, and two more when it says so. */
const FIXED = 62
const EXTENDED = 0x4000

/** Undefined when there is none to be read, or in another form than the usual ones. */
export async function trackedNames(gitFolder: string, finder: PathFinder): Promise<string[] | undefined> {
  // A file that names another folder is not followed.
  if ((await finder.kind(gitFolder)) !== 'directory') return undefined
  const config = await finder.read(join(gitFolder, 'config'), LARGEST_CONFIG)
  // Another form of the index, or another folder that it is about.
  if (!config || (await finder.kind(join(gitFolder, 'commondir'))) !== undefined) return undefined
  if (/objectformat|worktree/i.test(text(config, 0, config.length))) return undefined
  const bytes = await finder.read(join(gitFolder, 'index'), LARGEST_INDEX)
  return bytes && namesInIndex(bytes)
}

export function namesInIndex(bytes: Uint8Array): string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER || text(bytes, 0, 4) !== 'DIRC' || !/^[23]$/.test(`${view.getUint32(4)}`)) return undefined
  const names: string[] = []
  let at = HEADER
  for (let left = view.getUint32(8); left > 0; left--) {
    if (at + FIXED > bytes.length) return undefined
    const from = at + FIXED + (view.getUint16(at + FIXED - 2) & EXTENDED ? 2 : 0)
    const end = bytes.indexOf(0, from)
    if (end < 0) return undefined
    const name = text(bytes, from, end)
    // What is no text would be read as another name.
    if (name.includes('\uFFFD')) return undefined
    names.push(name)
    // Each entry is filled up with one to eight zeros, to a multiple of eight.
    at += Math.floor((end - at + 8) / 8) * 8
  }
  // Behind them stand other things, and at last a sum of it all; one of these would name another file with more names.
  return isWithoutMore(bytes, view, at) ? names : undefined
}

function isWithoutMore(bytes: Uint8Array, view: DataView, from: number): boolean {
  for (let at = from; at + 8 <= bytes.length - 20; at += 8 + view.getUint32(at + 4))
    if (!/^[A-Z]/.test(text(bytes, at, at + 1))) return false
  return true
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return new TextDecoder().decode(bytes.subarray(from, to))
}
