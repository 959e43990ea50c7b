/** The files of all sessions of a machine, each by what its row says about it. */
import { isAbsolute } from 'node:path'
import { KedgeError } from '../../errors.js'
import { createHttpClient } from '../../platform/http/node-http.js'
import { archiveWorkspace } from './archive/archive-workspace.js'
import { gitWorkspace } from './git/git-workspace.js'
import { emptyWorkspace, folderWorkspace } from './plain-workspaces.js'
import type { SessionWorkspace, SnapshotIndex, WorkspaceSession } from './session-workspace.js'
import { DEFAULT_WORKSPACE_LIMITS, type WorkspaceLimits, type WorkspaceMachine } from './workspace-machine.js'

export type WorkspaceOptions = {
  /** Name of this machine for sessions that are tied to a machine's folder. */
  name: string
  /** Where files of sessions are on this machine; made if it is not there. The same on all machines, if it can be. */
  root: string
  index: SnapshotIndex
  environment: Readonly<Record<string, string | undefined>>
  /** Default: variables of that name, if it begins with `KEDGE_SECRET_`. */
  secret?: (name: string, tenant: string) => string | undefined
  limits?: Partial<WorkspaceLimits>
}

/** Others are the worker's own. */
function fromEnvironment(environment: WorkspaceOptions['environment']): (name: string) => string | undefined {
  return (name) => (name.startsWith('KEDGE_SECRET_') ? environment[name] : undefined)
}

export function createWorkspaces(options: WorkspaceOptions): SessionWorkspace {
  const { name, root, index, environment, secret = fromEnvironment(environment), limits = {} } = options
  if (!isAbsolute(root)) throw new KedgeError('invalid_option', 'The folder for workspaces must be an absolute path.')
  const machine: WorkspaceMachine = {
    name,
    root,
    index,
    environment,
    secret,
    limits: { ...DEFAULT_WORKSPACE_LIMITS, ...limits },
  }
  const http = createHttpClient()
  const of = ({ workspace }: WorkspaceSession): SessionWorkspace => {
    switch (workspace.kind) {
      case 'none':
        return emptyWorkspace(machine)
      case 'folder':
        return folderWorkspace(machine, workspace)
      case 'git':
        return gitWorkspace(machine, workspace)
      case 'archive':
        return archiveWorkspace(machine, workspace, http)
    }
  }
  return {
    prepare: async (place, signal) => of(place).prepare(place, signal),
    save: async (place, seq, signal) => of(place).save(place, seq, signal),
    release: async (place, how) => of(place).release(place, how),
    forget: async (place, signal) => of(place).forget(place, signal),
  }
}
