/** The real platform. One object per session: connections, processes and ids are not shared between sessions. */
import { nodeClock } from './clock.js'
import { nodeFiles } from './files/files.js'
import { createHttpClient } from './http/node-http.js'
import { createIdentity } from './identity.js'
import type { Platform } from './platform.js'
import { createProcesses } from './processes/processes.js'

export function nodePlatform(): Platform {
  return {
    files: nodeFiles,
    processes: createProcesses(),
    http: createHttpClient(),
    clock: nodeClock,
    identity: createIdentity(),
  }
}
