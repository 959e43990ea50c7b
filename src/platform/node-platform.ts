/** The real platform. One object per session: connections and ids are not shared between sessions. */
import { nodeClock } from './clock.js'
import { nodeFiles } from './files.js'
import { createIdentity } from './identity.js'
import { createHttpClient } from './node-http.js'
import type { Platform } from './platform.js'
import { nodeProcesses } from './processes.js'

export function nodePlatform(): Platform {
  return {
    files: nodeFiles,
    processes: nodeProcesses,
    http: createHttpClient(),
    clock: nodeClock,
    identity: createIdentity(),
  }
}
