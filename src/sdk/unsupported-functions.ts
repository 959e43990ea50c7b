/** Names of the 0.3 line without a counterpart here: a call is an error that names it, so that nobody believes it took effect. */
import { KedgeError } from '../errors.js'
import type { UnsupportedMethod } from '../protocol/query.js'

/** Refused when called: Kedge does not have it. */
export const matchDeniedModels = refuse('matchDeniedModels')
/** Refused when called: `startup()` makes an agent ready for a folder that is known. */
export const prewarm = refuse('prewarm', 'startup() makes an agent ready for a folder that is known.')

export const UNSUPPORTED_QUERY_METHODS = {
  updateSettings: refuse('updateSettings'),
  reinitialize: refuse('reinitialize', 'initializationResult() has what the agent said at its start.'),
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: refuse(
    'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET',
    'Every result has what was used and its cost.',
  ),
  reloadPlugins: refuse('reloadPlugins'),
  reloadSkills: refuse('reloadSkills'),
  reloadOutputStyles: refuse('reloadOutputStyles'),
}

function refuse(name: string, instead = ''): UnsupportedMethod {
  return async () => {
    const text = `${name}() is not supported by this version of Kedge. ${instead}`
    throw new KedgeError('not_supported_yet', text.trim())
  }
}
