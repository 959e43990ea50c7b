/** The files of a session for one stretch: found before its agent starts, saved after each turn, let go at the end. */
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { CLUSTER_PROJECT_KEY, type ClaimedRun } from '../runs/claimed-run.js'
import { fileChangingCallsSince, outdatedFilesText } from '../workspace/outdated-files.js'
import { parseWorkspaceSpec } from '../workspace/parse-workspace.js'
import type { SessionWorkspace, WorkspaceSession, WorkspaceSpec } from '../workspace/session-workspace.js'

export interface RunFiles {
  /** `notes`: what the model should know of them. */
  prepare(): Promise<{ cwd: string; notes: string[] }>
  /**
   * Saves the files as they are for the next worker. Rejects with `session_fenced` if another one has the session
   * already.
   */
  save(): Promise<void>
  /** This machine is done with them. */
  release(): Promise<void>
}

/** Returns the files of a run that works in a folder that every worker has: nothing is to be saved. */
export function folderRunFiles(folder: () => string): RunFiles {
  return {
    prepare: async () => ({ cwd: folder(), notes: [] }),
    async save() {},
    async release() {},
  }
}

export type WorkspaceFilesPorts = {
  database: TenantDatabase
  claimed: ClaimedRun
  workspaces: SessionWorkspace
  /** What its app says, where its row says nothing. */
  spec: WorkspaceSpec
}

export function workspaceRunFiles({ database, claimed, workspaces, spec }: WorkspaceFilesPorts): RunFiles {
  const { tenant, session } = claimed.key
  const workspace = claimed.about.workspace === undefined ? spec : parseWorkspaceSpec(claimed.about.workspace)
  const place: WorkspaceSession = { tenant, session, epoch: claimed.epoch, workspace }
  return {
    async prepare() {
      // Recorded first, so that deleting the session can find its files.
      await retryWhileUnavailable(() => database.query(NAME_PLACE, [tenant, session, JSON.stringify(workspace)]))
      const { cwd, savedSeq, notes } = await workspaces.prepare(place)
      if (savedSeq === undefined) return { cwd, notes }
      const rows = await retryWhileUnavailable(() =>
        database.query<{ seq: number; line: string }>(LINES, [tenant, CLUSTER_PROJECT_KEY, session]),
      )
      const calls = fileChangingCallsSince(
        rows.map(({ seq, line }) => ({ seq, line: JSON.parse(line) })),
        savedSeq,
      )
      const behind = outdatedFilesText(savedSeq, calls)
      return { cwd, notes: behind === undefined ? notes : [...notes, behind] }
    },
    async save() {
      const [head] = await retryWhileUnavailable(() =>
        database.query<{ seq: number }>(HEAD, [tenant, CLUSTER_PROJECT_KEY, session]),
      )
      await workspaces.save(place, head?.seq ?? 0)
    },
    release: () => workspaces.release(place, 'keep'),
  }
}

const OF = 'tenant = $1 and project_key = $2 and session = $3'
const NAME_PLACE = 'update kedge.sessions set workspace = $3 where tenant = $1 and id = $2 and workspace is null'
const LINES = `select seq::float8, line from kedge.transcript_lines where ${OF} order by seq`
const HEAD = `select seq::float8 from kedge.transcripts where ${OF}`
