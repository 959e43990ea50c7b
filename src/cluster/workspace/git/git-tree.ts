/** Which files of a session go into a commit: everything that is not ignored, as it is on the disk, byte for byte. */
import { randomUUID } from 'node:crypto'
import { accessSync, constants, lstatSync } from 'node:fs'
import { copyFile, lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findFilesToOmitBySize, mayHoldSecrets, SECRET_REASON, type SizedFile } from '../omitted-files.js'
import type { OmittedFile } from '../session-workspace.js'
import type { WorkspaceLimits } from '../workspace-machine.js'
import type { GitCall, GitProgram } from './git-command.js'

export type GitTreeSaveLocation = {
  /** The separate repository, whose index says what was saved last. */
  save: string
  files: string
  limits: WorkspaceLimits
}

/** Nothing in a file is changed on its way in or out, whatever its own settings say. */
export const BYTE_FOR_BYTE_ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n'

/** Works on a copy of the index, so a killed process leaves no lock. */
export async function saveFilesAsGitTree(
  git: GitProgram,
  { save, files, limits }: GitTreeSaveLocation,
  signal: AbortSignal | undefined,
): Promise<{ tree: string; bytes: number; leftOut: OmittedFile[] }> {
  const index = join(save, `index-${randomUUID()}`)
  const call: GitCall = { cwd: files, gitDir: save, files, index, signal }
  try {
    await copyFile(join(save, 'index'), index).catch(() => undefined)
    const links = await modules(git, call)
    const changed = await changedFiles(git, call, files)
    const leftOut: OmittedFile[] = [...links].map((path) => ({ path, why: 'a submodule: its files are not saved' }))
    const [add, remove, sized]: [string[], string[], SizedFile[]] = [[], [], []]
    for (const { path, isNew } of changed) {
      if (links.has(path)) continue
      const judged = judge(files, path, isNew)
      if (judged === 'gone') remove.push(path)
      else if ('why' in judged) {
        leftOut.push(judged)
        remove.push(path)
      } else {
        sized.push(judged)
        add.push(path)
      }
    }
    const large = findFilesToOmitBySize(sized, limits)
    const isLarge = new Set(large.map(({ path }) => path))
    leftOut.push(...large)
    const list = (paths: readonly string[]) => ({
      ...call,
      input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
    })
    const removed = [...remove.filter((path) => !path.endsWith('/')), ...isLarge]
    if (removed.length > 0) await git.local(['update-index', '-z', '--force-remove', '--stdin'], list(removed))
    const added = add.filter((path) => !isLarge.has(path))
    if (added.length > 0)
      await git.local(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], list(added))
    const tree = (await git.local(['write-tree'], call)).trim()
    await rename(index, join(save, 'index'))
    const bytes = sized.reduce((sum, { path, size }) => sum + (isLarge.has(path) ? 0 : size), 0)
    return { tree, bytes, leftOut: leftOut.map(({ path, why }) => ({ path: shown(path), why })) }
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

async function changedFiles(
  git: GitProgram,
  call: GitCall,
  files: string,
): Promise<{ path: string; isNew: boolean }[]> {
  const own = join(files, '.git', 'info', 'exclude')
  const excludes = ['--exclude-per-directory=.gitignore', ...((await isFile(own)) ? [`--exclude-from=${own}`] : [])]
  const list = async (args: readonly string[], more: Partial<GitCall> = {}) =>
    names(await git.localBytes(['ls-files', '-z', ...args], { ...call, ...more }))
  const changed = (await list(['-m', '-d'])).map((path) => ({ path, isNew: false }))
  const added = (await list(['-o', ...excludes])).map((path) => ({ path, isNew: true }))
  // Files that the user added explicitly, although they are ignored.
  const index = join(files, '.git', 'index')
  const forced = (await isFile(index)) ? await list(['-c', '-i', ...excludes], { index }).catch(() => []) : []
  const known = new Map([...changed, ...added].map((one) => [one.path, one]))
  for (const path of forced) if (!known.has(path)) known.set(path, { path, isNew: false })
  return [...known.values()]
}

/** Submodules, as the index has them. */
async function modules(git: GitProgram, call: GitCall): Promise<Set<string>> {
  const entries = names(await git.localBytes(['ls-files', '-z', '-s'], call))
  return new Set(
    entries.filter((entry) => entry.startsWith('160000 ')).map((entry) => entry.slice(entry.indexOf('\t') + 1)),
  )
}

function judge(files: string, path: string, isNew: boolean): SizedFile | OmittedFile | 'gone' {
  if (path.endsWith('/')) return { path, why: 'a separate repository' }
  if (path.split('/').some((part) => part.toLowerCase() === '.git')) return { path, why: 'git takes no such name' }
  if (isNew && mayHoldSecrets(path)) return { path, why: SECRET_REASON }
  const place = Buffer.concat([Buffer.from(`${files}/`), Buffer.from(path, 'latin1')])
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (!found || found.isDirectory()) return 'gone'
  if (found.isSymbolicLink()) return { path, size: found.size }
  if (!found.isFile()) return { path, why: 'no file' }
  try {
    accessSync(place, constants.R_OK)
    return { path, size: found.size }
  } catch {
    return { path, why: 'it can not be read' }
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false
}

/** A character is a byte: names need not be text. */
function names(list: Buffer): string[] {
  return list
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '')
}

function shown(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}
