import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeRetryDelayMs,
  decideRetry,
  isRetriableStatus,
  type RetryFacts,
  type RetryState,
  readRetryAfter,
} from './retry.js'

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)

test('which statuses are retried', () => {
  const retried = []
  for (let status = 300; status < 600; status += 1) if (isRetriableStatus(status, undefined)) retried.push(status)
  const expected = [408, 409, 429, ...Array.from({ length: 100 }, (_, i) => 500 + i)]
  assert.deepEqual(retried, expected)
})

test('x-should-retry', () => {
  const rows: [number, string, boolean][] = [
    [529, 'false', false],
    [429, 'false', false],
    [500, 'true', true],
    [422, 'true', true],
    [422, 'maybe', false],
    [400, 'true', false],
    [401, 'true', false],
    [403, 'true', false],
    [404, 'true', false],
    [413, 'true', false],
  ]
  assert.deepEqual(
    rows.map(([status, header]) => [status, header, isRetriableStatus(status, header)]),
    rows,
  )
})

test('retry-after', () => {
  const rows: [Record<string, string>, number | null][] = [
    [{}, null],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '86400' }, 86_400_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:05 GMT' }, 5000],
    [{ 'retry-after': 'Thu, 01 Jan 2015 12:00:05 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '' }, null],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after-ms': 'NaN', 'retry-after': '7' }, 7000],
  ]
  assert.deepEqual(
    rows.map(([headers]) => [headers, readRetryAfter(headers, NOW)]),
    rows,
  )
})

test('waits double from half a second to 32 seconds, a quarter more or less', () => {
  const middle = Array.from({ length: 10 }, (_, retries) => computeRetryDelayMs(retries, 0.5))
  assert.deepEqual(middle, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000, 32_000])
  assert.deepEqual(
    [computeRetryDelayMs(0, 0), computeRetryDelayMs(0, 1), computeRetryDelayMs(1000, 1)],
    [375, 625, 40_000],
  )
})

const REFUSED: RetryFacts = { retriable: true, overloaded: false, retryAfterMs: null, cut: false }
const FRESH: RetryState = {
  retries: 0,
  maxRetries: 10,
  overloadedAnswers: 0,
  overloadedLimit: Number.POSITIVE_INFINITY,
  malformedAnswers: 0,
  owesRepeat: false,
  random: 0.5,
}

test('the policy', () => {
  const rows: [string, Partial<RetryFacts>, Partial<RetryState>, object][] = [
    ['final', { retriable: false }, {}, { do: 'fail' }],
    ['first retry', {}, {}, { do: 'retry', delayMs: 500 }],
    ['last retry', {}, { retries: 9 }, { do: 'retry', delayMs: 32_000 }],
    ['used up', {}, { retries: 10 }, { do: 'fail' }],
    ['none allowed', {}, { maxRetries: 0 }, { do: 'fail' }],
    ['the server wants longer', { retryAfterMs: 5000 }, {}, { do: 'retry', delayMs: 5000 }],
    ['the server wants shorter', { retryAfterMs: 10 }, {}, { do: 'retry', delayMs: 500 }],
    ['the longest wait', { retryAfterMs: 600_000 }, {}, { do: 'retry', delayMs: 600_000 }],
    ['too long a wait', { retryAfterMs: 600_001 }, {}, { do: 'give up waiting' }],
    ['overloaded', { overloaded: true }, { overloadedAnswers: 2, overloadedLimit: 3 }, { do: 'retry', delayMs: 500 }],
    ['too often', { overloaded: true }, { overloadedAnswers: 3, overloadedLimit: 3 }, { do: 'give up the model' }],
    ['other trouble', {}, { overloadedAnswers: 3, overloadedLimit: 3 }, { do: 'retry', delayMs: 500 }],
    ['no other model', { overloaded: true }, { overloadedAnswers: 9 }, { do: 'retry', delayMs: 500 }],
    ['cut before content', { cut: true }, {}, { do: 'retry', delayMs: 500 }],
    ['cut before content, used up', { cut: true }, { retries: 10 }, { do: 'fail' }],
    ['cut after content', { cut: true }, { owesRepeat: true }, { do: 'retry', delayMs: 0 }],
    ['cut after content, used up', { cut: true }, { owesRepeat: true, retries: 10 }, { do: 'retry', delayMs: 0 }],
    ['malformed', { cut: true, malformed: true }, { malformedAnswers: 1 }, { do: 'retry', delayMs: 500 }],
    ['malformed again', { cut: true, malformed: true }, { malformedAnswers: 2 }, { do: 'fail' }],
    ['overloaded after content', { overloaded: true }, { owesRepeat: true }, { do: 'retry', delayMs: 500 }],
    ['refused after content', { retriable: false }, { owesRepeat: true }, { do: 'fail' }],
  ]
  for (const [name, facts, state, expected] of rows) {
    assert.deepEqual(decideRetry({ ...REFUSED, ...facts }, { ...FRESH, ...state }), expected, name)
  }
})
