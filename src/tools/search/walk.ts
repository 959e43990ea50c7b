/** Walks a folder in the order of paths, without following links, leaving out what a search leaves out. */
import type { WorkspaceFiles } from '../../platform/files/files.js'
import { isInside, join, relative, sep } from '../../platform/paths.js'
import { type ParsedGlob, parseIgnoreLine } from './glob-pattern.js'
import {
  type IgnoreLevel,
  isIgnoredPath,
  loadIgnoreLevelBelow,
  loadIgnoreLevels,
  readUserIgnoreRules,
} from './ignore-rules.js'
import { comparePaths } from './search-request.js'
import type { SearchPause } from './text-search.js'

export type WalkOptions = {
  root: string
  /** Globs, the last that matches decides; `!` in front leaves out. They outrank ignore files and types. */
  globs: readonly string[]
  /** Where globs begin. */
  base: string
  /** Globs of the wanted file types. */
  types?: readonly string[] | undefined
  /** Obey ignore files; the environment says where the user's own one is. */
  ignoreFiles?: { env: Readonly<Record<string, string | undefined>> }
  yieldToEventLoopIfDue: SearchPause
  /** Called for a folder that can't be read. */
  onUnread(path: string, error: unknown): void
}

/** What is left to look at, the next one last. */
type Pending = { path: string; isFolder: boolean; level: IgnoreLevel | undefined }

/** Yields files. Throws a `SyntaxError` for a broken glob. */
export async function* walkFiles(options: WalkOptions, files: WorkspaceFiles): AsyncGenerator<string> {
  const select = createSelection(
    options,
    options.ignoreFiles ? await readUserIgnoreRules(options.ignoreFiles.env, files) : [],
  )
  const level = options.ignoreFiles ? await loadIgnoreLevels(options.root, files) : undefined
  const pending: Pending[] = [{ path: options.root, isFolder: true, level }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    await options.yieldToEventLoopIfDue()
    if (!next.isFolder) {
      yield next.path
      continue
    }
    const outer = next.level
    for (const { path, isFolder } of await listFolder(next.path, files, options)) {
      if (!select(path, isFolder, outer)) continue
      const level = isFolder && outer ? await loadIgnoreLevelBelow(path, outer, files) : undefined
      pending.push({ path, isFolder, level })
    }
  }
}

function createSelection(options: WalkOptions, ownRules: readonly ParsedGlob[]) {
  const globs = parseGlobs(options.globs)
  const types = options.types && parseGlobs(options.types)
  const namesWanted = globs.some(({ negated }) => !negated)
  const own = { base: options.base, rules: ownRules }
  return (path: string, isFolder: boolean, level: IgnoreLevel | undefined): boolean => {
    const name = isInside(path, options.base) ? relative(options.base, path).replaceAll(sep, '/') : path
    const glob = globs.findLast((rule) => rule.matches(name, isFolder))
    if (glob) return !glob.negated
    if (namesWanted && !isFolder) return false
    if (level && isIgnoredPath(path, isFolder, level, own)) return false
    return isFolder || !types || types.some((rule) => rule.matches(name, false))
  }
}

function parseGlobs(globs: readonly string[]): ParsedGlob[] {
  return globs.flatMap((glob) => parseIgnoreLine(glob) ?? [])
}

/** Files and folders, the last first; links and devices are passed by. */
async function listFolder(folder: string, files: WorkspaceFiles, { onUnread }: WalkOptions) {
  try {
    const entries = await files.entries(folder)
    return entries
      .filter(({ kind }) => kind === 'file' || kind === 'directory')
      .map(({ name, kind }) => ({ path: join(folder, name), isFolder: kind === 'directory' }))
      .sort((a, b) => comparePaths(b, a))
  } catch (error) {
    onUnread(folder, error)
    return []
  }
}
