/** A path that leads nowhere: which file near it may be meant. Looks only inside the working directories. */
import { basename, dirname, extname, isInside, join, relative, sep } from '../../platform/paths.js'
import { isClose } from '../close-words.js'
import type { ToolContext } from '../tool.js'

/** Names that are looked at in one folder. */
const MAX_ENTRIES = 2000
const MAX_SHOWN = 3
/** Nobody mistypes a path of more parts. */
const MAX_PARTS = 50

/** A sentence, or empty. */
export async function suggestFile(path: string, context: ToolContext): Promise<string> {
  const inside = (one: string) => context.directories().some((directory) => isInside(one, directory))
  if (!inside(path)) return ''
  const names = await namesLike(path, context)
  if (names.length > 0) return `Did you mean ${names.map((name) => join(dirname(path), name)).join(' or ')}?`
  const elsewhere = (await otherStarts(path, context)).filter(inside)
  if (elsewhere[0] !== undefined) return `Did you mean ${elsewhere[0]}?`
  const folder = await missingFolder(path, context)
  return folder === undefined || !inside(folder) ? '' : `There is no folder ${folder}.`
}

async function namesLike(path: string, { platform }: ToolContext): Promise<string[]> {
  const entries = await platform.files.entries(dirname(path), MAX_ENTRIES).catch(() => [])
  const wanted = basename(path)
  const files = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name)
  const exact = files.filter((name) => name.toLowerCase() === wanted.toLowerCase())
  if (exact.length > 0) return exact.slice(0, 1)
  const stem = (name: string) => name.slice(0, name.length - extname(name).length).toLowerCase()
  const close = files.filter((name) => isClose(name.toLowerCase(), wanted.toLowerCase()))
  const sameStem = files.filter((name) => stem(name) === stem(wanted))
  return [...new Set([...close, ...sameStem])].slice(0, MAX_SHOWN)
}

/** The same words, taken from the session's folder instead of where the shell stands, or the other way round. */
async function otherStarts(path: string, { cwd, session, platform }: ToolContext): Promise<string[]> {
  const { shellCwd } = session
  if (cwd === shellCwd) return []
  const candidates = [
    ...(isInside(path, shellCwd) ? [join(cwd, relative(shellCwd, path))] : []),
    ...(isInside(path, cwd) ? [join(shellCwd, relative(cwd, path))] : []),
  ]
  const found: string[] = []
  for (const candidate of candidates) {
    const stat = await platform.files.stat(candidate).catch(() => undefined)
    if (stat?.kind === 'file') found.push(candidate)
  }
  return found
}

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
