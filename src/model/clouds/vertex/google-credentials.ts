/** Credentials for Google: a token from wherever Google's own tools find one, else from the user's login command. */
import { runOwnProgram } from '../../../platform/programs/run-own-program.js'
import { isObject } from '../../../protocol/json.js'
import { parseJson } from '../../client/parse-json.js'
import type { CloudSetup } from '../../provider.js'
import {
  type BearerToken,
  type CachedCredential,
  type CredentialSearchOutcome,
  cacheCredential,
} from '../cached-credential.js'
import { findCredentialCommand, runCredentialCommand } from '../user-command.js'

export type GoogleToken = BearerToken & { project?: string | undefined }

export interface GoogleCredentials extends CachedCredential<GoogleToken> {
  refused(): void
}

const CHAIN = "Google's application default credentials"
const LIMIT_MS = 60_000

/** Creates the source of Google Cloud credentials. `wantsProject`: nobody has said whose project it is. */
export function createGoogleCredentials(setup: CloudSetup, wantsProject: boolean): GoogleCredentials {
  let isRefused = false

  async function logIn(signal: AbortSignal): Promise<boolean> {
    const command = findCredentialCommand(setup, 'gcpAuthRefresh')
    return command !== undefined && (await runCredentialCommand(setup, 'gcpAuthRefresh', command, signal)).ok
  }
  async function find(signal: AbortSignal): Promise<CredentialSearchOutcome<GoogleToken>> {
    const ended = await runOwnProgram(setup.platform.processes, 'google-token', {
      args: wantsProject ? ['project'] : [],
      env: setup.env,
      cwd: setup.cwd,
      timeoutMs: LIMIT_MS,
      signal,
    }).catch(() => undefined)
    if (!ended) return { reason: `${CHAIN} could not be asked: this installation misses a part.` }
    const answer = parseJson(ended.stdout)
    const found = isObject(answer) ? answer : {}
    const { token, expiresAt, project, reason } = found
    if (typeof token !== 'string') {
      return { reason: `${CHAIN}: ${typeof reason === 'string' ? reason.slice(0, 500) : 'no answer'}` }
    }
    return {
      token,
      from: CHAIN,
      ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
      ...(typeof project === 'string' ? { project } : {}),
    }
  }
  const kept = cacheCredential<GoogleToken>(setup.platform.clock, async (signal) => {
    const wasRefused = isRefused
    isRefused = false
    if (wasRefused) await logIn(signal)
    const found = await find(signal)
    return 'token' in found || wasRefused || !(await logIn(signal)) ? found : find(signal)
  })
  return {
    ...kept,
    refused() {
      isRefused = true
      kept.forget()
    },
  }
}
