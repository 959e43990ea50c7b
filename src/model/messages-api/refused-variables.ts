/** Variables of the original that change where prompts go or what watches over commands, and that Kedge can't honor yet. */

import { ConfigurationError } from '../../errors.js'
import type { Environment } from '../../platform/environment.js'
import { readSwitch } from '../../platform/switch.js'

/** By name, why one that is set must not be passed over in silence. */
export const REFUSED_VARIABLES: Readonly<Record<string, string>> = {
  CLAUDE_CODE_SHELL_PREFIX: 'commands would run without the program that is to wrap them',
}

/**
 * Rejects variables of the original that Kedge doesn't support. Throws a `ConfigurationError` for the first of them
 * that is set and does not say no.
 */
export function refuseVariables(env: Environment): void {
  for (const [name, why] of Object.entries(REFUSED_VARIABLES)) {
    if (readSwitch(env[name]) === false) continue
    const problem = `${name} is set, which Kedge does not support yet: ${why}. Unset it to go on without.`
    throw new ConfigurationError(name, problem)
  }
}
