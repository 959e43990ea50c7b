import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { type ForkPlan, forkEntries, forkToFile } from './fork-session.js'
import { buildTranscriptLineChain } from './line-chain.js'
import { indexTranscriptLines } from './session-index.js'
import {
  createTestSessionsFolder,
  formatTestTranscript,
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testToolCallLine,
  testToolResultLine,
  testTranscriptLine,
  testUserLine,
} from './test-sessions.js'

const TO = '33333333-3333-4333-8333-333333333333'

function plan(more: Partial<ForkPlan> = {}): ForkPlan {
  let n = 100
  return {
    from: TEST_SESSION_ID,
    to: TO,
    title: 'A copy',
    newId: () => testLineId(n++),
    now: () => 1_767_225_600_000,
    ...more,
  }
}
const TITLE = { type: 'custom-title', sessionId: TO, customTitle: 'A copy', timestamp: '2026-01-01T00:00:00.000Z' }

/** Of lines: who they are, whom they follow, and where they come from. */
const ties = (lines: readonly object[]) =>
  lines.slice(0, -1).map((one) => {
    const { uuid, parentUuid, sessionId, forkedFrom } = one as Record<string, unknown>
    return { uuid, parentUuid, sessionId, forkedFrom }
  })

test('a copy is the same chain under new ids, and says where each line came from', () => {
  const lines = forkEntries([testUserLine(1, 'a'), testAssistantLine(2, 'b')], plan())
  const from = (n: number) => ({ sessionId: TEST_SESSION_ID, messageUuid: testLineId(n) })
  assert.deepEqual(ties(lines), [
    { uuid: testLineId(100), parentUuid: null, sessionId: TO, forkedFrom: from(1) },
    { uuid: testLineId(101), parentUuid: testLineId(100), sessionId: TO, forkedFrom: from(2) },
  ])
  assert.deepEqual(lines.at(-1), { ...TITLE, uuid: testLineId(102) })
})

test('side branches, costs and old titles stay behind; the chain leads around what is lost', () => {
  const lines = [
    testUserLine(1, 'a'),
    testAssistantLine(2, 'void'),
    { type: 'custom-title', customTitle: 'Old', sessionId: TEST_SESSION_ID },
    { type: 'cost-entry', sessionId: TEST_SESSION_ID },
    testAssistantLine(3, 'b', { parentUuid: testLineId(1) }),
    testUserLine(4, 'c', { parentUuid: testLineId(77) }),
  ]
  const copied = forkEntries(lines, plan())
  const chain = buildTranscriptLineChain(indexTranscriptLines(copied, { sessionId: TO, keep: 'all' }))
  assert.deepEqual(chain?.repairs, [])
  assert.deepEqual(
    chain?.entries.map(({ message }) => message?.content),
    ['a', [{ type: 'text', text: 'b' }], 'c'],
  )
  assert.equal(copied.length, 4)
})

test('up to a message: what came after it is not copied', () => {
  const lines = [testUserLine(1, 'a'), testAssistantLine(2, 'b'), testUserLine(3, 'c')]
  assert.equal(forkEntries(lines, plan({ upTo: testLineId(2) })).length, 3)
  assert.throws(() => forkEntries(lines, plan({ upTo: testLineId(9) })), {
    code: 'message_not_found',
    message: /Message .*9 not/,
  })
  assert.throws(() => forkEntries([testTranscriptLine(1, 'system', {})], plan()), {
    code: 'message_not_found',
    message: /no messages/,
  })
})

test('other ids that name lines are renamed too; one that names none stays as it was', () => {
  const lines = [
    testUserLine(1, 'a'),
    testToolCallLine(2, 't'),
    testToolResultLine(3, 't', { sourceToolAssistantUUID: testLineId(2) }),
    testTranscriptLine(4, 'system', { logicalParentUuid: testLineId(88) }),
    testAssistantLine(5, 'b'),
  ]
  const copied = forkEntries(lines, plan()) as Record<string, unknown>[]
  assert.equal(copied[2]?.['sourceToolAssistantUUID'], copied[1]?.['uuid'])
  assert.equal(copied[3]?.['logicalParentUuid'], testLineId(88))
})

test('a file: the same lines as entries, a repeated one once, and no unfinished copy is left', async () => {
  using at = createTestSessionsFolder()
  const lines = [testUserLine(1, 'a'), testUserLine(1, 'again'), testAssistantLine(2, 'b')]
  at.write(formatTestTranscript([...lines.slice(0, 2), '{"torn', ...lines.slice(2)]))
  const target = `${at.folder}/${TO}.jsonl`
  await forkToFile(nodeFiles, at.path, target, plan())
  assert.equal(at.read(target), formatTestTranscript(forkEntries(lines, plan()) as Record<string, unknown>[]))
  assert.equal(existsSync(`${target}.copy`), false)
})

test('a copy that fails leaves neither a session nor a half of one', async () => {
  using at = createTestSessionsFolder()
  const target = `${at.folder}/${TO}.jsonl`
  await assert.rejects(forkToFile(nodeFiles, at.path, target, plan()), { code: 'session_not_found' })
  at.write(formatTestTranscript([testUserLine(1, 'a')]))
  const full = { ...nodeFiles, rename: () => Promise.reject(new Error('disk full')) }
  await assert.rejects(forkToFile(full, at.path, target, plan()), /disk full/)
  assert.deepEqual([existsSync(target), existsSync(`${target}.copy`)], [false, false])
})
