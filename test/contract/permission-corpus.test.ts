/** The open half of the corpus of permission cases, held to its figures: no unsafe allow, every must-deny denied, few questions too many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCases, tally } from './permission-cases.js'

/** Raise it when the engine gets better; never lower it. */
const RIGHT_AT_LEAST = 396

test('the corpus of permission cases: no unsafe allow, and the committed number of right answers', async () => {
  const { total, wrong } = await tally(readCases(new URL('./fixtures/permissions.jsonl', import.meta.url)))
  const { right, unsafe, undenied, prompts } = total
  assert.deepEqual({ unsafe, undenied, prompts }, { unsafe: 0, undenied: 0, prompts: 0 }, wrong.join('\n'))
  assert.ok(right >= RIGHT_AT_LEAST, `${right} right answers, ${RIGHT_AT_LEAST} are committed:\n${wrong.join('\n')}`)
})

test('our own cases, found by attacking the engine: every answer is right', async () => {
  const { total, wrong } = await tally(readCases(new URL('./fixtures/permissions-own.jsonl', import.meta.url)))
  assert.deepEqual(wrong, [])
  assert.equal(total.right, total.cases)
})
