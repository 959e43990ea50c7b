/** Which files are left out of a text search: .gitignore inside a repository, .ignore and .rgignore everywhere. */
import type { FileSystem } from '../../platform/files.js'
import { dirname, join } from '../../platform/paths.js'
import { type GlobRule, parseGlob } from './glob-pattern.js'

/** The rules one folder adds to those of the folders above it. */
export type IgnoreLevel = {
  readonly folder: string
  readonly parent: IgnoreLevel | undefined
  readonly isRepository: boolean
  /** By source, the strongest first. */
  readonly rules: readonly (readonly GlobRule[])[]
}

const SOURCES = ['.rgignore', '.ignore', '.gitignore', '.git/info/exclude']
const FIRST_GIT_SOURCE = 2

/** The rules that hold in `folder`, with those of all folders above. */
export async function ignoreLevelsFor(folder: string, files: FileSystem): Promise<IgnoreLevel> {
  const above = dirname(folder)
  return nextIgnoreLevel(folder, above === folder ? undefined : await ignoreLevelsFor(above, files), files)
}

export async function nextIgnoreLevel(
  folder: string,
  parent: IgnoreLevel | undefined,
  files: FileSystem,
): Promise<IgnoreLevel> {
  const isRepository = files.existsSync(join(folder, '.git'))
  const rules = await Promise.all(SOURCES.map((name) => readRules(join(folder, name), files)))
  return { folder, parent, isRepository, rules }
}

export function isIgnored(path: string, isFolder: boolean, level: IgnoreLevel): boolean {
  const inRepository = levels(level).some(({ isRepository }) => isRepository)
  for (const source of SOURCES.keys()) {
    const isGit = source >= FIRST_GIT_SOURCE
    if (isGit && !inRepository) continue
    const verdict = judge(path, isFolder, level, source, isGit)
    if (verdict !== undefined) return verdict
  }
  return false
}

/** The deepest folder with a matching rule decides, and there the last such rule. */
function judge(
  path: string,
  isFolder: boolean,
  from: IgnoreLevel,
  source: number,
  isGit: boolean,
): boolean | undefined {
  for (const level of levels(from)) {
    const inside = path.slice(level.folder.endsWith('/') ? level.folder.length : level.folder.length + 1)
    const rule = level.rules[source]?.findLast((candidate) => candidate.matches(inside, isFolder))
    if (rule) return !rule.negated
    // A repository does not look at the one around it.
    if (isGit && level.isRepository) return undefined
  }
  return undefined
}

function levels(level: IgnoreLevel): IgnoreLevel[] {
  return level.parent ? [level, ...levels(level.parent)] : [level]
}

async function readRules(path: string, files: FileSystem): Promise<GlobRule[]> {
  if (!files.existsSync(path)) return []
  try {
    const text = new TextDecoder().decode(await files.read(path))
    return text.split(/\r?\n/).flatMap((line) => parseLine(line) ?? [])
  } catch {
    // A folder by that name, or not ours to read: then there are no rules.
    return []
  }
}

function parseLine(line: string): GlobRule | undefined {
  try {
    return parseGlob(line)
  } catch {
    // One broken line is no reason to lose the others.
    return undefined
  }
}
