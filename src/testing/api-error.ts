/** Errors in the shape the Messages API gives them. */

export type ApiErrorBody = { type: 'error'; error: { type: string; message: string }; request_id: string }

/** The error body for a status, with the type and message the API uses for it unless others are given. */
export function apiError(
  status: number,
  requestId: string,
  error: { type?: string; message?: string } = {},
): ApiErrorBody {
  const [type, message] = defaults[status] ?? (status < 500 ? defaults[400] : defaults[500]) ?? ['api_error', 'Error']
  return {
    type: 'error',
    error: { type: error.type ?? type, message: error.message ?? message },
    request_id: requestId,
  }
}

const defaults: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'The request is invalid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'Your credit balance is too low.'],
  403: ['permission_error', 'Your API key may not use this resource.'],
  404: ['not_found_error', 'Not found'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', 'This request would exceed the rate limit.'],
  500: ['api_error', 'Internal server error'],
  504: ['timeout_error', 'The request timed out.'],
  529: ['overloaded_error', 'Overloaded'],
}
