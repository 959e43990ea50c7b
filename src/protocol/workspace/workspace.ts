/** What the tools of a session work on: the files they read and change, and where their commands run. */
import type { WorkspaceFiles } from './workspace-files.js'
import type { WorkspaceProcesses } from './workspace-processes.js'

/** Where the agent's tools work: the files they see and the programs they start. */
export interface Workspace {
  /** The files. */
  readonly files: WorkspaceFiles
  /** The programs. */
  readonly processes: WorkspaceProcesses
}

/** Called once per session with the workspace of this machine, which it may put something in front of, or leave alone. */
export type MakeWorkspace = (local: Workspace) => Workspace
