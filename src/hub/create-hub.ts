/** A hub on this machine: agents in this process, logs beside the transcripts. */
import { sha256 } from '../platform/files/content-hash.js'
import { nodeFiles } from '../platform/files/files.js'
import { homeFolder } from '../platform/home.js'
import { createPlatformIdentity, nodeClock } from '../platform/node-platform.js'
import { join } from '../platform/paths.js'
import type { Options } from '../protocol/options.js'
import * as trust from '../sdk/folder-trust.js'
import * as sessions from '../sdk/session-functions.js'
import { configFolder, projectsFolder, sessionFilesFolder, transcriptPath } from '../sessions/transcript-paths.js'
import { Hub } from './hub.js'
import { fileLogStore } from './log/file-log-store.js'
import type { HubStore } from './log/log-store.js'
import { startSessionQuery } from './session-query.js'

export type HubOptions = {
  /** For every agent; what a session is created or opened with comes on top. */
  options?: Options
  /** How long an ask waits for an answer, in milliseconds, before it counts as denied. Default: no limit. */
  askTimeoutMs?: number
  /** One numbered stream over all sessions (`read('all')`); one process at a time may have it. */
  all?: boolean
  /** Asks stay open when the process ends or the hub does; an answer that comes later begins a turn. Default: withdrawn. */
  keepAsks?: boolean
  /** Where logs are kept. Default: beside the transcripts. */
  store?: HubStore
}

export function createHub(given: HubOptions = {}): Hub {
  const { options = {}, askTimeoutMs, all = false, keepAsks = false, store = logsBesideTranscripts() } = given
  const { uuid } = createPlatformIdentity()
  return new Hub({
    store,
    library: { ...sessions, ...trust },
    options,
    askTimeoutMs,
    all,
    keepAsks,
    clock: nodeClock,
    newId: uuid,
    hash: (text) => sha256(new TextEncoder().encode(text)),
    startQuery: startSessionQuery,
  })
}

function logsBesideTranscripts(): HubStore {
  const { env } = process
  const configDir = configFolder(env, homeFolder(env))
  return fileLogStore({
    files: nodeFiles,
    clock: nodeClock,
    token: createPlatformIdentity().uuid,
    projects: projectsFolder(configDir),
    feedFolder: join(configDir, 'hub'),
    folderOf: (session, cwd) => sessionFilesFolder(transcriptPath({ configDir, cwd }, session)),
  })
}
