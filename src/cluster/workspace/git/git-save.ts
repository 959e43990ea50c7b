/**
 * Saves a session's files to a separate ref in its repository: whole or not at all, and never over a later owner's
 * save.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { limitOmittedFileList } from '../omitted-files.js'
import type { GitSpec, OmittedFile, SavedWorkspace, WorkspaceSession } from '../session-workspace.js'
import { createOvertakenSaveError } from '../snapshot-index.js'
import type { CompleteFolderMark, SessionFolder, WorkspaceMachine } from '../workspace-machine.js'
import type { GitProgram } from './git-command.js'
import { createUnreachableRemoteError } from './git-command.js'
import { fetchSavedCommit, readRemoteState, sessionSnapshotRef } from './git-restore.js'
import { snapshotMessage } from './git-snapshot.js'
import { saveFilesAsGitTree } from './git-tree.js'

/** State of the files on this machine: our repository beside them, the last saved commit, and its content. */
export type LocalGitSaveState = { save: string; tip: string; state: string }

export function readLocalGitSaveState(mark: CompleteFolderMark): LocalGitSaveState {
  const { save, tip, state } = mark.more
  return { save: String(save), tip: String(tip), state: String(state) }
}

const TRIES = 5

export async function saveFilesToSessionRef(
  machine: WorkspaceMachine,
  {
    git,
    spec,
    folder,
    mark,
    place,
    seq,
  }: {
    git: GitProgram
    spec: GitSpec
    folder: SessionFolder
    mark: CompleteFolderMark
    place: WorkspaceSession
    seq: number
  },
  signal: AbortSignal | undefined,
): Promise<SavedWorkspace> {
  const { save, tip, state } = readLocalGitSaveState(mark)
  const { files } = folder
  const { limits, index } = machine
  const { tree, bytes, leftOut } = await saveFilesAsGitTree(git, { save, files, limits }, signal)
  const own = await ownBranches(git, files, save, signal)
  const ref = sessionSnapshotRef(place)
  const now = [tree, own.head, ...own.branches.map(({ name, commit }) => `${commit} ${name}`)].join('\n')
  const said = { seq, kind: 'git' as const, ref, leftOut: limitOmittedFileList([...leftOut, ...own.leftOut]) }
  // Nothing has changed: that the files belong to a later entry is all there is to say.
  if (now === state) {
    const saved = { ...said, sha256: tip, bytes: 0 }
    await index.record(place, saved)
    return saved
  }
  const call = { cwd: save, gitDir: save, borrow: join(files, '.git', 'objects'), signal }
  const parents = new Set(own.branches.map(({ commit }) => commit))
  if (!own.head.startsWith('refs/')) parents.add(own.head)
  const message = snapshotMessage({ seq, epoch: place.epoch, ...own })
  const args = [...parents].flatMap((commit) => ['-p', commit])
  const commit = (await git.local(['commit-tree', ...args, tree], { ...call, input: message })).trim()
  await pushOver(git, { spec, call, commit, tip, ref, place }, signal)
  await folder.setMark({ ...mark, more: { save, tip: commit, state: now } })
  const saved = { ...said, sha256: commit, bytes }
  await index.record(place, saved)
  return saved
}

/**
 * Only over what this owner knows, or what one before it has left there after all: an owner that was overtaken finds what a later
 * one saved, and is refused.
 */
async function pushOver(
  git: GitProgram,
  {
    spec,
    call,
    commit,
    tip,
    ref,
    place,
  }: {
    spec: GitSpec
    call: { cwd: string; gitDir: string; borrow: string }
    commit: string
    tip: string
    ref: string
    place: WorkspaceSession
  },
  signal: AbortSignal | undefined,
): Promise<void> {
  let known = tip
  for (let left = TRIES; ; left -= 1) {
    const lease = `--force-with-lease=${ref}:${known}`
    const args = ['push', '--porcelain', '--no-verify', '--no-signed', lease, spec.remote, `${commit}:${ref}`]
    const { code, out, err } = await git.tryRemote(args, { ...call, signal })
    if (code === 0) return
    const report = out.toString('utf8')
    const isStale = /^!.*(?:stale info|fetch first|failed to (?:update|lock)|cannot lock|incorrect old value)/m.test(
      report,
    )
    if (!isStale || left === 1) throw createUnreachableRemoteError('push', `${err} ${report}`)
    const state = await readRemoteState(git, { cwd: call.cwd, remote: spec.remote, ref }, signal)
    const there =
      state.tip === undefined
        ? undefined
        : await fetchSavedCommit(git, { save: call.gitDir, remote: spec.remote, ref }, signal)
    if (there && there.epoch > place.epoch) throw createOvertakenSaveError(place.session)
    known = state.tip ?? ''
  }
}

type OwnBranches = { head: string; branches: { name: string; commit: string }[]; leftOut: OmittedFile[] }

const MOST_BRANCHES = 100

/** Where the session's own branches stand. Its repository may be in any state: it is only looked at. */
async function ownBranches(
  git: GitProgram,
  files: string,
  save: string,
  signal: AbortSignal | undefined,
): Promise<OwnBranches> {
  const gitDir = join(files, '.git')
  const call = { cwd: files, gitDir, signal }
  const gone: OwnBranches = {
    head: 'refs/heads/main',
    branches: [],
    leftOut: [{ path: '.git', why: 'the repository of the session can not be read' }],
  }
  if (!(await stat(gitDir).catch(() => undefined))?.isDirectory()) return gone
  const listed = await git.tryLocal(
    ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/stash'],
    call,
  )
  const symbolic = await git.tryLocal(['symbolic-ref', '-q', 'HEAD'], call)
  const detached = await git.tryLocal(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], call)
  const head = (symbolic.code === 0 ? symbolic : detached).out.toString('utf8').trim()
  if (listed.code !== 0 || !/^(?:refs\/heads\/\S+|[0-9a-f]{40,64})$/.test(head)) return gone
  const refs = lines(listed.out).map((line) => {
    const at = line.indexOf(' ')
    return { commit: line.slice(0, at), name: line.slice(at + 1) }
  })
  const heads = refs.filter(({ name }) => name.startsWith('refs/heads/'))
  // What it says it has may not be there.
  const asked = `${[...heads.map(({ commit }) => commit), ...(head.startsWith('refs/') ? [] : [head])].join('\n')}\n`
  const borrowing = { cwd: save, gitDir: save, borrow: join(gitDir, 'objects'), input: asked, signal }
  const types = lines((await git.tryLocal(['cat-file', '--batch-check'], borrowing)).out)
  const found = new Set(types.filter((line) => line.split(' ')[1] === 'commit').map((line) => line.split(' ')[0]))
  if (!head.startsWith('refs/') && !found.has(head)) return gone
  const there = heads.filter(({ commit }) => found.has(commit))
  // The one that is checked out is never among those that are too many.
  const ordered = [...there.filter(({ name }) => name === head), ...there.filter(({ name }) => name !== head)]
  const branches = ordered.slice(0, MOST_BRANCHES)
  const kept = new Set(branches.map(({ name }) => name))
  const missing = refs.filter(({ name }) => !kept.has(name))
  return {
    head,
    branches,
    leftOut: missing.map(({ name }) => ({ path: name, why: 'only branches are saved, up to 100' })),
  }
}

function lines(out: Buffer): string[] {
  return out
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
}
