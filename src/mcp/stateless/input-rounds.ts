/**
 * Requests that take several rounds (revision 2026-07-28): a server that needs an answer of the user, or of the model, says
 * so in its result, and the same request is sent again with the answer and with the state the server gave along. Between
 * two rounds nothing is open: what waits is a plain value, which another process can keep, answer and send.
 */
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { McpPausedRequest } from '../../protocol/mcp/mcp-paused-request.js'
import { cleanServerLine } from '../clean-text.js'
import { McpError } from '../mcp-error.js'

/** A paused request before it is said whose it is. */
export type McpUnboundRequest = Omit<McpPausedRequest, 'server' | 'identity'>

export type InputRoundPorts = {
  /** Sends the request with these parameters; resolves with the server's answer, whatever its type. */
  send(params: JsonObject): Promise<JsonObject>
  /** Answers one question of a round. `key` is the same if the question is asked again. */
  answer(method: string, params: JsonObject, signal: AbortSignal, key: string): Promise<JsonObject>
  /** Keeps a round before a user is asked; undefined: its answers are about to be sent. */
  keep?(waiting: McpUnboundRequest | undefined): Promise<void>
  /** Resolves after so many ms, or when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  signal?: AbortSignal | undefined
}

/** Requests that a server may answer with questions. */
const METHODS: readonly string[] = ['tools/call', 'prompts/get', 'resources/read']
/** Questions that a server may ask. */
const QUESTIONS: readonly string[] = ['elicitation/create', 'sampling/createMessage', 'roots/list']
const MAX_ROUNDS = 10
const MAX_QUESTIONS = 16
/** As characters; it is kept, and sent with every round. */
const MAX_STATE = 1024 * 1024
/** A server that only wants to be asked again has so long until then. */
const PAUSE_MS = 250

/** The answer of a host that leaves a question open; it never goes to a server. */
export const isParkedAnswer = (method: string, answer: JsonObject): boolean =>
  method === 'elicitation/create' && answer['action'] === 'park'

export const isInputRequired = (answer: JsonObject): boolean => answer['resultType'] === 'input_required'

/**
 * Resolves with the answer of the last round. Rejects with an `McpError`, or with why a question has no answer. `earlier`:
 * how many rounds an earlier process had. Rejects with `mcp_parked` if no user answers now.
 */
export async function answerInputRounds(
  first: JsonObject,
  origin: Pick<McpPausedRequest, 'method' | 'params'>,
  ports: InputRoundPorts,
  earlier = 0,
): Promise<JsonObject> {
  let answer = first
  for (let round = earlier; isInputRequired(answer); round += 1) {
    if (round >= MAX_ROUNDS) throw wrong(`asked for more in ${MAX_ROUNDS} rounds and came to no end`)
    const paused = readPaused(answer, origin, round)
    if (Object.keys(paused.inputRequests).length === 0) await ports.sleep(PAUSE_MS, ports.signal)
    const asksUser = Object.values(paused.inputRequests).some(({ method }) => method === 'elicitation/create')
    if (asksUser) await ports.keep?.(paused)
    const inputResponses = await answerAll(paused, ports)
    if (ports.signal?.aborted) throw new McpError('mcp_cancelled', `${origin.method} was canceled.`)
    if (asksUser) await ports.keep?.(undefined)
    answer = await ports.send(resumedParams({ ...paused, inputResponses }))
  }
  return answer
}

/** Returns the answer of a server that a request was left with, as if it came now. */
export function inputAnswerOf({ inputRequests, requestState }: McpUnboundRequest): JsonObject {
  const state = requestState === undefined ? {} : { requestState }
  return { resultType: 'input_required', inputRequests, ...state }
}

/** Returns the parameters of the next round: those of the first, the answers, and the server's state as it was given. */
export function resumedParams({ params, inputResponses, requestState }: McpUnboundRequest): JsonObject {
  const hasAnswers = Object.keys(inputResponses).length > 0
  return {
    ...params,
    ...(hasAnswers ? { inputResponses } : {}),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

/**
 * All at once, because they don't depend on each other. One that can't be answered ends the others; one that is parked
 * doesn't.
 */
async function answerAll(paused: McpUnboundRequest, ports: InputRoundPorts): Promise<Record<string, JsonObject>> {
  const round = new AbortController()
  const stop = () => round.abort(ports.signal?.reason)
  ports.signal?.addEventListener('abort', stop, { once: true })
  if (ports.signal?.aborted) stop()
  const answers = new Map<string, JsonObject>()
  let isParked = false
  try {
    await Promise.all(
      Object.entries(paused.inputRequests).map(async ([key, { method, params }]) => {
        const answer = await ports.answer(
          method,
          params,
          round.signal,
          `${paused.round} ${key} ${JSON.stringify(params)}`,
        )
        if (isParkedAnswer(method, answer)) isParked = true
        answers.set(key, answer)
      }),
    )
    if (isParked) throw new McpError('mcp_parked', 'The question is left open.')
    return Object.fromEntries(answers)
  } catch (problem) {
    round.abort()
    throw problem
  } finally {
    ports.signal?.removeEventListener('abort', stop)
  }
}

function readPaused(
  answer: JsonObject,
  origin: Pick<McpPausedRequest, 'method' | 'params'>,
  round: number,
): McpUnboundRequest {
  if (!METHODS.includes(origin.method)) throw wrong(`asked for input to ${origin.method}, which takes none`)
  const { inputRequests, requestState } = answer
  const entries = isObject(inputRequests) ? Object.entries(inputRequests) : []
  if (entries.length > MAX_QUESTIONS) throw wrong(`asked more than ${MAX_QUESTIONS} questions at once`)
  if (requestState !== undefined && typeof requestState !== 'string') throw wrong('gave a state that is not a text')
  if (requestState !== undefined && requestState.length > MAX_STATE) throw wrong('gave a state of more than 1 MB')
  if (entries.length === 0 && requestState === undefined)
    throw wrong('asked for input, and said neither what nor where')
  return {
    ...origin,
    inputRequests: Object.fromEntries(
      entries.map(([key, question]) => {
        const { method, params } = isObject(question) ? question : {}
        if (typeof method !== 'string' || !QUESTIONS.includes(method))
          throw wrong(`asked something that nobody here answers: ${cleanServerLine(String(method), 60)}`)
        return [key, { method, params: isObject(params) ? params : {} }]
      }),
    ),
    inputResponses: {},
    round,
    ...(requestState === undefined ? {} : { requestState }),
  }
}

function wrong(what: string): McpError {
  return new McpError('mcp_invalid_answer', `The server ${what}.`)
}
