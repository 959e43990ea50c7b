/**
 * The problem that a caller receives if something can't be done: RFC 9457, with a code for programs and a fix for
 * people.
 */
import { KedgeError } from '../../errors.js'

export const PROBLEMS = {
  invalid_request: [400, 'Send what the API document says; `detail` names the part that is wrong.'],
  invalid_json: [400, 'Send valid JSON.'],
  unknown_parameter: [400, 'Leave it out; /v1/openapi.json has the parameters of each operation.'],
  invalid_import: [400, 'Export it again: the file is damaged, or was made by somebody else.'],
  invalid_folder: [400, 'Give an existing folder under one of the folders the server was started with (--root).'],
  invalid_option: [400, 'Correct the value that `detail` names.'],
  unsupported_agent: [400, 'See GET /universal/v1/agents for those there are.'],
  unauthorized: [
    401,
    'Send the header `Authorization: Bearer TOKEN`; the token is in the file the server named at start.',
  ],
  budget_spent: [402, 'An operator can raise the budget: kedge admin tenant --tenant NAME --budget DOLLARS'],
  forbidden_origin: [403, 'Open the page from the address the server listens on, or start it with --allow-origin.'],
  forbidden_host: [421, 'Use the address the server listens on, or start it with --allow-host.'],
  forbidden_scope: [403, 'Use a token with the scope that `detail` names.'],
  forbidden_session: [403, 'This token is for other sessions.'],
  forbidden_update: [
    403,
    'Send an `update` of the suggestions, with `"destination": "session"`; for anything else use a token with the scope admin.',
  ],
  not_found: [404, 'See /v1/openapi.json for what there is.'],
  session_not_found: [404, 'See GET /v1/sessions for those there are.'],
  ask_not_found: [404, 'See GET /v1/asks for those that are open.'],
  prompt_not_found: [404, 'See GET /v1/sessions/{session}/prompts for those that wait.'],
  message_not_found: [404, 'Use the uuid of a message of this session.'],
  task_not_found: [404, 'See GET /v1/sessions/{session}/tasks for those there are.'],
  file_not_found: [404, 'Give the path of a file inside the folders of the session that may be read.'],
  server_not_found: [404, 'See GET /v1/sessions/{session}/mcp for the servers there are.'],
  connection_not_found: [
    404,
    'Begin with a request `initialize`, or again with it: the server may have been restarted.',
  ],
  webhook_not_found: [404, 'See GET /v1/webhooks for those there are.'],
  subscription_not_found: [404, 'See GET /v1/push for those there are.'],
  token_not_found: [404, 'See GET /v1/tokens for those there are.'],
  method_not_allowed: [405, 'Use one of the methods in the header `Allow`.'],
  request_timeout: [408, 'Send the whole request at once.'],
  already_answered: [409, 'Nothing is left to do: `by` names the person who answered first.'],
  ask_withdrawn: [409, 'Nothing is left to do: the agent no longer waits for this answer.'],
  session_in_use: [409, 'Another process has this session open, or the id is taken: close it there or use another id.'],
  session_fenced: [409, 'Another process took the session over: ask there.'],
  after_unknown: [409, 'Read from the beginning (after=0): the log has no such number.'],
  turn_over: [409, 'It has ended meanwhile: look at the session and try again if it is still wanted.'],
  too_large: [413, 'Send less at once.'],
  unsupported_media_type: [415, 'Send JSON with `Content-Type: application/json`, not compressed.'],
  invalid_answer: [422, 'Look at the ask again: `detail` says which answers fit.'],
  refused_by_agent: [422, 'The agent refused it: `detail` says why.'],
  upgrade_required: [426, 'Open a WebSocket, or ask with `Accept: text/event-stream`.'],
  too_many_failures: [429, 'Wait as long as `Retry-After` says; then use the right token.'],
  internal: [500, 'Look for the `request` id in the log of the server, and report it.'],
  not_on_cluster: [501, 'Change the app that workers have, or ask a server that runs agents itself.'],
  agent_failed: [502, 'Look at the error of the session: GET /v1/sessions/{session}.'],
  draining: [503, 'The server is about to end: send it again after the restart.'],
  tenant_paused: [503, 'An operator can let it continue: kedge admin tenant --tenant NAME --resume'],
  database_unavailable: [503, 'Send it again: the database does not answer just now.'],
  too_many_readers: [503, 'Close a stream that nobody reads, or wait.'],
  too_many_connections: [503, 'Close one that is not needed (DELETE).'],
  too_many_sessions: [503, 'Close a session that is not needed now.'],
  storage_failed: [507, 'Make room on the disk of the server.'],
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
  return new HttpProblem('internal', 'Something went wrong here.', { request })
}

/** `type`: another name for the same kind of problem, for clients that know it by that. */
export function problemResponse(problem: HttpProblem, type?: string): Response {
  return new Response(JSON.stringify({ ...problem.toJson(), ...(type === undefined ? {} : { type }) }), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
  })
}
