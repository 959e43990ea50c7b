/** Names of the 0.3 line without a counterpart here: a call is an error that names it, so that nobody believes it took effect. */
import { KedgeError } from '../errors.js'

/** Refused when called: Kedge does not have it. */
export const matchDeniedModels = refuse('matchDeniedModels')
/** Refused when called: `startup()` makes an agent ready for a folder that is known. */
export const prewarm = refuse('prewarm', 'startup() makes an agent ready for a folder that is known.')

function refuse(name: string, instead = ''): (...given: readonly unknown[]) => Promise<never> {
  return async () => {
    const text = `${name}() is not supported by this version of Kedge. ${instead}`
    throw new KedgeError('not_supported_yet', text.trim())
  }
}
