/** A hub on this machine: agents in this process, logs beside the transcripts. */
import { sha256 } from '../platform/files/content-hash.js'
import { nodeFiles } from '../platform/files/files.js'
import { homeFolder } from '../platform/home.js'
import { createIdentity, nodeClock } from '../platform/node-platform.js'
import { processOwners } from '../platform/processes/process-owner.js'
import type { Options } from '../protocol/options.js'
import * as trust from '../sdk/folder-trust.js'
import * as sessions from '../sdk/session-functions.js'
import { query } from '../sdk/start-query.js'
import { companionFolder, configFolder, projectsFolder, transcriptPath } from '../sessions/location.js'
import { fileLogStore } from './file-log-store.js'
import { Hub } from './hub.js'
import type { HubStore } from './log-store.js'

export type HubOptions = {
  /** For every agent; what a session is created or opened with comes on top. */
  options?: Options
  /** How long an ask waits for an answer before it counts as a no. Default: for as long as it takes. */
  askTimeoutMs?: number
  /** Where logs are kept. Default: beside the transcripts. */
  store?: HubStore
}

export function createHub({ options = {}, askTimeoutMs, store = logsBesideTranscripts() }: HubOptions = {}): Hub {
  const { uuid } = createIdentity()
  return new Hub({
    ...{ store, library: { ...sessions, ...trust }, options, askTimeoutMs, clock: nodeClock, newId: uuid },
    hash: (text) => sha256(new TextEncoder().encode(text)),
    startQuery: (given) => query({ prompt: null, options: given }),
  })
}

function logsBesideTranscripts(): HubStore {
  const { env } = process
  const configDir = configFolder(env, homeFolder(env))
  return fileLogStore({
    ...{ files: nodeFiles, clock: nodeClock, owners: processOwners, token: createIdentity().uuid },
    projects: projectsFolder(configDir),
    folderOf: (session, cwd) => companionFolder(transcriptPath({ configDir, cwd }, session)),
  })
}
