import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SyncFiles } from '../../platform/files/files.js'
import { createSessionLabelRepeater, type SessionLabels } from './labels.js'

const EVERY = 32 * 1024

/** The end of a file that the test writes; how much of it was asked for is noted. */
function open(labels: SessionLabels, end = '') {
  const state = { end, asked: [] as number[] }
  const files = {
    readEndSync(_path: string, bytes: number) {
      state.asked.push(bytes)
      return new TextEncoder().encode(state.end)
    },
  } as unknown as SyncFiles
  return { ...createSessionLabelRepeater({ files, path: '/s.jsonl', sessionId: 's', labels }), state }
}
const title = (text: string) => `${JSON.stringify({ type: 'custom-title', customTitle: text, sessionId: 's' })}\n`
const tag = (text: string) => `${JSON.stringify({ type: 'tag', tag: text, sessionId: 's' })}\n`

test('labels are written again after so many characters, not before, and then counted anew', () => {
  const { dueAfter, state } = open({ title: 'T', tag: 'g' })
  assert.equal(dueAfter(EVERY - 1), '')
  assert.deepEqual(state.asked, [], 'the file is not read for nothing')
  assert.equal(dueAfter(1), title('T') + tag('g'))
  assert.equal(dueAfter(EVERY - 1), '')
  assert.equal(dueAfter(1), title('T') + tag('g'))
})

test('without labels nothing is written', () => {
  assert.equal(open({}).dueAfter(EVERY), '')
})

test('what others wrote last is what is written again, and is kept from then on', () => {
  const { dueAfter, state } = open(
    { title: 'Mine' },
    `${title('First')}{"type":"user"}\n${title('Theirs')}${tag('new')}`,
  )
  assert.equal(dueAfter(EVERY), title('Theirs') + tag('new'))
  state.end = ''
  assert.equal(dueAfter(EVERY), title('Theirs') + tag('new'))
})

test('a tag that was taken away is written as taken away; a title is not made up for it', () => {
  assert.equal(open({ tag: 'old' }, tag('')).dueAfter(EVERY), tag(''))
})

test('torn lines, other types and labels that are no text do not count', () => {
  const end = [
    'tle","customTitle":"torn at the front"}',
    '{"type":"custom-title","customTitle":7}',
    '{"type":"user","customTitle":"no"}',
    '{"type":"custom-title","customTitle":"torn at the e',
  ].join('\n')
  assert.equal(open({ title: 'Mine' }, end).dueAfter(EVERY), title('Mine'))
})

test('so much is read as may have been added, but never without end', () => {
  const { dueAfter, state } = open({ title: 'T' })
  dueAfter(EVERY)
  dueAfter(100 * 1024 * 1024)
  assert.deepEqual(state.asked, [EVERY * 5, 1024 * 1024])
})
