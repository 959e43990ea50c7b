/** Walks a folder without following links, leaving out what a search leaves out. */
import type { FileSystem } from '../../platform/files.js'
import { isInside, join, relative, sep } from '../../platform/paths.js'
import { type GlobRule, parseGlob } from './glob-pattern.js'
import { type IgnoreLevel, ignoreLevelsFor, isIgnored, nextIgnoreLevel } from './ignore-rules.js'

export type WalkOptions = {
  root: string
  /** Globs, the last that matches decides; `!` in front leaves out. They outrank ignore files and types. */
  globs: readonly string[]
  /** Where globs begin. */
  base: string
  /** Globs of the wanted file types. */
  types?: readonly string[]
  useIgnoreFiles: boolean
}

export type WalkedFile = { path: string; mtimeMs: number; size: number }

/** Throws a `SyntaxError` for a broken glob. Ends early when `signal` aborts. */
export async function* walk(options: WalkOptions, files: FileSystem, signal: AbortSignal): AsyncGenerator<WalkedFile> {
  const select = createSelection(options)
  const root = options.useIgnoreFiles ? await ignoreLevelsFor(options.root, files) : undefined
  const pending: { folder: string; level: IgnoreLevel | undefined }[] = [{ folder: options.root, level: root }]
  for (let next = pending.pop(); next && !signal.aborted; next = pending.pop()) {
    const { folder, level } = next
    for (const { path, stat } of await entries(folder, files)) {
      const isFolder = stat.kind === 'directory'
      if (!select(path, isFolder, level)) continue
      if (isFolder) pending.push({ folder: path, level: level && (await nextIgnoreLevel(path, level, files)) })
      else yield { path, mtimeMs: stat.mtimeMs, size: stat.size }
    }
  }
}

function createSelection(options: WalkOptions) {
  const globs = rules(options.globs)
  const types = options.types && rules(options.types)
  const namesWanted = globs.some(({ negated }) => !negated)
  return (path: string, isFolder: boolean, level: IgnoreLevel | undefined): boolean => {
    const name = isInside(path, options.base) ? relative(options.base, path).replaceAll(sep, '/') : path
    const glob = globs.findLast((rule) => rule.matches(name, isFolder))
    if (glob) return !glob.negated
    if (namesWanted && !isFolder) return false
    if (level && isIgnored(path, isFolder, level)) return false
    return isFolder || !types || types.some((rule) => rule.matches(name, false))
  }
}

function rules(globs: readonly string[]): GlobRule[] {
  return globs.flatMap((glob) => parseGlob(glob) ?? [])
}

/** Files and folders; links and devices are passed by. A folder that can't be read is empty. */
async function entries(folder: string, files: FileSystem) {
  const names = await files.list(folder).catch(() => [])
  const found = await Promise.all(
    names.sort().map(async (name) => {
      const path = join(folder, name)
      return { path, stat: await files.lstat(path).catch(() => undefined) }
    }),
  )
  return found.flatMap(({ path, stat }) =>
    stat?.kind === 'file' || stat?.kind === 'directory' ? [{ path, stat }] : [],
  )
}
