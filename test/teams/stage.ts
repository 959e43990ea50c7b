/** A team's folders on a real disk, and writers of it that know nothing of each other, as processes do. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeClock } from '../../src/platform/clock.js'
import { nodeFiles } from '../../src/platform/files/files.js'
import type { ProcessLockPorts } from '../../src/platform/files/process-lock.js'
import { createPlatformIdentity } from '../../src/platform/identity.js'
import { createFileLocks } from '../../src/teams/file-lock.js'
import { createMailboxes } from '../../src/teams/mailboxes.js'
import type { ListedTask } from '../../src/tools/task-list/change-task.js'
import { openSharedTaskList } from '../../src/tools/task-list/shared-task-list.js'

export const lockPorts: ProcessLockPorts & { files: typeof nodeFiles } = {
  files: nodeFiles,
  clock: nodeClock,
  token: createPlatformIdentity().uuid,
}

export type Ports = typeof lockPorts

/** What one process has of a team. */
export function openWriter(folder: string, ports: Ports = lockPorts, onAssigned?: (task: ListedTask) => void) {
  const { files, clock } = ports
  const whileLocked = createFileLocks(ports)
  return {
    mail: createMailboxes({ files, whileLocked, folder, now: clock.now, sleep: clock.sleep }),
    tasks: openSharedTaskList({
      files,
      whileLocked,
      folder: join(folder, 'tasks'),
      onAssigned: async (task) => onAssigned?.(task),
    }),
  }
}

export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'kedge-team-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
