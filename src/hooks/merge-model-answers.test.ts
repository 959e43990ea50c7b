import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HookOutcome } from './hook-outcome.js'
import { mergeOutputs } from './merge-answers.js'
import * as merge from './merge-model-answers.js'

const answer = (output: object): HookOutcome => ({ name: 'h', output })
const request = (headers: object) => answer({ hookSpecificOutput: { hookEventName: 'ModelRequest', headers } })
const retry = (fields: object) => answer({ hookSpecificOutput: { hookEventName: 'ModelRetry', ...fields } })
const mergeModelRequest = (outcomes: HookOutcome[], fixed?: string[]) =>
  merge.mergeModelRequest(mergeOutputs(outcomes), fixed)
const mergeModelRetry = (outcomes: HookOutcome[]) => merge.mergeModelRetry(mergeOutputs(outcomes))
const crash: HookOutcome = { name: 'c', failure: 'boom' }

test('headers of all hooks are taken, by small names, the last of one name; a crash takes none of them away', () => {
  const merged = mergeModelRequest([request({ 'X-A': '1', 'x-b': '2' }), crash, request({ 'x-a': '3' })])
  assert.deepEqual(merged, { headers: { 'x-a': '3', 'x-b': '2' } })
  assert.deepEqual(mergeModelRequest([crash]), {})
})

test('what is ours, what is signed and what is no header is refused by name', () => {
  const ours = {
    Authorization: 'x',
    'X-API-Key': 'x',
    'api-key': 'x',
    cookie: 'x',
    host: 'x',
    'content-length': '1',
    accept: 'x',
    'accept-encoding': 'br',
    'proxy-authorization': 'x',
    'x-goog-user-project': 'x',
    'transfer-encoding': 'x',
    connection: 'x',
    'anthropic-version': 'x',
    'x-signed': 'x',
    'x y': 'x',
    'x-line': 'a\nb',
    'x-number': 1,
    'x-ü': 'x',
  }
  const merged = mergeModelRequest([request(ours), request({ 'anthropic-beta': 'b' })], ['x-signed'])
  assert.deepEqual(merged.headers, { 'anthropic-beta': 'b' })
  assert.deepEqual(
    merged.refused,
    Object.keys(ours).map((name) => name.toLowerCase()),
  )
})

test('a block of one hook counts whatever others want', () => {
  const block = answer({ decision: 'block', reason: 'no' })
  assert.equal(mergeModelRequest([request({ 'x-a': '1' }), block]).block, 'no')
  assert.equal(mergeModelRetry([retry({ retry: true }), block]).block, 'no')
})

test('no beats once more, the longest delay counts within bounds, and with a crash nobody gets one more', () => {
  const cases: [HookOutcome[], object][] = [
    [[retry({}), answer({})], {}],
    [[retry({ retry: true })], { retry: true }],
    [[retry({ retry: true }), retry({ retry: false })], { retry: false }],
    [[retry({ retry: true, delayMs: 5 }), crash], { delayMs: 5 }],
    [[retry({ delayMs: 5 }), retry({ delayMs: 70 })], { delayMs: 70 }],
    [[retry({ delayMs: -5 })], { delayMs: 0 }],
    [[retry({ delayMs: 1e12 })], { delayMs: 600_000 }],
  ]
  for (const [outcomes, expected] of cases) assert.deepEqual(mergeModelRetry(outcomes), expected)
})
