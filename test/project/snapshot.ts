/** Everything in a tree as it is now, so that any write to it can be told afterwards, also one that was undone. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'

export type Snapshot = ReadonlyMap<string, string>

const MAX_HASHED = 1024 * 1024

/** Of the folder and everything in it but `own`, the places where an agent keeps its sessions. */
export function takeSnapshot(folder: string, own: readonly string[]): Snapshot {
  const all = new Map<string, string>()
  const visit = (bytes: Buffer) => {
    const path = bytes.toString('latin1')
    if (own.includes(path)) return
    const stat = lstatSync(bytes)
    // The time of a folder changes with every file that is made or removed in it. Above our own places that is us.
    const isParent = own.some((place) => place.startsWith(`${path}/`))
    const time = isParent ? '' : `${stat.mtimeMs} ${stat.ctimeMs}`
    const size = stat.isDirectory() ? '' : stat.size
    all.set(path.slice(folder.length + 1), `${stat.mode.toString(8)} ${size} ${time} ${contentOf(bytes, stat)}`)
    if (!stat.isDirectory()) return
    for (const name of readdirSync(bytes, 'buffer')) visit(Buffer.concat([bytes, Buffer.from('/'), name]))
  }
  visit(Buffer.from(folder))
  return all
}

function contentOf(path: Buffer, stat: Stats): string {
  if (stat.isSymbolicLink()) return readlinkSync(path)
  if (!stat.isFile() || stat.size > MAX_HASHED) return ''
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** The paths that differ. */
export function changes(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
}
