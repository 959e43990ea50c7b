/** What a route answers if it can't stream: text, which the libraries show as it is. */
import { ClientError } from '../public-client.js'
import { errorSentence, type FollowTurnOptions } from './follow-turn.js'

export function createRefusalResponse(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

/** Answers an error of the client. Throws another one again: it's of the program around it, and not for the browser. */
export function refusalResponseOfError(
  error: unknown,
  describeError: FollowTurnOptions['describeError'] = errorSentence,
): Response {
  if (!(error instanceof ClientError)) throw error
  const { status } = error
  // What isn't allowed is so for the token of this server, not for the user.
  const isOwn = status < 400 || status === 401 || status === 403
  return createRefusalResponse(isOwn ? 502 : status, describeError(error))
}
