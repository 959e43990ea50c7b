/** Our errors in the words of JSON-RPC: a number clients know, our text, and our `code` in the data. */
import { RequestError } from '@agentclientprotocol/sdk/unstable'
import { KedgeError, type KedgeErrorCode } from '../errors.js'
import { messageOf } from '../protocol/thrown.js'

const NOT_FOUND = -32002
const INVALID_PARAMS = -32602
const AUTH_REQUIRED = -32000
const INTERNAL = -32603

const CODES: Partial<Record<KedgeErrorCode, number>> = {
  session_not_found: NOT_FOUND,
  message_not_found: NOT_FOUND,
  ask_not_found: NOT_FOUND,
  prompt_not_found: NOT_FOUND,
  invalid_option: INVALID_PARAMS,
  unsupported_option: INVALID_PARAMS,
  invalid_cwd: INVALID_PARAMS,
  invalid_answer: INVALID_PARAMS,
  session_in_use: INVALID_PARAMS,
  not_supported_yet: INVALID_PARAMS,
}

export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  if (KedgeError.isInstance(error))
    return new RequestError(CODES[error.code] ?? INTERNAL, error.message, { code: error.code })
  return new RequestError(INTERNAL, messageOf(error))
}

export const NO_CREDENTIAL_MESSAGE =
  'There is no credential for the model. Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN where the editor starts `kedge acp`; `kedge doctor` shows what is used.'

export function createAuthRequiredError(message = NO_CREDENTIAL_MESSAGE): RequestError {
  return new RequestError(AUTH_REQUIRED, message, { code: 'not_authenticated' })
}

export function createUnknownSessionError(session: string): RequestError {
  return new RequestError(
    NOT_FOUND,
    `There is no session ${session}: begin one with session/new, or open it with session/load.`,
    {
      code: 'session_not_found',
      uri: session,
    },
  )
}

export function createInvalidParamsError(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message, { code: 'invalid_option' })
}
