/**
 * Files that patterns mean, found on disk before each command: a mount has no patterns. Folders are read once and then only
 * looked at, because what is in one shows in its times.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from '../../platform/paths.js'
import { tryOrUndefined } from './file-places.js'
import { ImpossibleSandboxError } from './setting-paths.js'

export type PathPattern = {
  /** Absolute. The files are here or below. */
  start: string
  /** Everything below is meant, and the place itself. */
  all: boolean
  matches(path: string): boolean
  /** As the user wrote it. With `start` it says what matches. */
  text: string
  /** Look no further than this. Otherwise too much to look through is an error. */
  within?: { depth: number; folders: number }
}

export type FileSearch = (patterns: readonly PathPattern[]) => string[]

/** What a folder holds of the files that are meant, and the folders to continue with. */
type Listing = { version: string; found: readonly string[]; folders: readonly string[] }

/** Others' code and the history of one's own: large, and not where secrets are kept. */
const PASSED_BY = ['node_modules', '.git']
const MOST_FOLDERS = 20_000
const MOST_SEARCHES = 200
/** Times have steps: what is younger may still change without showing it. */
export const MIN_CACHEABLE_FOLDER_AGE_MS = 1_000

/** One for the session. Links are not followed: where they lead is looked at in its own place, or not meant. */
export function createFileSearch(mostFolders = MOST_FOLDERS): FileSearch {
  const searches = new Map<string, (pattern: PathPattern) => string[]>()
  return (patterns) => {
    // Rules come and go, but not that many.
    if (searches.size > MOST_SEARCHES) searches.clear()
    return patterns.flatMap((pattern) => {
      if (pattern.all) return [pattern.start]
      const search = searches.get(keyOf(pattern)) ?? createWalk(mostFolders)
      searches.set(keyOf(pattern), search)
      return search(pattern)
    })
  }
}

const keyOf = ({ start, text }: PathPattern) => `${start}\0${text}`

/** For one pattern. */
function createWalk(mostFolders: number): (pattern: PathPattern) => string[] {
  const listings = new Map<string, Listing>()
  const list = (folder: string, stats: Stats, { matches }: PathPattern): Listing => {
    const version = `${stats.ino} ${stats.ctimeMs}`
    const known = listings.get(folder)
    if (known?.version === version) return known
    const entries = tryOrUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? []
    const paths = entries.map((entry) => ({ entry, path: join(folder, entry.name) }))
    const isMeant = paths.map(({ path }) => matches(path))
    const listing = {
      version,
      found: paths.filter((_, i) => isMeant[i]).map(({ path }) => path),
      folders: paths
        .filter(({ entry }, i) => !isMeant[i] && entry.isDirectory() && !PASSED_BY.includes(entry.name))
        .map(({ path }) => path),
    }
    if (Date.now() - stats.ctimeMs > MIN_CACHEABLE_FOLDER_AGE_MS) listings.set(folder, listing)
    else listings.delete(folder)
    return listing
  }
  return (pattern) => {
    const { depth, folders: most } = pattern.within ?? { depth: Number.POSITIVE_INFINITY, folders: mostFolders }
    const found: string[] = []
    let level: readonly string[] = [pattern.start]
    for (let below = 0, seen = 0; level.length > 0 && below <= depth; below++) {
      const next: string[] = []
      for (const folder of level) {
        seen += 1
        if (seen > most && !pattern.within) throw new ImpossibleSandboxError(tooMany(pattern))
        if (seen > most) return found
        const stats = tryOrUndefined(() => lstatSync(folder, { throwIfNoEntry: false }))
        if (!stats?.isDirectory()) continue
        const listing = list(folder, stats, pattern)
        found.push(...listing.found)
        next.push(...listing.folders)
      }
      level = next
    }
    return found
  }
}

function tooMany({ start, text }: PathPattern): string {
  return (
    `The rule ${text} is about files anywhere below ${start}, and there are too many folders to look for them before every ` +
    'command. Name the folders that hold them.'
  )
}
