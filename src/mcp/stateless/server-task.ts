/**
 * Calls that a server turns into a task (extension io.modelcontextprotocol/tasks): it names the task at once, and is asked
 * for the rest from time to time. Nothing is open in between, so the task outlives any connection.
 */
import type { Clock } from '../../platform/clock.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { cleanServerLine } from '../clean-text.js'
import { McpError } from '../mcp-error.js'

export type ServerTaskPorts = {
  clock: Pick<Clock, 'sleep'>
  /** Rejects with an `McpError`; a server that is on its way back is waited for. */
  request(method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject>
  /** Answers a question that the task waits for. */
  answer(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>
  /** The server's own word for how far it is. */
  onStatus(text: string): void
}

/** Milliseconds between two looks: what the server wishes, within these. */
const [MIN_POLL_MS, POLL_MS, MAX_POLL_MS] = [200, 2000, 60_000]
/** Looks in a row that may fail before it counts as lost. */
const MAX_FAILURES = 10
const MAX_LOOKS = 100_000
const MAX_ID = 1000
const MAX_QUESTIONS = 16

export const isServerTask = (answer: JsonObject): boolean => answer['resultType'] === 'task'

/** Resolves with the result of the call. Rejects with an `McpError`: failed, canceled, or lost. */
export async function followServerTask(
  created: JsonObject,
  ports: ServerTaskPorts,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { taskId } = created
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > MAX_ID)
    throw new McpError('mcp_invalid_answer', 'The server began a task without a name.')
  try {
    return await lookUntilItEnds(taskId, created, ports, signal)
  } catch (problem) {
    // Also in the middle of a look, or of a question.
    if (!signal.aborted) throw problem
    // Its server may go on as it likes; nobody waits for its word.
    void ports.request('tasks/cancel', { taskId }).catch(() => {})
    throw new McpError('mcp_cancelled', 'The task was canceled.')
  }
}

async function lookUntilItEnds(
  taskId: string,
  created: JsonObject,
  ports: ServerTaskPorts,
  signal: AbortSignal,
): Promise<JsonObject> {
  const asked = new Set<string>()
  let failures = 0
  let task = created
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const end = endOfTask(task)
    if (end) return end
    ports.onStatus(cleanServerLine(task['statusMessage'], 300))
    if (task['status'] === 'input_required') await answerTask(taskId, task, asked, ports, signal)
    await ports.clock.sleep(pollMs(task), signal)
    signal.throwIfAborted()
    try {
      task = await ports.request('tasks/get', { taskId }, signal)
      failures = 0
    } catch (problem) {
      failures += 1
      if (isFinal(problem) || failures >= MAX_FAILURES) throw problem
    }
  }
  throw new McpError('mcp_timeout', `The task came to no end in ${MAX_LOOKS} looks.`)
}

/** Undefined: it isn't over. */
function endOfTask({ status, result, error }: JsonObject): JsonObject | undefined {
  if (status === 'working' || status === 'input_required') return undefined
  if (status === 'completed') {
    if (isObject(result)) return result
    throw new McpError('mcp_invalid_answer', 'The server ended the task without a result.')
  }
  if (status === 'cancelled') throw new McpError('mcp_cancelled', 'The server canceled the task.')
  if (status !== 'failed')
    throw new McpError(
      'mcp_invalid_answer',
      `The task has a status that does not exist: ${cleanServerLine(String(status), 60)}`,
    )
  const { message } = isObject(error) ? error : {}
  const why = typeof message === 'string' ? message : 'no reason given'
  throw new McpError('mcp_refused', `The task failed: ${why.slice(0, 4000)}`)
}

async function answerTask(
  taskId: string,
  { inputRequests }: JsonObject,
  asked: Set<string>,
  ports: ServerTaskPorts,
  signal: AbortSignal,
): Promise<void> {
  const questions = isObject(inputRequests) ? Object.entries(inputRequests) : []
  // Until the server has seen an answer it repeats the question.
  const fresh = questions.filter(([key]) => !asked.has(key))
  if (asked.size + fresh.length > MAX_QUESTIONS)
    throw new McpError('mcp_invalid_answer', `The task asked more than ${MAX_QUESTIONS} questions.`)
  const inputResponses = new Map<string, JsonObject>()
  for (const [key, question] of fresh) {
    asked.add(key)
    const { method, params } = isObject(question) ? question : {}
    const given = isObject(params) ? params : {}
    inputResponses.set(key, await ports.answer(String(method), given, signal))
  }
  if (inputResponses.size > 0)
    await ports.request('tasks/update', { taskId, inputResponses: Object.fromEntries(inputResponses) }, signal)
}

/** The server has said its last word about it. */
function isFinal(problem: unknown): boolean {
  if (!(problem instanceof McpError)) return true
  return !['mcp_closed', 'mcp_timeout', 'mcp_session_lost'].includes(problem.code)
}

function pollMs({ pollIntervalMs }: JsonObject): number {
  const wished = typeof pollIntervalMs === 'number' && pollIntervalMs >= 0 ? pollIntervalMs : POLL_MS
  return Math.min(Math.max(wished, MIN_POLL_MS), MAX_POLL_MS)
}
