/**
 * The problem that a caller receives if something can't be done: RFC 9457, with a code for programs and a fix for
 * people.
 */
import { KedgeError } from '../../errors.js'

export const PROBLEMS = {
  invalid_request: [400, 'Correct the part that `detail` names; /v1/openapi.json describes the request.'],
  invalid_json: [400, 'Send valid JSON.'],
  unknown_parameter: [400, 'Remove the parameter; /v1/openapi.json lists those of each operation.'],
  invalid_import: [400, 'Export the session again: the file is damaged, or is not an export of Kedge.'],
  invalid_folder: [400, 'Use an existing folder below one of the folders that the server was started with (--root).'],
  invalid_option: [400, 'Correct the value that `detail` names.'],
  unsupported_agent: [400, 'Use one of the agents that GET /universal/v1/agents lists.'],
  unauthorized: [
    401,
    'Send the header `Authorization: Bearer TOKEN`. The server prints the path of its token file at start.',
  ],
  budget_spent: [402, 'An operator can raise the budget: kedge admin tenant --tenant NAME --budget DOLLARS'],
  forbidden_origin: [
    403,
    'Open the web app at the address the server listens on, or start the server with --allow-origin ORIGIN.',
  ],
  forbidden_host: [421, 'Use the address the server listens on, or start the server with --allow-host HOST.'],
  forbidden_scope: [403, 'Use a token with the scope that `detail` names.'],
  forbidden_session: [403, 'Use a token for this session.'],
  forbidden_update: [
    403,
    'Send only updates that the request suggests, with `"destination": "session"`. For other updates, use a token with the scope admin.',
  ],
  not_found: [404, 'Check the address; /v1/openapi.json lists all operations.'],
  session_not_found: [404, 'Use the id of a session that GET /v1/sessions lists.'],
  ask_not_found: [404, 'Use the id of a request that GET /v1/asks lists.'],
  prompt_not_found: [404, 'Use the id of a prompt that GET /v1/sessions/{session}/prompts lists.'],
  message_not_found: [404, 'Use the uuid of a message of this session.'],
  task_not_found: [404, 'Use the id of a task that GET /v1/sessions/{session}/tasks lists.'],
  file_not_found: [404, "Use the path of a file in the session's folders that its rules allow to read."],
  server_not_found: [404, 'Use the name of a server that GET /v1/sessions/{session}/mcp lists.'],
  connection_not_found: [404, 'Send the request `initialize` first, and again after a restart of the server.'],
  webhook_not_found: [404, 'Use the id of a webhook that GET /v1/webhooks lists.'],
  subscription_not_found: [404, 'Use the id of a subscription that GET /v1/push lists.'],
  token_not_found: [404, 'Use the id of a token that GET /v1/tokens lists.'],
  method_not_allowed: [405, 'Use one of the methods in the header `Allow`.'],
  request_timeout: [408, 'Send the whole request without pauses.'],
  already_answered: [409, 'Nothing is left to do: `by` names the person who answered first.'],
  ask_withdrawn: [409, 'Nothing is left to do: the agent no longer waits for this answer.'],
  session_in_use: [409, 'Close the session in the process that has it open, or use another id.'],
  session_fenced: [409, 'Send the request to the process that has taken over the session.'],
  after_unknown: [409, 'Read the log from the beginning (after=0): it has no such number.'],
  turn_over: [409, 'The turn has ended: check the session, and try again if you still need to.'],
  too_large: [413, 'Send less in one request, or start the server with a larger --max-body.'],
  unsupported_media_type: [415, 'Send JSON with `Content-Type: application/json`, not compressed.'],
  invalid_answer: [422, 'Send one of the answers that `detail` names.'],
  refused_by_agent: [422, 'Do what `detail` says: it has the reason why the agent rejected the request.'],
  upgrade_required: [426, 'Open a WebSocket, or ask with `Accept: text/event-stream`.'],
  too_many_failures: [429, 'Wait as long as `Retry-After` says, then use a valid token.'],
  internal: [500, 'Search the server log for the `request` id, and report the error.'],
  not_on_cluster: [501, "Change the session's app on the workers (`defineApp`), or use a server without a database."],
  agent_failed: [502, 'Read the error of the session: GET /v1/sessions/{session}.'],
  draining: [503, 'Send the request again after the server has restarted.'],
  tenant_paused: [503, 'An operator can let it continue: kedge admin tenant --tenant NAME --resume'],
  database_unavailable: [503, "Send the request again: the database doesn't answer at the moment."],
  too_many_readers: [503, 'Close an event stream that you no longer read, or wait.'],
  too_many_connections: [503, 'Close a connection that you no longer need (DELETE).'],
  too_many_sessions: [503, 'Close a session that you no longer need.'],
  storage_failed: [507, "Free some space on the server's disk."],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof PROBLEMS

export class HttpProblem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly more: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    code: ProblemCode,
    detail: string,
    { headers = {}, ...more }: { headers?: Record<string, string> } & Record<string, unknown> = {},
  ) {
    super(detail)
    this.code = code
    this.status = PROBLEMS[code][0]
    this.more = more
    this.headers = headers
  }

  toJson(): Record<string, unknown> {
    const { code, status, message: detail, more } = this
    const title = code.replaceAll('_', ' ')
    return { type: `urn:kedge:problem:${code}`, title, status, detail, code, fix: PROBLEMS[code][1], ...more }
  }
}

const FROM_LIBRARY: Partial<Record<string, ProblemCode>> = {
  session_not_found: 'session_not_found',
  session_id_unknown: 'session_not_found',
  session_in_use: 'session_in_use',
  session_fenced: 'session_fenced',
  session_closed: 'draining',
  ask_not_found: 'ask_not_found',
  prompt_not_found: 'prompt_not_found',
  message_not_found: 'message_not_found',
  invalid_answer: 'invalid_answer',
  invalid_option: 'invalid_option',
  unsupported_option: 'invalid_option',
  invalid_cwd: 'invalid_folder',
  control_error: 'refused_by_agent',
  not_supported_yet: 'refused_by_agent',
  query_closed: 'turn_over',
  aborted: 'turn_over',
  transport_closed: 'turn_over',
  process_exited: 'agent_failed',
  process_signaled: 'agent_failed',
  spawn_failed: 'agent_failed',
  log_failed: 'storage_failed',
  session_store_failed: 'storage_failed',
  not_on_cluster: 'not_on_cluster',
  budget_spent: 'budget_spent',
  tenant_paused: 'tenant_paused',
  database_unreachable: 'database_unavailable',
  database_full: 'database_unavailable',
  database_disk_full: 'storage_failed',
}

/** Errors of the library say themselves what is wrong; of anything else the caller learns nothing but an id. */
export function toProblem(error: unknown, request: string): HttpProblem {
  if (error instanceof HttpProblem) return error
  if (KedgeError.isInstance(error)) {
    const code = FROM_LIBRARY[error.code]
    if (code) return new HttpProblem(code, error.message)
  }
  const { code } = error as { code?: unknown } // Node's own have one
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS')
    return new HttpProblem('storage_failed', "The server couldn't write to its disk.")
  return new HttpProblem('internal', 'Internal error.', { request })
}

/** `type`: another name for the same kind of problem, for clients that know it by that. */
export function problemResponse(problem: HttpProblem, type?: string): Response {
  return new Response(JSON.stringify({ ...problem.toJson(), ...(type === undefined ? {} : { type }) }), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
  })
}
