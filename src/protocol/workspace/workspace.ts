/** What the tools of a session work on: the files they read and change, and where their commands run. */
import type { WorkspaceFiles } from './workspace-files.js'
import type { WorkspaceProcesses } from './workspace-processes.js'

export interface Workspace {
  readonly files: WorkspaceFiles
  readonly processes: WorkspaceProcesses
}

/** Called once per session with the workspace of this machine, which it may put something in front of, or leave alone. */
export type MakeWorkspace = (local: Workspace) => Workspace
