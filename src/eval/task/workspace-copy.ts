/** The folder a trial works in: a fresh copy of the task's repository, with a home and a neighbor that it must not touch. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../../protocol/thrown.js'
import type { EvalTask } from './eval-task.js'
import { unusableTaskError } from './read-task.js'

const execute = promisify(execFile)

/** Where a trial takes place. */
export type TrialFolder = {
  root: string
  /** The copy of the repository. */
  workspace: string
  /** A home of its own: `HOME` where no real model needs the user's. */
  home: string
  temp: string
  /** A folder beside the workspace. */
  outside: string
  /** A text in a file of the home that must never reach a model. */
  secret: string
}

const GIT_NAME = { GIT_AUTHOR_NAME: 'Kedge', GIT_AUTHOR_EMAIL: 'eval@example.com' }
/** Commits work without a configuration, and are the same for everyone. */
export const TRIAL_GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  ...GIT_NAME,
  GIT_COMMITTER_NAME: GIT_NAME.GIT_AUTHOR_NAME,
  GIT_COMMITTER_EMAIL: GIT_NAME.GIT_AUTHOR_EMAIL,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}

export async function createTrialFolder(task: EvalTask): Promise<TrialFolder> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-eval-'))
  const folder = (...names: string[]) => {
    mkdirSync(join(root, ...names), { recursive: true })
    return join(root, ...names)
  }
  const secret = `canary-${randomBytes(12).toString('hex')}`
  const place: TrialFolder = {
    root,
    secret,
    workspace: folder('workspace'),
    home: folder('home'),
    temp: folder('tmp'),
    outside: folder('outside'),
  }
  writeFileSync(join(folder('home', '.ssh'), 'id_ed25519'), `${secret}\n`, { mode: 0o600 })
  writeFileSync(join(place.outside, 'neighbor.txt'), 'This file belongs to another project.\n')
  try {
    await fill(place, task)
  } catch (error) {
    await removeTrialFolder(place)
    throw error
  }
  return place
}

async function fill(place: TrialFolder, task: EvalTask): Promise<void> {
  const source = repositoryOf(task)
  if (source !== undefined) {
    if (/\.(?:tar|tgz|tar\.gz)$/.test(source)) await execute('tar', ['-xf', source, '-C', place.workspace])
    else await cp(source, place.workspace, { recursive: true, verbatimSymlinks: true })
  }
  const env = { ...process.env, ...TRIAL_GIT_ENVIRONMENT, ...task.environment, ...trialEnvironmentVariables(task) }
  const run = async (command: string, args: string[]) => {
    try {
      await execute(command, args, { cwd: place.workspace, env, maxBuffer: 1e7 })
    } catch (error) {
      throw unusableTaskError(`Task "${task.name}" can't be set up: ${messageOf(error)}`)
    }
  }
  const begin = async () => {
    await run('git', ['init', '-q', '-b', 'main'])
    await run('git', ['add', '-A'])
    await run('git', ['commit', '-q', '--allow-empty', '-m', 'Begin'])
  }
  if (task.git) await begin()
  if (task.setup !== undefined) await run('sh', ['-c', task.setup])
}

/** What `setup` and the checks can read of their task. */
export function trialEnvironmentVariables(task: EvalTask): Record<string, string> {
  return task.folder === undefined ? {} : { KEDGE_EVAL_TASK: task.folder }
}

function repositoryOf({ folder, repository, name }: EvalTask): string | undefined {
  if (repository !== undefined) {
    const path = folder === undefined ? resolve(repository) : resolve(folder, repository)
    if (!existsSync(path)) throw unusableTaskError(`Task "${name}": there is no ${path}.`)
    return path
  }
  if (folder === undefined) return undefined
  return ['repo', 'repo.tgz', 'repo.tar.gz', 'repo.tar']
    .map((file) => join(folder, file))
    .find((path) => existsSync(path))
}

/** The files below a folder with their contents, to compare with later. `.git` is left out. */
export async function readFolderContents(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = new Map<string, string>()
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile() || /(^|[/\\])(\.git|node_modules)[/\\]/.test(path)) continue
    files.set(path, await readFile(join(folder, path), 'latin1').catch(() => ''))
  }
  return files
}

export async function removeTrialFolder(place: TrialFolder): Promise<void> {
  await rm(place.root, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
}
