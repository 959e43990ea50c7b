/** Which door to the models the variables of a session ask for; what contradicts itself is refused by name. */

import { ConfigurationError } from '../../errors.js'
import type { Environment } from '../../platform/environment.js'
import { readSwitch } from '../../platform/switch.js'

export type CloudName = 'bedrock' | 'mantle' | 'anthropicAws' | 'vertex' | 'foundry'

export const CLOUD_SWITCH_VARIABLES: Readonly<Record<CloudName, string>> = {
  bedrock: 'CLAUDE_CODE_USE_BEDROCK',
  mantle: 'CLAUDE_CODE_USE_MANTLE',
  anthropicAws: 'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  vertex: 'CLAUDE_CODE_USE_VERTEX',
  foundry: 'CLAUDE_CODE_USE_FOUNDRY',
}
const NAMES: readonly CloudName[] = ['bedrock', 'mantle', 'anthropicAws', 'vertex', 'foundry']

/** `withMantle`: models by their Mantle names go there, all others to the runtime. */
export type CloudChoice = { cloud: CloudName; withMantle: boolean }

/** Returns the cloud that the environment chooses. Undefined when none is asked for. Throws a `ConfigurationError`. */
export function readCloudChoice(env: Environment): CloudChoice | undefined {
  const on = NAMES.filter((name) => isSwitchedOn(env, CLOUD_SWITCH_VARIABLES[name]))
  const [first, ...others] = on
  if (first === undefined) return undefined
  if (on.join() === 'bedrock,mantle') return { cloud: 'bedrock', withMantle: true }
  const withoutPlatform = on.filter((name) => name !== 'anthropicAws')
  const [winner] = withoutPlatform
  // Documented: these two win over the vendor's platform there.
  if (withoutPlatform.length === 1 && (winner === 'bedrock' || winner === 'foundry'))
    return { cloud: winner, withMantle: false }
  if (others.length === 0) return { cloud: first, withMantle: first === 'mantle' }
  const names = on.map((name) => CLOUD_SWITCH_VARIABLES[name])
  throw new ConfigurationError(
    names[0] ?? '',
    `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are set: prompts can go to one cloud only. Unset all but one.`,
  )
}

export function isSwitchedOn(env: Environment, name: string): boolean {
  const asked = readSwitch(env[name])
  if (asked !== undefined) return asked
  const shown = JSON.stringify((env[name] ?? '').slice(0, 40))
  throw new ConfigurationError(name, `${name} must be 1 or 0, not ${shown}.`)
}
