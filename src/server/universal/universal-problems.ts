/** Problems as clients of the universal API know them: the same, under its own names. Pure. */
import type { ProblemCode } from '../api/problems.js'

const TYPES: Partial<Record<ProblemCode, string>> = {
  unauthorized: 'token_invalid',
  too_many_failures: 'token_invalid',
  forbidden_scope: 'permission_denied',
  forbidden_session: 'permission_denied',
  forbidden_update: 'permission_denied',
  forbidden_origin: 'permission_denied',
  session_not_found: 'session_not_found',
  session_in_use: 'session_already_exists',
  already_answered: 'conflict',
  ask_withdrawn: 'conflict',
  unsupported_agent: 'unsupported_agent',
  unsupported_media_type: 'unsupported_media_type',
  agent_failed: 'agent_process_exited',
  request_timeout: 'timeout',
  internal: 'stream_error',
}

export function toUniversalProblemUrn(code: ProblemCode): string {
  return `urn:sandbox-agent:error:${TYPES[code] ?? 'invalid_request'}`
}
