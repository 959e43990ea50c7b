import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../../platform/http/http.js'
import {
  classifyErrorBody,
  classifyHttpError,
  classifyResponse,
  cutStreamFailure,
  notLoggedInFailure,
  redactSecrets,
  unexpectedResponseFailure,
} from './failure.js'

function refused(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return classifyResponse({ status, headers, body: text, model: 'claude-x', now: 0 })
}

const error = (type: string, message: string, more: object = {}) => ({
  type: 'error',
  error: { type, message, ...more },
  request_id: 'req_9',
})

test('texts, kinds and codes of refused requests', () => {
  const rows: [number, object, { kind: string; code: string; text?: string }][] = [
    [400, error('invalid_request_error', 'bad'), { kind: 'unknown', code: 'invalid_request' }],
    [
      400,
      error('invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'),
      { kind: 'invalid_request', code: 'prompt_too_long', text: 'Prompt is too long' },
    ],
    [
      400,
      error('invalid_request_error', 'input length and `max_tokens` exceed context limit: 1 + 2 > 2'),
      { kind: 'invalid_request', code: 'prompt_too_long', text: 'Prompt is too long' },
    ],
    [
      400,
      error('invalid_request_error', 'Your credit balance is too low to access the API'),
      { kind: 'billing_error', code: 'billing' },
    ],
    [
      400,
      error('invalid_request_error', 'You have reached your specified API usage limits.'),
      { kind: 'billing_error', code: 'billing' },
    ],
    [
      401,
      error('authentication_error', 'invalid x-api-key'),
      { kind: 'authentication_failed', code: 'invalid_api_key', text: 'Invalid API key · Fix external API key' },
    ],
    [402, error('billing_error', 'pay'), { kind: 'billing_error', code: 'billing' }],
    [403, error('permission_error', 'no'), { kind: 'authentication_failed', code: 'permission_denied' }],
    [404, error('not_found_error', 'model: claude-x'), { kind: 'invalid_request', code: 'model_not_found' }],
    [413, error('request_too_large', 'big'), { kind: 'unknown', code: 'request_too_large' }],
    [
      429,
      error('rate_limit_error', "would exceed your organization's rate limit of 40,000 input tokens"),
      { kind: 'unknown', code: 'rate_limited' },
    ],
    [
      429,
      error('rate_limit_error', 'no', { code: 'enforced_spend_limit' }),
      { kind: 'billing_error', code: 'billing' },
    ],
    [
      429,
      error('rate_limit_error', 'no', { details: { error_code: 'spend_limit_reached' } }),
      { kind: 'billing_error', code: 'billing' },
    ],
    [500, error('api_error', 'fake 500'), { kind: 'unknown', code: 'server_error' }],
    [529, error('overloaded_error', 'Overloaded'), { kind: 'unknown', code: 'overloaded' }],
    [302, {}, { kind: 'unknown', code: 'unexpected_response' }],
  ]
  for (const [status, body, expected] of rows) {
    const text = expected.text ?? `API Error: ${status} ${JSON.stringify(body)}`
    assert.deepEqual(refused(status, body).failure, { ...expected, text, status }, JSON.stringify(body))
  }
})

test('what is retried of them', () => {
  const facts = (status: number, body: unknown, headers = {}) => refused(status, body, headers).retry
  assert.deepEqual(
    [
      facts(429, error('rate_limit_error', 'slow down')),
      facts(429, error('rate_limit_error', 'slow down'), { 'retry-after': '3' }),
      facts(429, error('rate_limit_error', 'usage limit exceeded')),
      facts(529, '', { 'retry-after': '3' }),
      facts(503, '<html>'),
      facts(404, ''),
    ],
    [
      { retriable: true, overloaded: true, retryAfterMs: null, cut: false },
      { retriable: true, overloaded: false, retryAfterMs: 3000, cut: false },
      { retriable: false, overloaded: false, retryAfterMs: null, cut: false },
      { retriable: true, overloaded: true, retryAfterMs: 3000, cut: false },
      { retriable: true, overloaded: false, retryAfterMs: null, cut: false },
      { retriable: false, overloaded: false, retryAfterMs: null, cut: false },
    ],
  )
})

test('a 404 names the model even when its body does not', () => {
  assert.equal(refused(404, { error: {} }).failure.text, 'API Error: 404 {"error":{}} (model: claude-x)')
})

test('a body that is no JSON is described, not repeated', () => {
  assert.equal(
    refused(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }).failure.text,
    'API Error: 502 (no JSON in the answer, content type text/html)',
  )
})

test('error events count like statuses', () => {
  const types = [
    'overloaded_error',
    'rate_limit_error',
    'invalid_request_error',
    'authentication_error',
    '__proto__',
    7,
  ]
  assert.deepEqual(
    types.map((type) => {
      const { failure, retry } = classifyErrorBody({ type: 'error', error: { type, message: 'x' } }, 'm')
      return [failure.status, failure.code, retry.retriable, retry.overloaded]
    }),
    [
      [529, 'overloaded', true, true],
      [429, 'rate_limited', true, true],
      [400, 'invalid_request', false, false],
      [401, 'invalid_api_key', false, false],
      [500, 'server_error', true, false],
      [500, 'server_error', true, false],
    ],
  )
})

test('connections', () => {
  assert.deepEqual(
    [
      classifyHttpError(new HttpError('connection_failed', 'h:1', 'ECONNREFUSED')),
      classifyHttpError(new HttpError('timeout', 'h:1', 'no answer within 5 ms')),
      classifyHttpError(new HttpError('connection_lost', 'h:1', 'ECONNRESET')),
    ].map(({ failure, retry }) => [failure.code, failure.text, retry.retriable, retry.cut]),
    [
      ['connection_failed', 'API Error: Connection error. h:1: ECONNREFUSED', true, false],
      ['timeout', 'API Error: Request timed out. h:1: no answer within 5 ms', true, false],
      ['connection_failed', 'API Error: Connection error. h:1: the answer broke off (ECONNRESET)', true, true],
    ],
  )
  assert.equal(cutStreamFailure('h:1', 'no message_stop').retry.cut, true)
})

test('other texts', () => {
  assert.deepEqual(unexpectedResponseFailure('h:1', 200, 'text/html').failure, {
    kind: 'unknown',
    code: 'unexpected_response',
    text: 'API Error: 200 from h:1 is not an answer of a model: content type text/html',
    status: 200,
  })
  assert.equal(notLoggedInFailure('Set a key.').text, 'Not logged in · No API key was found\nSet a key.')
  assert.equal(redactSecrets('key sk-12345678 and x', ['sk-12345678', 'x', '']), 'key [redacted] and x')
})

test('the cause of a connection that failed is a sentence for people', () => {
  const cause = (code: 'connection_failed' | 'timeout', host: string, reason: string) =>
    classifyHttpError(new HttpError(code, host, reason)).cause
  assert.equal(
    cause('connection_failed', 'api.anthropic.com:443', 'ENOTFOUND'),
    'api.anthropic.com could not be resolved (ENOTFOUND)',
  )
  assert.equal(cause('connection_failed', 'h:1', 'ECONNREFUSED'), 'h:1 refuses connections (ECONNREFUSED)')
  assert.equal(cause('connection_failed', 'h:1', 'EHOSTUNREACH'), "h:1 can't be reached (EHOSTUNREACH)")
  assert.equal(cause('timeout', 'h:443', 'ETIMEDOUT'), "h didn't respond in time")
})
