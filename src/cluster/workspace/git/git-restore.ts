/** The files of a session from its repository, as they were saved last or as they are at the beginning, with a repository around them. */
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KedgeError } from '../../../errors.js'
import { oneLine } from '../../../platform/visible-text.js'
import type { GitSpec, WorkspaceSession } from '../session-workspace.js'
import { storableName, type WorkspaceMachine } from '../workspace-machine.js'
import { refreshGitCache } from './git-cache.js'
import type { GitProgram } from './git-command.js'
import { parseSnapshotMessage, type SnapshotCommitMessage } from './git-snapshot.js'
import { BYTE_FOR_BYTE_ATTRIBUTES } from './git-tree.js'

export function sessionSnapshotRef({ tenant, session }: Pick<WorkspaceSession, 'tenant' | 'session'>): string {
  return `refs/kedge/${storableName(tenant)}/${storableName(session)}`
}

export type RemoteState = {
  /** The session's saved commit; undefined if nothing was saved. */
  tip: string | undefined
  /** The branch the server itself suggests. */
  branch: string | undefined
}

export async function readRemoteState(
  git: GitProgram,
  { cwd, remote, ref }: { cwd: string; remote: string; ref: string },
  signal: AbortSignal | undefined,
): Promise<RemoteState> {
  const listed = await git.remote(['ls-remote', '--symref', remote, 'HEAD', ref], { cwd, gitDir: cwd, signal })
  const lines = listed.split('\n').map((line) => line.split('\t'))
  const head = lines.find(([what = '', name]) => what.startsWith('ref: ') && name === 'HEAD')?.[0]
  return { tip: lines.find(([, name]) => name === ref)?.[0], branch: head?.slice('ref: '.length) }
}

export type SavedCommit = SnapshotCommitMessage & { commit: string }

/** Returns the saved commit; undefined if it was removed meanwhile, or wasn't made by Kedge. */
export async function fetchSavedCommit(
  git: GitProgram,
  { save, remote, ref }: { save: string; remote: string; ref: string },
  signal: AbortSignal | undefined,
): Promise<SavedCommit | undefined> {
  const call = { cwd: save, gitDir: save, signal }
  await git.remote(['fetch', '-q', '--no-tags', '--no-write-fetch-head', remote, `+${ref}:refs/kedge/tip`], call)
  const commit = (await git.local(['rev-parse', '--verify', 'refs/kedge/tip'], call)).trim()
  const said = parseSnapshotMessage(await git.local(['log', '-1', '--format=%B', commit], call))
  return said && { ...said, commit }
}

/**
 * Makes a separate repository whose index says what the files are: nothing a session does to its own repository affects
 * it.
 */
export async function createSnapshotRepository(
  git: GitProgram,
  save: string,
  cache: string | undefined,
): Promise<void> {
  await mkdir(save, { recursive: true })
  await git.local(['init', '-q', '--bare', '--template=', save], { cwd: save, gitDir: save })
  await mkdir(join(save, 'info'), { recursive: true })
  await writeFile(join(save, 'info', 'attributes'), BYTE_FOR_BYTE_ATTRIBUTES)
  if (cache !== undefined) await borrowFrom(save, [cache])
}

export type RestoreResult = { tip: SavedCommit | undefined; notes: string[] }

export async function restoreCheckout(
  machine: WorkspaceMachine,
  { git, spec, stage, place }: { git: GitProgram; spec: GitSpec; stage: string; place: WorkspaceSession },
  signal: AbortSignal | undefined,
): Promise<RestoreResult> {
  const { remote } = spec
  const [files, save, ref] = [join(stage, 'files'), join(stage, 'save.git'), sessionSnapshotRef(place)]
  const state = await readRemoteState(git, { cwd: stage, remote, ref }, signal)
  const cache = await refreshGitCache(machine, { tenant: place.tenant, remote }, git, signal)
  await createSnapshotRepository(git, save, cache)
  const tip = state.tip === undefined ? undefined : await fetchSavedCommit(git, { save, remote, ref }, signal)
  if (state.tip !== undefined && !tip)
    throw new KedgeError('workspace_lost', `${ref} of the session's repository is not what Kedge saved there.`)
  const begin = tip ?? (await beginning(git, { cache, spec, branch: state.branch }, signal))
  const commit = tip?.commit ?? commitOf(begin)
  const call = { cwd: files, gitDir: save, files, signal }
  if (commit !== undefined) {
    await git.local(['read-tree', commit], call)
    await git.local(['checkout-index', '-a', '-f', '-q', '-u'], call)
  }
  await ownRepository(git, { files, save, cache, spec, begin }, signal)
  return { tip, notes: await notesOn(files) }
}

/** Where a session that is new begins. */
async function beginning(
  git: GitProgram,
  { cache, spec, branch }: { cache: string; spec: GitSpec; branch: string | undefined },
  signal: AbortSignal | undefined,
): Promise<Omit<SnapshotCommitMessage, 'seq' | 'epoch'>> {
  const call = { cwd: cache, gitDir: cache, signal }
  const find = async (name: string) => {
    const { code, out } = await git.tryLocal(['rev-parse', '-q', '--verify', `${name}^{commit}`], call)
    return code === 0 ? out.toString('utf8').trim() : undefined
  }
  const name = spec.ref === undefined ? (branch ?? 'refs/heads/main') : `refs/heads/${spec.ref}`
  const commit = await find(name)
  if (commit !== undefined) return { head: name, branches: [{ name, commit }] }
  // A repository without a commit.
  if (spec.ref === undefined) return { head: name, branches: [] }
  const other = (await find(`refs/tags/${spec.ref}`)) ?? (/^[0-9a-f]{40,64}$/.test(spec.ref) && (await find(spec.ref)))
  if (other) return { head: other, branches: [] }
  const what = `workspace.ref: ${spec.remote} has no branch, tag or commit ${spec.ref}.`
  throw new KedgeError('workspace_invalid', what)
}

function commitOf({ head, branches }: Omit<SnapshotCommitMessage, 'seq' | 'epoch'>): string | undefined {
  return head.startsWith('refs/') ? branches.find(({ name }) => name === head)?.commit : head
}

/** As a clone would be, but with the objects of the cache. */
async function ownRepository(
  git: GitProgram,
  {
    files,
    save,
    cache,
    spec,
    begin,
  }: { files: string; save: string; cache: string; spec: GitSpec; begin: Omit<SnapshotCommitMessage, 'seq' | 'epoch'> },
  signal: AbortSignal | undefined,
): Promise<void> {
  const gitDir = join(files, '.git')
  const call = { cwd: files, gitDir, files, signal }
  await git.local(['init', '-q', '--template=', files], { cwd: files, gitDir, signal })
  await borrowFrom(gitDir, [cache, save])
  await appendFile(join(gitDir, 'config'), `[remote "origin"]\n\turl = ${quoted(spec.remote)}\n\tfetch = ${TRACKED}\n`)
  const listed = await git.local(['for-each-ref', `--format=${CREATE}`, 'refs/heads', 'refs/tags'], {
    cwd: cache,
    gitDir: cache,
    signal,
  })
  const branches = begin.branches.map(({ name, commit }) => `create ${name} ${commit}\n`)
  const input = `${listed.replaceAll(/^create refs\/heads\//gm, 'create refs/remotes/origin/')}${branches.join('')}`
  await git.local(['update-ref', '--stdin'], { ...call, input })
  if (begin.head.startsWith('refs/')) await git.local(['symbolic-ref', 'HEAD', begin.head], call)
  else await git.local(['update-ref', '--no-deref', 'HEAD', begin.head], call)
  const commit = commitOf(begin)
  if (commit === undefined) return
  await git.local(['read-tree', commit], call)
  // It says by its code that files differ, which is what changes are.
  await git.tryLocal(['update-index', '-q', '--refresh'], call)
}

const TRACKED = '+refs/heads/*:refs/remotes/origin/*'
const CREATE = 'create %(refname) %(objectname)'

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, (one) => `\\${one}`)}"`
}

async function borrowFrom(gitDir: string, others: readonly string[]): Promise<void> {
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true })
  const lines = others.map((other) => `${join(other, 'objects')}\n`)
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), lines.join(''))
}

async function notesOn(files: string): Promise<string[]> {
  const read = (name: string) => readFile(join(files, name), 'utf8').catch(() => '')
  const [modules, attributes] = [await read('.gitmodules'), await read('.gitattributes')]
  const paths = [...modules.matchAll(/^\s*path\s*=\s*(.+)$/gm)].map(([, path]) => path)
  return [
    ...(paths.length > 0 ? [`Submodules are not checked out: ${oneLine(paths.join(', '), 200)}`] : []),
    ...(/filter=lfs\b/.test(attributes)
      ? ['Files kept by git LFS are pointers here, unless a setup command fetched them.']
      : []),
  ]
}
