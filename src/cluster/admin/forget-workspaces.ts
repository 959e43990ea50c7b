/** Removes what was saved of the files of forgotten sessions: refs of repositories, objects of storages. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFirstAbort } from '../../platform/first-abort.js'
import { processNameSuffix, removeOrphanedFiles } from '../../platform/processes/temporary-names.js'
import { messageOf } from '../../protocol/thrown.js'
import type { ForgottenFiles } from '../runs/forget.js'
import { archivePrefix } from '../workspace/archive/archive-workspace.js'
import { createWorkspaces } from '../workspace/create-workspaces.js'
import { sessionSnapshotRef } from '../workspace/git/git-restore.js'
import { parseWorkspaceSpec } from '../workspace/parse-workspace.js'
import type { WorkspaceSession } from '../workspace/session-workspace.js'
import { createMemorySnapshotIndex } from '../workspace/snapshot-index.js'

/** Still there, and why. */
export type UndeletedFiles = { session: string; where: string; why: string }

/** How long to wait for a storage that doesn't answer. */
const PATIENCE_MS = 60_000

/**
 * Called when the rows are gone already: a worker that is still busy with a session can't save anything that is used
 * later.
 */
export async function deleteFilesOfForgottenSessions(
  tenant: string,
  forgotten: readonly ForgottenFiles[],
  environment: NodeJS.ProcessEnv,
): Promise<{ removed: number; left: UndeletedFiles[] }> {
  const left: UndeletedFiles[] = []
  let removed = 0
  await removeOrphanedFiles(tmpdir())
  const root = await mkdtemp(join(tmpdir(), `kedge-forget-${processNameSuffix()}`))
  try {
    const workspaces = createWorkspaces({ name: 'admin', root, environment, index: createMemorySnapshotIndex() })
    for (const { session, workspace, epoch } of forgotten) {
      let where = 'its workspace'
      try {
        const place = { tenant, session, epoch, workspace: parseWorkspaceSpec(JSON.parse(workspace)) }
        const found = whereOf(place)
        // Its folder is the operator's, or there is nothing.
        if (found === undefined) continue
        where = found
        await withFirstAbort([], PATIENCE_MS, (signal) => workspaces.forget(place, signal))
        removed += 1
      } catch (error) {
        left.push({ session, where, why: messageOf(error) })
      }
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  return { removed, left }
}

function whereOf(place: WorkspaceSession): string | undefined {
  const { workspace } = place
  if (workspace.kind === 'git') return `${sessionSnapshotRef(place)} in ${workspace.remote}`
  if (workspace.kind !== 'archive') return undefined
  return `objects below ${archivePrefix(workspace, place)} in the bucket ${workspace.bucket} of ${workspace.endpoint}`
}
