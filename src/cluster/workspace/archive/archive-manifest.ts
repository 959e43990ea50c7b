/** The list of an archive's files. A reader trusts nothing in it: every path must lead below its folder. Pure. */
import { KedgeError } from '../../../errors.js'

export type ArchivedFile = {
  path: string
  mode: number
  size: number
  sha256: string
  /** Epoch of the owner that stored this content. */
  epoch: number
}
export type ArchivedLink = { path: string; target: string }
export type ArchiveManifest = {
  files: ArchivedFile[]
  links: ArchivedLink[]
  /** Those with nothing in them. */
  folders: string[]
}

const FORMAT = 1

/** Returns an archive's manifest as text. The same files are the same text. */
export function formatManifest({ files, links, folders }: ArchiveManifest): string {
  const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)
  const listed = { files: [...files].sort(byPath), links: [...links].sort(byPath), folders: [...folders].sort() }
  return `${JSON.stringify({ format: FORMAT, ...listed })}\n`
}

/**
 * Reads an archive's manifest. Rejects whatever would be written outside of the folder, or through a link, or twice.
 */
export function parseManifest(text: string): ArchiveManifest {
  const { format, files, links, folders } = record(parsed(text), 'it')
  if (format !== FORMAT) throw wrong('it is of another version')
  const manifest: ArchiveManifest = {
    files: list(files, 'files').map((one) => {
      const { path, mode, size, sha256, epoch } = record(one, 'a file')
      if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) throw wrong('a file without a hash')
      return { path: text1(path), mode: count(mode) & 0o777, size: count(size), sha256, epoch: count(epoch) }
    }),
    links: list(links, 'links').map((one) => {
      const { path, target } = record(one, 'a link')
      return { path: text1(path), target: text1(target) }
    }),
    folders: list(folders, 'folders').map(text1),
  }
  checkPlaces(manifest)
  return manifest
}

function checkPlaces({ files, links, folders }: ArchiveManifest): void {
  const taken = new Set<string>()
  const parents = new Set(folders)
  for (const path of [...files, ...links].map((one) => one.path).concat(folders)) {
    if (!isSafePath(path)) throw wrong(`the path ${JSON.stringify(path)}`)
    if (taken.has(path)) throw wrong(`the path ${JSON.stringify(path)} twice`)
    taken.add(path)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) parents.add(path.slice(0, at))
  }
  for (const { path } of [...files, ...links])
    if (parents.has(path)) throw wrong(`something below ${JSON.stringify(path)}, which isn't a folder`)
  for (const { path, target } of links)
    if (!isSafeLink(path, target)) throw wrong(`the link ${JSON.stringify(path)}, which leads outside`)
}

/** Names with `/` between them, of which none leads up. */
export function isSafePath(path: string): boolean {
  if (path.length > 4096 || /[\0\\]/.test(path)) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) < 256)
}

/**
 * Up only at its beginning, and not further than the folder of the session: a link that goes up after having gone through another
 * would go up from wherever that one leads.
 */
export function isSafeLink(path: string, target: string): boolean {
  if (target === '' || target.length > 4096 || /[\0\\]/.test(target) || target.startsWith('/')) return false
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const ups = parts.findIndex((part) => part !== '..')
  const up = ups < 0 ? parts.length : ups
  return up < path.split('/').length && !parts.slice(up).includes('..')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong("it isn't JSON")
  }
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${what} isn't an object`)
  return { ...value }
}

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(`${what} are no list`)
  return value
}

function text1(value: unknown): string {
  if (typeof value !== 'string') throw wrong("a name isn't text")
  return value
}

function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrong('a number is none')
  return value
}

function wrong(what: string): KedgeError {
  return new KedgeError(
    'workspace_lost',
    `The list of saved files is not one of Kedge's: ${what}. Nothing was written.`,
  )
}
