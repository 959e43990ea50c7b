import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { createPlatformIdentity } from '../platform/identity.js'
import type { TranscriptLine } from '../protocol/transcript.js'
import { TEST_SESSION_ID } from './test-sessions.js'
import { createTranscriptWriter } from './write-transcript.js'

function open(now: () => number) {
  const lines: TranscriptLine[] = []
  const log = { path: '/p.jsonl', append: (line: TranscriptLine) => void lines.push(line), onLost() {}, close() {} }
  const { uuid } = createPlatformIdentity()
  const transcript = createTranscriptWriter({
    files: nodeFiles,
    log,
    sessionId: TEST_SESSION_ID,
    cwd: '/nowhere',
    parent: null,
    now,
    newId: uuid,
  })
  return { transcript, lines, uuid }
}

test('no two lines have the same time, and time never goes back: the original goes on from the first of the latest', () => {
  const times = [5000, 5000, 4000, 9000]
  const { transcript, lines, uuid } = open(() => times.shift() ?? 9000)
  for (let n = 0; n < 5; n += 1)
    transcript.user({ type: 'user', message: { role: 'user', content: `${n}` }, uuid: uuid() })
  const written = lines.map((line) => ('timestamp' in line ? Date.parse(line.timestamp) : 0))
  assert.deepEqual(written, [5000, 5001, 5002, 9000, 9001])
})

test('what nobody said is a line of the chain, marked; nothing makes no line', () => {
  const { transcript, lines } = open(Date.now)
  transcript.context([])
  transcript.context([{ type: 'text', text: 'remember' }])
  assert.equal(lines.length, 1)
  const [line] = lines
  assert.ok(line?.type === 'user' && line.isMeta && line.uuid === transcript.parent)
})
