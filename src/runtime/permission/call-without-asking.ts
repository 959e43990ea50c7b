/** A tool call of our own, for what the user's words refer to: judged like one of the model, but nobody is asked and nobody is told. */

import type { CallResult } from '../../engine/finished-call.js'
import { runToolCalls } from '../../engine/tool-calls.js'
import type { Conversation } from '../conversation.js'

export type UnaskedCallResult = {
  result: CallResult | undefined
  /** What it would have taken to run it was a permission. */
  denied: boolean
}

export async function runCallWithoutAsking(
  { ports, shared: { platform } }: Conversation,
  name: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<UnaskedCallResult> {
  let denied = false
  const { results } = await runToolCalls(
    [{ call: { id: `toolu_${platform.identity.hex(24)}`, name, input } }],
    {
      ...ports,
      permissions: { ...ports.permissions, ask: async () => undefined },
      emit(event) {
        if (event.type === 'denied') denied = true
      },
    },
    signal,
  )
  return { result: results[0], denied }
}
