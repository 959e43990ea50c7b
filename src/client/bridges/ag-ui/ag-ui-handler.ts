/** The address that an AG-UI client calls on your own server: each run is a turn of a session on a Kedge server. */
import { isObject, textOrEmpty } from '../../../protocol/json.js'
import type { Client, NewSession } from '../../public-client.js'
import { sendFirstPrompt } from '../first-prompt.js'
import { createRefusalResponse, refusalResponseOfError } from '../route-refusals.js'
import { toServerSentEvents } from '../stream-of.js'
import type { AgUiEvent } from './ag-ui-events.js'
import { type AgUiRunInput, answerOfResume, messageText } from './known-messages.js'
import { type AgUiStreamOptions, toAgUiEvents } from './to-ag-ui-events.js'

/** Options of `createAgUiHandler()`. */
export type AgUiHandlerOptions = Pick<AgUiStreamOptions, 'lostAfterMs' | 'describeError'> & {
  /**
   * Returns the session of a thread, or `undefined` if the caller may not use it: look at the request's cookie or token
   * here, because Kedge's server only knows the token of `client`.
   */
  session: (threadId: string, request: Request) => string | undefined | Promise<string | undefined>
  /** Creates a session that doesn't exist yet with these settings. */
  create?: Omit<NewSession, 'id'>
}

/**
 * Returns a handler of requests for the address of an `HttpAgent`: it takes the last message of the user, or the answers to
 * the interrupts of the run before, and streams the run as server-sent events.
 */
export function createAgUiHandler(
  client: Client,
  { session, create, lostAfterMs, describeError }: AgUiHandlerOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const input = readInput(await request.json().catch(() => undefined))
      if (!input) return createRefusalResponse(400, 'The body is not the input of an AG-UI run.')
      const id = await session(input.threadId, request)
      if (id === undefined) return createRefusalResponse(403, 'This thread is not yours.')
      const { signal } = request
      const stream = await startRun(client, id, { input, create, options: { signal, lostAfterMs, describeError } })
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
      return new Response(toServerSentEvents(stream), { headers })
    } catch (error) {
      return refusalResponseOfError(error, describeError)
    }
  }
}

type Run = {
  input: AgUiRunInput
  create: AgUiHandlerOptions['create']
  options: Pick<AgUiStreamOptions, 'lostAfterMs' | 'describeError' | 'signal'>
}

async function startRun(
  client: Client,
  id: string,
  { input, create, options }: Run,
): Promise<ReadableStream<AgUiEvent>> {
  const { threadId, runId, messages, resume = [] } = input
  const session = client.session(id)
  const user = messages.findLast(({ role }) => role === 'user')
  const fields = { ...options, threadId, runId }
  const isPrompt = user !== undefined && messages.at(-1) === user && resume.length === 0
  if (!isPrompt) {
    const answered: string[] = []
    const open = resume.length === 0 ? [] : await client.asks({ session: id })
    for (const ask of open) {
      const entry = resume.find(({ interruptId }) => interruptId === ask.id)
      if (!entry) continue
      // Another user can have been first: the run shows which answer counts.
      await session.answer(ask, answerOfResume(ask, entry))
      answered.push(ask.id)
    }
    return toAgUiEvents(session, { ...fields, ...(user ? { prompt: user.id } : {}), messages, answered })
  }
  const prompt = { id: user.id, content: messageText(user.content) }
  const since = await sendFirstPrompt(client, id, prompt, { create, signal: options.signal })
  return toAgUiEvents(session, { ...fields, prompt: user.id, since })
}

function readInput(body: unknown): AgUiRunInput | undefined {
  if (!isObject(body)) return undefined
  const { threadId, runId, messages, resume } = body
  if (typeof threadId !== 'string' || typeof runId !== 'string' || !Array.isArray(messages)) return undefined
  const isMessage = (one: unknown): one is AgUiRunInput['messages'][number] =>
    isObject(one) && typeof one['id'] === 'string' && typeof one['role'] === 'string'
  if (!messages.every(isMessage)) return undefined
  const entries = (Array.isArray(resume) ? resume : []).filter(isObject).map((entry) => ({
    interruptId: textOrEmpty(entry['interruptId']),
    status: textOrEmpty(entry['status']),
    payload: entry['payload'],
  }))
  return { threadId, runId, messages, resume: entries }
}
