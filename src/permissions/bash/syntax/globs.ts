/** What a glob finds on the disk: only as much of it as matters, and within limits. */
import { isDecodableFileName, type PathFinder } from '../../path-finder.js'

/** Looking at more would take longer than a question. */
const MOST_ENTRIES = 2_000
const LONGEST_NAME = 255

export function hasGlob(text: string): boolean {
  return /[*?[]/.test(text)
}

/**
 * Paths below `folder` that `pattern` stands for. Of plain files and folders that it finds at its end only the `all` flag tells:
 * without it, they are where they seem to be, and only links are returned. Undefined when there is too much to look at; null when
 * a folder on the way has a name that isn't text, because nobody can look at what has such a name.
 */
export async function expandGlob(
  folder: string,
  pattern: string,
  finder: PathFinder,
  all: boolean,
): Promise<string[] | null | undefined> {
  const found: string[] = []
  let left = MOST_ENTRIES
  let isKnown = true
  const visit = async (at: string, names: readonly string[]): Promise<void> => {
    const [name = '', ...rest] = names
    if (!hasGlob(name)) {
      const next = name === '' ? at : under(at, name)
      if (rest.length === 0 && (!all || (await finder.kind(next)) !== undefined)) found.push(next)
      if (rest.length > 0) await visit(next, rest)
      return
    }
    // Older shells let `.*` find the folder above.
    if (mayGlobMatchName(name, '..')) found.push(`${at}/..`)
    const entries = await finder.entries(at, left + 1)
    // Opening a folder takes as long as reading some names.
    left -= entries.length + 20
    for (const entry of entries) {
      if (left < 0 || !isKnown) return
      if (!isDecodableFileName(entry.name)) isKnown = false
      if (!mayGlobMatchName(name, entry.name)) continue
      const path = under(at, entry.name)
      if (entry.kind === 'symlink' || (all && rest.length === 0)) found.push(path)
      if (rest.length > 0 && entry.kind !== 'file') await visit(path, rest)
    }
  }
  if (pattern.split('/').some((name) => name.length > LONGEST_NAME)) return undefined
  await visit(folder, pattern.split('/'))
  return left < 0 ? undefined : isKnown ? found : null
}

/** A `..` stays what it is: after a link it leads elsewhere. */
function under(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

/**
 * May the pattern find the name? A class stands for anything from there on: better to look at one file too many. So does a `?`,
 * if the name isn't plain ASCII: the shell counts bytes or characters, as its locale says.
 */
export function mayGlobMatchName(pattern: string, name: string, dots = false): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.') && !dots) return false
  const open = pattern.search(/^[ -~]*$/.test(name) ? /\[/ : /[[?]/)
  const units = open < 0 ? pattern : `${pattern.slice(0, open)}*`
  let at = 0
  let star = -1
  let retry = 0
  let i = 0
  while (i < name.length) {
    if (units[at] === '*') {
      star = at++
      retry = i
    } else if (units[at] === '?' || units[at] === name[i]) {
      at += 1
      i += 1
    } else if (star >= 0) {
      at = star + 1
      i = ++retry
    } else return false
  }
  while (units[at] === '*') at += 1
  return at === units.length
}
