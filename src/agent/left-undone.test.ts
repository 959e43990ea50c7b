import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageParam } from '../protocol/content.js'
import { describeUnfinishedWork } from './left-undone.js'

const prompt: MessageParam = { role: 'user', content: 'Go.' }
const calls: MessageParam = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'I will.' },
    { type: 'tool_use', id: 'a', name: 'Bash', input: { timeout: 5, command: `echo  ${'x'.repeat(90)}\nls` } },
    { type: 'tool_use', id: 'b', name: 'TaskList', input: {} },
  ],
}
const nothing = { inTurn: false, messages: [prompt], waiting: 0, tasks: [] }

test('what a session leaves undone, in words', () => {
  const cases: [Parameters<typeof describeUnfinishedWork>[0], string | undefined][] = [
    [nothing, undefined],
    [{ ...nothing, inTurn: true }, 'the turn'],
    [{ ...nothing, inTurn: true, messages: [prompt, calls] }, `the turn, in Bash (echo ${'x'.repeat(74)}…), TaskList`],
    // Between turns an open call is history.
    [{ ...nothing, messages: [prompt, calls], waiting: 1 }, '1 waiting message'],
    [
      { ...nothing, inTurn: true, waiting: 2, tasks: [{ id: 'b12', description: 'npm test' }] },
      'the turn; 2 waiting messages; background task b12 (npm test)',
    ],
  ]
  for (const [work, text] of cases) assert.equal(describeUnfinishedWork(work), text)
})
