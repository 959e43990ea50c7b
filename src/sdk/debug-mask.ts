/** What may not be shown of a query: secrets of its environment, and those its options carry. Loaded only where lines are shown. */
import { secretValues } from '../protocol/option-table/secrets.js'
import type { Options } from '../protocol/options.js'
import { createMask, variablesIn } from '../transport/mask.js'
import type { CallerWorld } from './agent-connection.js'

export function maskOf(options: Options, env: CallerWorld['env']): (text: string) => string {
  return createMask(env, ...variablesIn(secretValues(options)))
}
