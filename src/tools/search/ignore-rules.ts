/** Which files are left out of a text search: .gitignore inside a repository, .ignore and .rgignore everywhere. */
import type { WorkspaceFiles } from '../../platform/files/files.js'
import { dirname, isAbsolute, join } from '../../platform/paths.js'
import { type ParsedGlob, parseIgnoreLine } from './glob-pattern.js'

/** The rules one folder adds to those of the folders above it. */
export type IgnoreLevel = {
  readonly folder: string
  readonly parent: IgnoreLevel | undefined
  readonly isRepository: boolean
  /** It or a folder above it is. */
  readonly inRepository: boolean
  /** By source, the strongest first. */
  readonly rules: readonly (readonly ParsedGlob[])[]
}

const SOURCES = ['.rgignore', '.ignore', '.gitignore', '.git/info/exclude']
const FIRST_GIT_SOURCE = 2

const MAX_BYTES = 1024 * 1024

type Files = Pick<WorkspaceFiles, 'existsSync' | 'stat' | 'realpath' | 'snapshot'>

/** The rules that hold in `folder`, with those of all folders above. */
export async function loadIgnoreLevels(folder: string, files: Files): Promise<IgnoreLevel> {
  const above = dirname(folder)
  return loadIgnoreLevelBelow(folder, above === folder ? undefined : await loadIgnoreLevels(above, files), files)
}

export async function loadIgnoreLevelBelow(
  folder: string,
  parent: IgnoreLevel | undefined,
  files: Files,
): Promise<IgnoreLevel> {
  const isRepository = (await isThere(join(folder, '.git'), files)) || (await isThere(join(folder, '.jj'), files))
  const rules = await Promise.all(SOURCES.map((name) => readRules(join(folder, name), files)))
  return { folder, parent, isRepository, inRepository: isRepository || (parent?.inRepository ?? false), rules }
}

/** `own`: the rules the user keeps for all repositories, which hold from `base` on. They are the weakest. */
export function isIgnoredPath(
  path: string,
  isFolder: boolean,
  level: IgnoreLevel,
  own: { base: string; rules: readonly ParsedGlob[] },
): boolean {
  for (const source of SOURCES.keys()) {
    const isGit = source >= FIRST_GIT_SOURCE
    if (isGit && !level.inRepository) continue
    const verdict = judge(path, isFolder, level, source, isGit)
    if (verdict !== undefined) return verdict
  }
  return level.inRepository && matchLast(own.rules, own.base, path, isFolder) === true
}

/** The deepest folder with a matching rule decides. */
function judge(
  path: string,
  isFolder: boolean,
  from: IgnoreLevel,
  source: number,
  isGit: boolean,
): boolean | undefined {
  for (let level: IgnoreLevel | undefined = from; level; level = level.parent) {
    const verdict = matchLast(level.rules[source] ?? [], level.folder, path, isFolder)
    if (verdict !== undefined) return verdict
    // A repository does not look at the one around it.
    if (isGit && level.isRepository) return undefined
  }
  return undefined
}

/** The last rule that matches decides. Rules hold for what is inside `folder`. */
function matchLast(rules: readonly ParsedGlob[], folder: string, path: string, isFolder: boolean): boolean | undefined {
  if (rules.length === 0) return undefined
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  const inside = path.startsWith(prefix) ? path.slice(prefix.length) : path
  const rule = rules.findLast((candidate) => candidate.matches(inside, isFolder))
  return rule && !rule.negated
}

type Environment = Readonly<Record<string, string | undefined>>

/** The user's own ignore file: the one the configuration of git names, or the usual one. */
export async function readUserIgnoreRules(env: Environment, files: Files): Promise<ParsedGlob[]> {
  const home = env['HOME']
  const config = env['XDG_CONFIG_HOME'] || (home && join(home, '.config'))
  const settings = [home && join(home, '.gitconfig'), config && join(config, 'git', 'config')]
  for (const path of settings) {
    const named =
      path &&
      /^[ \t]*excludesfile[ \t]*=[ \t]*(?:"[ \t]*)?([^\s"]+)[ \t]*(?:"[ \t]*)?\r?$/im.exec(
        await readText(path, files),
      )?.[1]
    if (named) return readRules(home ? named.replace(/^~(?=\/)/, home) : named, files)
  }
  return config ? readRules(join(config, 'git', 'ignore'), files) : []
}

async function readRules(path: string, files: Files): Promise<ParsedGlob[]> {
  if (!isAbsolute(path)) return []
  return (await readText(path, files)).split(/\r?\n/).flatMap((line) => parseLine(line) ?? [])
}

async function isThere(path: string, files: Files): Promise<boolean> {
  return files.existsSync?.(path) ?? (await files.stat(path).catch(() => undefined)) !== undefined
}

async function readText(path: string, files: Files): Promise<string> {
  if (!(await isThere(path, files))) return ''
  try {
    // Nothing that blocks, and no more than anybody writes by hand: it may have come with the folder.
    const { content } = await files.snapshot(await files.realpath(path), MAX_BYTES)
    return new TextDecoder().decode(content)
  } catch {
    // Not ours to read: then there is nothing in it.
    return ''
  }
}

function parseLine(line: string): ParsedGlob | undefined {
  try {
    return parseIgnoreLine(line)
  } catch {
    // One broken line is no reason to lose the others.
    return undefined
  }
}
