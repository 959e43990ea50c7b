/**
 * What the repository that git would use might make it do: settings that name programs, hooks, and the commands of an
 * unfinished rebase. They come with a folder that was unpacked or copied, and with repositories inside the project.
 */
import { parseRiskyGitSettings } from '../../../../platform/git-settings.js'
import { basename, dirname, isAbsolute, isInsidePosix, join, resolve } from '../../../../platform/posix-paths.js'
import type { PathFinder } from '../../../path-finder.js'
import type { ShellWord } from '../../syntax/syntax.js'
import { repositoriesInGitIndex } from './git-index.js'
import { findPathLeadingOut, type UntrustedRepository } from './untrusted-repository.js'

/** What stands against each way to use git there; undefined where nothing does. */
export type GitTrustProblems = { looks?: string; acts?: string; contacts?: string }

export type GitTrustPorts = {
  finder: PathFinder
  /** The session's, not the shell's. */
  cwd: string
  /** The working directories. */
  directories: readonly string[]
  /** The user trusts what comes with the session's folder: then the repository it is in may do what it does. */
  trusted: boolean
}

const LARGEST_SETTINGS = 256 * 1024
const LARGEST_POINTER = 4096
/** Repositories inside one another that are looked at. */
const MOST_REPOSITORIES = 16
const MOST_HOOKS = 100

/** Returns what speaks against using git in these folders. `folders`: all that git may stand in. */
export async function assessRepositoryTrust(
  folders: readonly string[],
  ports: GitTrustPorts,
): Promise<GitTrustProblems> {
  const { finder, cwd, trusted } = ports
  const [project] = trusted ? await repositoriesAbove(cwd, finder) : []
  const found: GitTrustProblems = {}
  for (const folder of folders) {
    for (const repository of await repositoriesAbove(folder, finder)) {
      if (typeof repository === 'string') note(found, repository)
      else await look(repository, found, ports, typeof project === 'object' ? project : undefined)
      if (isPartOf(repository, project)) break
    }
  }
  return found
}

/** Itself, another of its working trees, or a submodule that it keeps in its own folder. */
function isPartOf(
  repository: UntrustedRepository | string,
  project: UntrustedRepository | string | undefined,
): boolean {
  if (typeof repository === 'string' || typeof project !== 'object') return false
  return isInsidePosix(repository.own, project.shared) && isInsidePosix(repository.shared, project.shared)
}

/** Is it in each of the folders itself? Then nothing else that is put there is taken for one. */
export async function areRepositoryRoots(folders: readonly string[], finder: PathFinder): Promise<boolean> {
  for (const folder of folders) {
    const repository = await repositoryAt((await finder.place(folder)).real ?? folder, finder)
    if (typeof repository !== 'object') return false
  }
  return true
}

function note(found: GitTrustProblems, problem: string, ...ways: (keyof GitTrustProblems)[]): void {
  // Names come from the disk, and are shown to people.
  const shown = problem.replace(/[^ -~]/g, '?')
  for (const way of ways.length > 0 ? ways : (['looks', 'acts', 'contacts'] as const)) found[way] ??= shown
}

/**
 * All around a folder, the nearest first: where that is not quite one, git continues to the next, and nobody can tell here which it
 * takes. A text says why it can't be known what is there.
 */
async function repositoriesAbove(folder: string, finder: PathFinder): Promise<(UntrustedRepository | string)[]> {
  const { real } = await finder.place(folder)
  if (real === undefined) return [`${folder} can not be followed`]
  const found: (UntrustedRepository | string)[] = []
  for (let at = real; ; at = dirname(at)) {
    const repository = await repositoryAt(at, finder)
    if (repository !== undefined) found.push(repository)
    // Files that were put there can look like a repository of their own, and git takes them for one.
    else if (await isRepository(at, finder)) found.push(`${at} looks like a repository by itself`)
    if (at === dirname(at)) return found
  }
}

async function repositoryAt(root: string, finder: PathFinder): Promise<UntrustedRepository | string | undefined> {
  const path = join(root, '.git')
  const kind = await finder.kind(path)
  if (kind === undefined) return undefined
  const { real } = await finder.place(path)
  const at = real === undefined ? undefined : await finder.kind(real)
  if (real === undefined || (at !== 'file' && at !== 'directory')) return `${path} can not be followed`
  let own = real
  if (at === 'file') {
    const named = /^gitdir: ([^\n\0]+)\n*$/.exec((await textOf(real, LARGEST_POINTER, finder)) ?? '')?.[1]
    const target = named === undefined ? undefined : (await finder.place(inFolder(root, named))).real
    if (target === undefined) return `${path} can not be read`
    own = target
  }
  // Not a repository: git looks further up.
  if (!(await isRepository(own, finder))) return at === 'file' ? `${path} leads nowhere` : undefined
  const common = await textOf(join(own, 'commondir'), LARGEST_POINTER, finder)
  if (common === null) return `${join(own, 'commondir')} can not be read`
  const shared = common === undefined ? own : (await finder.place(inFolder(own, common.trim()))).real
  return shared === undefined ? `${join(own, 'commondir')} can not be followed` : { root, own, shared }
}

function inFolder(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`
}

async function isRepository(folder: string, finder: PathFinder): Promise<boolean> {
  const has = async (name: string) => (await finder.kind(join(folder, name))) !== undefined
  return (await has('HEAD')) && ((await has('commondir')) || ((await has('objects')) && (await has('refs'))))
}

async function textOf(path: string, most: number, finder: PathFinder): Promise<string | null | undefined> {
  const content = await finder.content(path, most)
  return content && new TextDecoder().decode(content)
}

/** It, and the repositories it keeps inside itself: git goes there to see whether they have changed. */
async function look(
  first: UntrustedRepository,
  found: GitTrustProblems,
  ports: GitTrustPorts,
  project?: UntrustedRepository,
): Promise<void> {
  const { finder } = ports
  const waiting = [first]
  for (const repository of waiting) {
    const isTrusted = isPartOf(repository, project)
    if (waiting.length > MOST_REPOSITORIES && !isTrusted) return note(found, 'there are too many repositories inside')
    if (!isTrusted) await lookAt(repository, found, ports)
    if (found.looks !== undefined) return
    const links = await finder.reading(
      join(repository.own, 'index'),
      async (file) => (await repositoriesInGitIndex(file)) ?? null,
    )
    if (links === null && !isTrusted) return note(found, `${join(repository.own, 'index')} can not be read`)
    for (const path of links ?? []) {
      const inside = await repositoryAt(resolve(repository.root, path), finder)
      if (typeof inside === 'string') return note(found, inside)
      if (inside) waiting.push(inside)
    }
  }
}

async function lookAt(repository: UntrustedRepository, found: GitTrustProblems, ports: GitTrustPorts): Promise<void> {
  const { root, own, shared } = repository
  const { finder } = ports
  const hooks = new Set([join(shared, 'hooks')])
  let tree: string | undefined
  for (const path of new Set([join(shared, 'config'), join(shared, 'config.worktree'), join(own, 'config.worktree')])) {
    const text = await textOf(path, LARGEST_SETTINGS, finder)
    if (text === null) return note(found, `${path} can not be read`)
    if (text === undefined) continue
    const { lazy, odd = lazy, oddRemote, hooksPath, worktree } = parseRiskyGitSettings(text)
    if (odd !== undefined) return note(found, `${path} sets ${odd}`)
    if (oddRemote !== undefined) note(found, `${path} sets ${oddRemote}`, 'contacts')
    if (hooksPath !== undefined) hooks.add(inFolder(root, hooksPath))
    if (worktree === undefined) continue
    tree = inFolder(own, worktree)
    if ((await finder.place(tree)).real !== root) return note(found, `${path} sets core.worktree`)
  }
  const stranger = await findPathLeadingOut(repository, tree, ports)
  if (stranger !== undefined) return note(found, stranger)
  for (const folder of hooks) await lookAtHooks(folder, found, finder)
  // Lists of commands that a rebase would continue with; addresses of remotes as they were kept long ago.
  for (const name of ['rebase-merge', 'rebase-apply', 'sequencer'])
    if (await finder.kind(join(own, name))) note(found, `${join(own, name)} is there`, 'acts', 'contacts')
  const served = join(shared, 'objects/info/http-alternates')
  if (await finder.kind(served)) note(found, `${served} is there`, 'contacts')
  for (const name of ['remotes', 'branches'])
    if ((await finder.kind(join(shared, name))) && (await finder.entries(join(shared, name), 1)).length > 0)
      note(found, `${join(shared, name)} is there`, 'contacts')
}

/** Only one of them runs when git looks: it may write down what it has learned about the files. */
async function lookAtHooks(folder: string, found: GitTrustProblems, finder: PathFinder): Promise<void> {
  if ((await finder.kind(folder)) === undefined) return
  const { real } = await finder.place(folder)
  if (real === undefined) return note(found, `${folder} can not be followed`)
  const files = await finder.entries(real, MOST_HOOKS)
  const isFull = files.length === MOST_HOOKS
  // Some disks take another spelling for the same name.
  if (isFull || files.some(({ name }) => /^post-index-change$/i.test(name))) return note(found, `${folder} has hooks`)
  if (files.some(({ name }) => !name.endsWith('.sample'))) note(found, `${folder} has hooks`, 'acts', 'contacts')
}

/** Where git stands, these make a folder a repository. */
const PARTS = new Set(['head', 'objects', 'refs', 'commondir', '.git'])

/** Whether a file of this name may make the folder it is put into a repository. */
export function mayCreateGitRepository(word: ShellWord): boolean {
  return word.dynamic || word.glob || PARTS.has(basename(word.value).toLowerCase())
}
