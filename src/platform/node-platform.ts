/** The real platform. One object per session: connections, processes and ids are not shared between sessions. */
import { nodeClock } from './clock.js'
import { nodeFiles } from './files.js'
import { createIdentity } from './identity.js'
import { createHttpClient } from './node-http.js'
import type { Platform } from './platform.js'
import { createProcesses } from './processes.js'

export function nodePlatform(): Platform {
  return {
    files: nodeFiles,
    processes: createProcesses(),
    http: createHttpClient(),
    clock: nodeClock,
    identity: createIdentity(),
  }
}
