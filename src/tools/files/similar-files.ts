/** Suggests a file or folder for a path that doesn't exist. Looks only inside the working directories, and corrects nothing. */
import { basename, dirname, extname, isInside, join, relative, sep } from '../../platform/paths.js'
import { isSimilarWord } from '../similar-words.js'
import type { ToolContext } from '../tool.js'

/** Names that are looked at in one folder. */
const MAX_ENTRIES = 2000
const MAX_SHOWN = 3
/** The most parts of a path that is compared. */
const MAX_PARTS = 50
/** The most folders searched for a file of the same name. */
const MAX_FOLDERS = 200

type Kind = 'file' | 'directory'

/** Returns a sentence, or an empty string. */
export function suggestFileText(path: string, context: ToolContext): Promise<string> {
  return suggest(path, 'file', context)
}

/** Returns a sentence, or an empty string. */
export function suggestFolderText(path: string, context: ToolContext): Promise<string> {
  return suggest(path, 'directory', context)
}

async function suggest(path: string, kind: Kind, context: ToolContext): Promise<string> {
  const inside = (one: string) => context.directories().some((directory) => isInside(one, directory))
  if (!inside(path)) return ''
  const names = await namesLike(path, kind, context)
  if (names.length > 0) return question(names.map((name) => join(dirname(path), name)))
  const elsewhere = (await otherStarts(path, kind, context)).filter(inside)
  if (elsewhere[0] !== undefined) return question(elsewhere.slice(0, 1))
  const missing = await missingFolder(path, context)
  const folder = missing === undefined || !inside(missing) ? '' : `There is no folder ${missing}.`
  const found = await sameName(basename(path), kind, context)
  return [folder, found.length === 0 ? '' : question(found)].filter((sentence) => sentence !== '').join(' ')
}

function question(paths: readonly string[]): string {
  return `Did you mean ${paths.join(' or ')}?`
}

async function namesLike(path: string, wantedKind: Kind, { platform }: ToolContext): Promise<string[]> {
  const entries = await platform.files.entries(dirname(path), MAX_ENTRIES).catch(() => [])
  const wanted = basename(path)
  const files = entries.filter(({ kind }) => kind === wantedKind).map(({ name }) => name)
  const exact = files.filter((name) => name.toLowerCase() === wanted.toLowerCase())
  if (exact.length > 0) return exact.slice(0, 1)
  const stem = (name: string) => name.slice(0, name.length - extname(name).length).toLowerCase()
  const close = files.filter((name) => isSimilarWord(name.toLowerCase(), wanted.toLowerCase()))
  const sameStem = files.filter((name) => stem(name) === stem(wanted))
  return [...new Set([...close, ...sameStem])].slice(0, MAX_SHOWN)
}

/** The same words, taken from the session's folder instead of where the shell stands, or the other way round. */
async function otherStarts(path: string, kind: Kind, { cwd, session, platform }: ToolContext): Promise<string[]> {
  const { shellCwd } = session
  if (cwd === shellCwd) return []
  const candidates = [
    ...(isInside(path, shellCwd) ? [join(cwd, relative(shellCwd, path))] : []),
    ...(isInside(path, cwd) ? [join(shellCwd, relative(cwd, path))] : []),
  ]
  const found: string[] = []
  for (const candidate of candidates) {
    const stat = await platform.files.stat(candidate).catch(() => undefined)
    if (stat?.kind === kind) found.push(candidate)
  }
  return found
}

/** Finds the same name in other folders, outermost first. Skips hidden folders and packages. */
async function sameName(name: string, wanted: Kind, { cwd, platform }: ToolContext): Promise<string[]> {
  const found: string[] = []
  let level = [cwd]
  for (let left = MAX_FOLDERS; level.length > 0 && left > 0 && found.length < MAX_SHOWN; ) {
    const folders = level.slice(0, left)
    left -= folders.length
    const lists = await Promise.all(
      folders.map((folder) => platform.files.entries(folder, MAX_ENTRIES).catch(() => [])),
    )
    const all = lists.flatMap((entries, at) => entries.map((entry) => ({ ...entry, folder: folders[at] ?? '' })))
    for (const entry of all) if (entry.kind === wanted && entry.name === name) found.push(join(entry.folder, name))
    level = all
      .filter((entry) => entry.kind === 'directory' && !SKIPPED.test(entry.name))
      .map(pathOf)
      .sort()
  }
  return found.sort((a, b) => a.length - b.length).slice(0, MAX_SHOWN)
}

const SKIPPED = /^(?:\.|node_modules$)/
const pathOf = ({ folder, name }: { folder: string; name: string }) => join(folder, name)

/** The outermost folder on the way that is not there. */
async function missingFolder(path: string, { platform }: ToolContext): Promise<string | undefined> {
  if (path.split(sep).length > MAX_PARTS) return undefined
  let missing: string | undefined
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (await platform.files.stat(at).catch(() => undefined)) return missing
    missing = at
  }
  return missing
}
