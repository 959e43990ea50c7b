/**
 * What is below the agent, as one object of small interfaces; nothing above it imports `node:` modules. It has two sides: the
 * agent's own process with its own files, and the workspace, which may be somewhere else.
 */
import type { WorkspaceFiles } from '../protocol/workspace/workspace-files.js'
import type { Clock } from './clock.js'
import type { FileSystem } from './files/file-system.js'
import type { HttpClient } from './http/http.js'
import type { PlatformIdentity } from './identity.js'
import type { NetworkSettings } from './network/network.js'
import type { ProcessRunner } from './processes/process-runner.js'

/** What the tools work on. */
export interface WorkspacePorts {
  readonly files: WorkspaceFiles
  /** Runs the processes of Bash and of hook commands. */
  readonly processes: ProcessRunner
}

/** The session's own side, and its workspace. */
export interface Platform {
  /** Transcripts, settings, what folders bring. */
  readonly files: FileSystem
  /** MCP servers, sandbox, helpers for keys. */
  readonly processes: ProcessRunner
  readonly http: HttpClient
  /** Whom connections lead through, and whom they believe. */
  readonly network: NetworkSettings
  readonly clock: Clock
  readonly identity: PlatformIdentity
  readonly workspace: WorkspacePorts
}

/** What tools get: the files and processes of the workspace, and no way around them. */
export type ToolPlatform = Pick<Platform, 'http' | 'clock' | 'identity'> & WorkspacePorts

export function toToolPlatform({ http, clock, identity, workspace }: Platform): ToolPlatform {
  return { http, clock, identity, ...workspace }
}
