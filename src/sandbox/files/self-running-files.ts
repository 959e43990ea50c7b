/**
 * What would run outside the sandbox later, without anybody asking for it, because of what stands in a file: a repository
 * inside the project whose configuration names programs, its hooks, lines of a rebase, start files of Python. A command
 * may make repositories and environments; it may not put such a thing into them.
 */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from '../../platform/paths.js'
import { readRegularFile, tryOrUndefined } from './file-places.js'
import { isHarmlessGitConfig, isHarmlessMercurialConfig } from './harmless-config.js'
import type { FileSearch } from './pattern-search.js'

/** Deeper than people go by hand; and not for longer than a command can wait. */
const WITHIN = { depth: 8, folders: 4_000 }
const ENVIRONMENTS = ['.venv', 'venv', 'env', '.env']

/** The files and what is in them. */
export type SelfRunningFileContents = ReadonlyMap<string, string>

/** In the folder `root` and below. */
export function findSelfRunningFiles(root: string, search: FileSearch): SelfRunningFileContents {
  const found = new Map<string, string>()
  const add = (path: string, isHarmless: (text: string) => boolean) => {
    const text = readRegularFile(path)
    if (text !== undefined && !isHarmless(text)) found.set(path, text)
  }
  for (const folder of repositories(root, search)) {
    if (basename(folder) === '.hg') {
      for (const name of ['hgrc', 'hgrc-not-shared']) add(join(folder, name), isHarmlessMercurialConfig)
      continue
    }
    for (const name of ['config', 'config.worktree']) add(join(folder, name), isHarmlessGitConfig)
    for (const name of ['git-rebase-todo', 'git-rebase-todo.backup']) {
      add(join(folder, 'rebase-merge', name), (text) => !/^\s*(?:x|exec)\b/m.test(text))
    }
    for (const name of entries(join(folder, 'hooks'))) {
      if (!name.endsWith('.sample') && !name.includes(BLOCKED_FILE_SUFFIX))
        add(join(folder, 'hooks', name), () => false)
    }
  }
  for (const path of startFiles(root)) add(path, (text) => !/^import[ \t]/m.test(text) && path.endsWith('.pth'))
  return found
}

/** Those that are new, or have become others. */
export function findNewSelfRunningFiles(before: SelfRunningFileContents, after: SelfRunningFileContents): string[] {
  return [...after].flatMap(([path, text]) => (before.get(path) === text ? [] : [path]))
}

/** What was moved out of the way is named so. */
export const BLOCKED_FILE_SUFFIX = '.blocked-by-sandbox'

/** Folders that git or hg would take for a repository: also bare ones, and those that a file or another one leads to. */
function repositories(root: string, search: FileSearch): Set<string> {
  const matches = (path: string) => ['.git', '.hg', 'HEAD'].includes(basename(path))
  const text = 'what runs by itself'
  const folders = new Set<string>()
  for (const path of search([{ start: root, all: false, text, within: WITHIN, matches }])) {
    if (basename(path) === 'HEAD') {
      const bare = dirname(path)
      if (isFolder(join(bare, 'objects')) && isFolder(join(bare, 'refs'))) folders.add(bare)
      continue
    }
    const named = isFolder(path) ? undefined : /^gitdir: ([^\n\0]+)/.exec(readRegularFile(path) ?? '')?.[1]?.trim()
    const folder = named === undefined ? path : resolve(dirname(path), named)
    folders.add(folder)
    const common = readRegularFile(join(folder, 'commondir'))?.trim()
    if (common) folders.add(resolve(folder, common))
  }
  return folders
}

/** Python runs these before any program, in a virtual environment and where it is told to look for modules. */
function startFiles(root: string): string[] {
  const names = ['sitecustomize.py', 'usercustomize.py']
  const places = ENVIRONMENTS.flatMap((name) =>
    ['lib', 'lib64', 'Lib'].flatMap((lib) => {
      const folder = join(root, name, lib)
      return ['.', ...entries(folder).filter((entry) => /^(?:python|pypy)[\d.]/.test(entry))].map((version) =>
        join(folder, version, 'site-packages'),
      )
    }),
  )
  const inside = places.flatMap((folder) =>
    entries(folder)
      .filter((name) => name.endsWith('.pth') || names.includes(name))
      .map((name) => join(folder, name)),
  )
  return [...names.map((name) => join(root, name)), ...inside]
}

function entries(folder: string): string[] {
  return tryOrUndefined(() => readdirSync(folder)) ?? []
}

function isFolder(path: string): boolean {
  return tryOrUndefined(() => statSync(path, { throwIfNoEntry: false })?.isDirectory()) === true
}
