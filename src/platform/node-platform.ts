/** The real platform. One object per session: connections, processes and ids are not shared between sessions. */
import type { MakeWorkspace } from '../protocol/workspace/workspace.js'
import { nodeClock } from './clock.js'
import { nodeFiles, workspaceDisk } from './files/files.js'
import { createHttpClient } from './http/node-http.js'
import { createPlatformIdentity } from './identity.js'
import { directNetwork } from './network/network.js'
import type { Platform, WorkspacePorts } from './platform.js'
import { toProcessRunner } from './processes/complete-processes.js'
import { createProcessRunner } from './processes/processes.js'

/** For who needs just these: one part to load instead of three. */
export { createPlatformIdentity, nodeClock }

export type PlatformOptions = {
  /** Stands behind the tools instead of this machine, or in front of it. */
  workspace?: MakeWorkspace | undefined
}

export function nodePlatform({ workspace }: PlatformOptions = {}): Platform {
  const processes = createProcessRunner()
  const local = { files: workspaceDisk, processes }
  return {
    files: nodeFiles,
    processes,
    http: createHttpClient(),
    network: directNetwork,
    clock: nodeClock,
    identity: createPlatformIdentity(),
    workspace: workspace ? made(workspace, local) : local,
  }
}

function made(workspace: MakeWorkspace, local: WorkspacePorts): WorkspacePorts {
  const { files, processes } = workspace(local)
  return { files, processes: processes === local.processes ? local.processes : toProcessRunner(processes) }
}
