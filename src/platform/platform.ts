/** The world below the agent, as one object of small interfaces. Nothing above it imports `node:` modules. */
import type { Clock } from './clock.js'
import type { FileSystem } from './files/files.js'
import type { HttpClient } from './http/http.js'
import type { Identity } from './identity.js'
import type { ProcessRunner } from './processes/processes.js'

export interface Platform {
  readonly files: FileSystem
  readonly processes: ProcessRunner
  readonly http: HttpClient
  readonly clock: Clock
  readonly identity: Identity
}
