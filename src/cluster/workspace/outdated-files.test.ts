import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SessionStoreEntry } from '../../protocol/stored-sessions.js'
import { fileChangingCallsSince, outdatedFilesText } from './outdated-files.js'

const use = (id: string, name: string, input: unknown, more = {}): SessionStoreEntry => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input }] },
  journaled: true,
  ...more,
})
const start = (id: string): SessionStoreEntry => ({ type: 'tool-start', toolUseId: id })
const result = (id: string): SessionStoreEntry => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
})
const numbered = (lines: SessionStoreEntry[]) => lines.map((line, at) => ({ seq: at + 1, line }))

it('calls that may have changed files count by when they ran', () => {
  const lines = numbered([
    ...[use('early', 'Write', { file_path: 'a' }), start('early'), result('early')],
    // Asked for before what was saved, permitted after it.
    ...[use('parked', 'Bash', { command: 'make\nall' }), { type: 'user', message: { content: 'text' } }],
    ...[start('parked'), result('parked')],
    ...[use('refused', 'Write', { file_path: 'b' }), result('refused')],
    ...[use('read', 'Read', { file_path: 'c' }), start('read'), result('read')],
    ...[use('other', 'mcp__x__y', { n: 1 }, { journaled: false }), result('other')],
    ...[use('agent', 'Agent', {}), start('agent')],
    ...[use('cut', 'Edit', { file_path: 'd' }), start('cut')],
    { type: 'summary' },
  ])
  assert.deepEqual(fileChangingCallsSince(lines, 5), [
    { seq: 6, tool: 'Bash', input: { command: 'make\nall' }, finished: true },
    { seq: 14, tool: 'mcp__x__y', input: { n: 1 }, finished: true },
    { seq: 18, tool: 'Edit', input: { file_path: 'd' }, finished: false },
  ])
  assert.equal(fileChangingCallsSince(lines, 0).length, 4)
  assert.deepEqual(fileChangingCallsSince(lines, 19), [])
})

it('the model is told which calls are not in the files, in one line each and not without end', () => {
  const call = { seq: 6, tool: 'Bash', input: { command: 'make\n\u202eall' }, finished: true }
  const text = outdatedFilesText(5, [call, { seq: 8, tool: 'mcp__x__y', input: { n: 1 }, finished: false }]) ?? ''
  assert.deepEqual(text.split('\n').slice(1, 4), [
    'The files do NOT contain the changes that these 2 calls may have made:',
    '- Bash: make all',
    '- mcp__x__y: {"n":1} (was cut off: it may or may not have taken effect)',
  ])
  assert.match(text, /when they were saved last/)
  assert.match(
    outdatedFilesText(0, [call]) ?? '',
    /Nothing of its files had been saved[\s\S]*The files do NOT contain the changes that this call may/,
  )
  assert.equal(outdatedFilesText(undefined, [call]), undefined)
  assert.equal(outdatedFilesText(5, []), undefined)
  const many = outdatedFilesText(
    1,
    Array.from({ length: 1000 }, (_, n) => ({ ...call, input: { command: `${n} ${'x'.repeat(1000)}` } })),
  )
  assert.ok(many && many.length < 10_000)
  assert.match(many, /these 1000 calls[\s\S]*\(the 960 first are not listed\)\n- Bash: 960 x/)
})
