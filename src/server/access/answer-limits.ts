/** What an answer can leave behind: with a lesser token only what the request suggests, and only for its session. */
import { isDeepStrictEqual } from 'node:util'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { HttpProblem } from '../api/problems.js'
import { type Caller, hasScope } from './access-tokens.js'

/**
 * Checks that a token covers an answer. Throws if the caller's token does not cover all of the answer. Nothing of the
 * answer is dropped silently.
 */
export function checkTokenCoversAnswer(caller: Caller, ask: Ask, answer: AskAnswer): void {
  if (answer.kind !== 'allow') return
  if (answer.input !== undefined && !hasScope(caller, 'prompt') && !isDeepStrictEqual(answer.input, ask.tool?.input))
    throw new HttpProblem('forbidden_scope', 'Changing the input of a call needs the scope prompt.')
  if (isFull(caller)) return
  for (const [at, update] of (answer.updates ?? []).entries()) {
    if (update.destination !== 'session')
      throw new HttpProblem(
        'forbidden_update',
        `updates/${at}: the token can change this session only, not settings files.`,
      )
    if (!ask.suggestions.some((one) => isDeepStrictEqual({ ...one.update, destination: 'session' }, update)))
      throw new HttpProblem('forbidden_update', `updates/${at}: the request does not suggest this update.`)
  }
}

/** Whether a token reaches beyond its sessions: to settings files and rules for other sessions. */
function isFull(caller: Caller): boolean {
  return hasScope(caller, 'admin') && caller.sessions === undefined
}
