/** What `kedge attach` is given: an address with a token, a session, or both; the server on this machine if nothing else is said. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { KedgeError } from '../../errors.js'
import { homeFolder } from '../../platform/home.js'
import { configFolder } from '../../sessions/transcript-paths.js'
import type { ServerAddress } from './server-backend.js'

const HERE = 'http://127.0.0.1:4141'
const SESSION = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

export function resolveAttachTarget(
  { target, token }: { target: string; token: string | undefined },
  env: NodeJS.ProcessEnv,
): { place: ServerAddress; session: string | undefined } {
  const isUrl = /^https?:\/\//.test(target)
  const [session] = SESSION.exec(target) ?? []
  if (target !== '' && !isUrl && session === undefined)
    throw new KedgeError('invalid_option', `${target} is neither an address nor the id of a session.`)
  const { origin, hash } = new URL(isUrl ? target : HERE)
  const [, inUrl] = /[#&]token=([^&]+)/.exec(hash) ?? []
  const found = token ?? inUrl ?? env['KEDGE_SERVER_TOKEN'] ?? kept(env)
  if (found === undefined)
    throw new KedgeError(
      'invalid_option',
      'Attaching needs the token of the server: --token, KEDGE_SERVER_TOKEN, or the address with #token=…',
    )
  return { place: { url: origin, token: found }, session }
}

/** Returns the token of this machine's server, run by the same user. */
function kept(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return readFileSync(join(configFolder(env, homeFolder(env)), 'server', 'token'), 'utf8').trim()
  } catch {
    return undefined
  }
}
