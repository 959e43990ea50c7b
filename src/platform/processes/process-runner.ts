/** Child processes as a port: a workspace's, with everything that may be left out of those filled in. */
import type { WorkspaceProcesses } from '../../protocol/workspace/workspace-processes.js'

export type {
  OutputTaker,
  ProcessEnd,
  ProcessInput,
  ProcessRunResult,
  RunningProcess,
  RunProcessOptions,
  StartProcessOptions,
} from '../../protocol/workspace/workspace-processes.js'

/** The processes of one session. */
export type ProcessRunner = Required<WorkspaceProcesses>
