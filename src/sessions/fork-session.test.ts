import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { buildChain } from './chain.js'
import { type ForkPlan, forkEntries, forkToFile } from './fork-session.js'
import { indexTranscriptLines } from './session-index.js'
import {
  assistant,
  callLine,
  line,
  lineId,
  result,
  SESSION,
  sessionsFolder,
  transcriptText,
  user,
} from './test-sessions.js'

const TO = '33333333-3333-4333-8333-333333333333'

function plan(more: Partial<ForkPlan> = {}): ForkPlan {
  let n = 100
  return { from: SESSION, to: TO, title: 'A copy', newId: () => lineId(n++), now: () => 1_767_225_600_000, ...more }
}
const TITLE = { type: 'custom-title', sessionId: TO, customTitle: 'A copy', timestamp: '2026-01-01T00:00:00.000Z' }

/** Of lines: who they are, whom they follow, and where they come from. */
const ties = (lines: readonly object[]) =>
  lines.slice(0, -1).map((one) => {
    const { uuid, parentUuid, sessionId, forkedFrom } = one as Record<string, unknown>
    return { uuid, parentUuid, sessionId, forkedFrom }
  })

test('a copy is the same chain under new ids, and says where each line came from', () => {
  const lines = forkEntries([user(1, 'a'), assistant(2, 'b')], plan())
  const from = (n: number) => ({ sessionId: SESSION, messageUuid: lineId(n) })
  assert.deepEqual(ties(lines), [
    { uuid: lineId(100), parentUuid: null, sessionId: TO, forkedFrom: from(1) },
    { uuid: lineId(101), parentUuid: lineId(100), sessionId: TO, forkedFrom: from(2) },
  ])
  assert.deepEqual(lines.at(-1), { ...TITLE, uuid: lineId(102) })
})

test('side branches, costs and old titles stay behind; the chain leads around what is lost', () => {
  const lines = [
    user(1, 'a'),
    assistant(2, 'void'),
    { type: 'custom-title', customTitle: 'Old', sessionId: SESSION },
    { type: 'cost-entry', sessionId: SESSION },
    assistant(3, 'b', { parentUuid: lineId(1) }),
    user(4, 'c', { parentUuid: lineId(77) }),
  ]
  const copied = forkEntries(lines, plan())
  const chain = buildChain(indexTranscriptLines(copied, { sessionId: TO, keep: 'all' }))
  assert.deepEqual(chain?.repairs, [])
  assert.deepEqual(
    chain?.entries.map(({ message }) => message?.content),
    ['a', [{ type: 'text', text: 'b' }], 'c'],
  )
  assert.equal(copied.length, 4)
})

test('up to a message: what came after it is not copied', () => {
  const lines = [user(1, 'a'), assistant(2, 'b'), user(3, 'c')]
  assert.equal(forkEntries(lines, plan({ upTo: lineId(2) })).length, 3)
  assert.throws(() => forkEntries(lines, plan({ upTo: lineId(9) })), {
    code: 'message_not_found',
    message: /Message .*9 not/,
  })
  assert.throws(() => forkEntries([line(1, 'system', {})], plan()), {
    code: 'message_not_found',
    message: /no messages/,
  })
})

test('other ids that name lines are renamed too; one that names none stays as it was', () => {
  const lines = [
    user(1, 'a'),
    callLine(2, 't'),
    result(3, 't', { sourceToolAssistantUUID: lineId(2) }),
    line(4, 'system', { logicalParentUuid: lineId(88) }),
    assistant(5, 'b'),
  ]
  const copied = forkEntries(lines, plan()) as Record<string, unknown>[]
  assert.equal(copied[2]?.['sourceToolAssistantUUID'], copied[1]?.['uuid'])
  assert.equal(copied[3]?.['logicalParentUuid'], lineId(88))
})

test('a file: the same lines as entries, a repeated one once, and no unfinished copy is left', async () => {
  using at = sessionsFolder()
  const lines = [user(1, 'a'), user(1, 'again'), assistant(2, 'b')]
  at.write(transcriptText([...lines.slice(0, 2), '{"torn', ...lines.slice(2)]))
  const target = `${at.folder}/${TO}.jsonl`
  await forkToFile(nodeFiles, at.path, target, plan())
  assert.equal(at.read(target), transcriptText(forkEntries(lines, plan()) as Record<string, unknown>[]))
  assert.equal(existsSync(`${target}.copy`), false)
})

test('a copy that fails leaves neither a session nor a half of one', async () => {
  using at = sessionsFolder()
  const target = `${at.folder}/${TO}.jsonl`
  await assert.rejects(forkToFile(nodeFiles, at.path, target, plan()), { code: 'session_not_found' })
  at.write(transcriptText([user(1, 'a')]))
  const full = { ...nodeFiles, rename: () => Promise.reject(new Error('disk full')) }
  await assert.rejects(forkToFile(full, at.path, target, plan()), /disk full/)
  assert.deepEqual([existsSync(target), existsSync(`${target}.copy`)], [false, false])
})
