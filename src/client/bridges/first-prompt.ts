/** The first prompt of a chat, for which there may be no session yet. */
import {
  type CallOptions,
  type Client,
  InvalidRequestError,
  type NewSession,
  NotFoundError,
  type PromptToSend,
} from '../public-client.js'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Sends a prompt, and creates the session if it doesn't exist. Returns the number of the log entry that has the prompt. */
export async function sendFirstPrompt(
  client: Client,
  session: string,
  prompt: PromptToSend,
  { create, signal }: CallOptions & { create: Omit<NewSession, 'id'> | undefined },
): Promise<number> {
  const send = async () => (await client.send(session, prompt, { signal })).seq
  try {
    return await send()
  } catch (error) {
    if (!create || !(error instanceof NotFoundError)) throw error
    if (!UUID.test(session))
      throw createInvalidRequestError(
        `The session ${JSON.stringify(session)} can't be created, because its id isn't a UUID.`,
        'Begin chats with crypto.randomUUID() as their id, or return the id of a session from `session`.',
      )
    await client.create({ id: session, ...create }, { signal })
    return send()
  }
}

/** Returns the error for what a page or program sent. */
export function createInvalidRequestError(message: string, fix: string): InvalidRequestError {
  return new InvalidRequestError({ code: 'invalid_request', message, fix, status: 400 })
}
