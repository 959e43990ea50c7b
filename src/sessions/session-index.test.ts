import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { openTranscript } from './resume.js'
import { indexTranscriptFile, indexTranscriptLines, type TranscriptIndexOptions } from './session-index.js'
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

const OPTIONS: TranscriptIndexOptions = { sessionId: TEST_SESSION_ID, keep: 'all' }
const index = (lines: readonly unknown[], options: Partial<TranscriptIndexOptions> = {}) =>
  indexTranscriptLines(lines, { ...OPTIONS, ...options })

async function indexText(content: string) {
  using at = createTestSessionsFolder()
  const file = await openTranscript(nodeFiles, at.write(content))
  assert.ok(file)
  try {
    return await indexTranscriptFile(file, file.stat.size, OPTIONS)
  } finally {
    await file.close()
  }
}

test('a line is an entry with its place, its kind and what it calls or answers', () => {
  const { entries } = index([
    testUserLine(1, 'x', { isMeta: true }),
    testToolCallLine(2, 'a'),
    testToolResultLine(3, 'a'),
    testTranscriptLine(4, 'system', {}),
  ])
  const facts = entries.map(({ kind, type, order, parent, isMeta, calls, results, start, end }) => {
    return { kind, type, order, parent, isMeta, calls, results, start, end }
  })
  const none = { isMeta: false, calls: [], results: [] }
  assert.deepEqual(facts, [
    { kind: 'user', type: 'user', order: 0, parent: null, ...none, isMeta: true, start: 0, end: 1 },
    { kind: 'assistant', type: 'assistant', order: 1, parent: testLineId(1), ...none, calls: ['a'], start: 1, end: 2 },
    { kind: 'user', type: 'user', order: 2, parent: testLineId(2), ...none, results: ['a'], start: 2, end: 3 },
    { kind: 'other', type: 'system', order: 3, parent: testLineId(3), ...none, start: 3, end: 4 },
  ])
})

test('tokens of an answer are all it read and said; numbers that are none count nothing', () => {
  const tokensOf = (usage: unknown) => {
    const message = { role: 'assistant', content: [], usage }
    return index([testTranscriptLine(1, 'assistant', { message })]).entries[0]?.tokens
  }
  const usage = { input_tokens: 1, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 1000 }
  assert.equal(tokensOf(usage), 1111)
  assert.equal(tokensOf({ input_tokens: -5, cache_read_input_tokens: '9', output_tokens: 2 }), 2)
  assert.equal(tokensOf({ input_tokens: Number.MAX_VALUE, output_tokens: Number.NaN }), 0)
  for (const odd of [undefined, null, 7, 'many']) assert.equal(tokensOf(odd), 0)
})

test('messages that nobody can use are entries that others can follow, and are counted', () => {
  const { entries, repairs } = index([
    testUserLine(1, 'x'),
    testTranscriptLine(2, 'assistant', { message: { role: 'assistant' } }),
    testTranscriptLine(3, 'user', { message: 'text' }),
    testTranscriptLine(4, 'user', { message: { content: 7 } }),
    testUserLine(5, 'y'),
    testUserLine(5, 'again'),
  ])
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['user', 'other', 'other', 'other', 'user'],
  )
  assert.deepEqual(repairs, [
    '1 line(s) of the session repeat an earlier one and were skipped',
    '3 line(s) of the session hold no message that can be used and were skipped',
  ])
})

test('what the model never said is marked', () => {
  const { entries } = index([
    testAssistantLine(1, 'x'),
    testAssistantLine(2, 'x', { isApiErrorMessage: true }),
    testTranscriptLine(3, 'assistant', { message: { role: 'assistant', model: '<synthetic>', content: [] } }),
  ])
  assert.deepEqual(
    entries.map(({ message }) => message?.isSynthetic),
    [false, true, true],
  )
})

test('lines of sub-agents count in their own file only', () => {
  const lines = [testUserLine(1, 'x'), testUserLine(2, 'y', { isSidechain: true })]
  assert.equal(index(lines).entries.length, 1)
  assert.equal(index(lines, { isSubagent: true }).entries.length, 2)
})

test('what is kept of messages: all, what follows the last summary, or none', () => {
  const lines = [testUserLine(1, 'old'), testUserLine(2, 'sum', { isCompactSummary: true }), testUserLine(3, 'new')]
  const kept = (keep: TranscriptIndexOptions['keep']) =>
    index(lines, { keep }).entries.map(({ message }) => message?.content)
  assert.deepEqual(kept('all'), ['old', 'sum', 'new'])
  assert.deepEqual(kept('needed'), [undefined, 'sum', 'new'])
  assert.deepEqual(kept('none'), [undefined, undefined, undefined])
})

test('labels, costs and questions: the last of each, of this session, and none that is no text', () => {
  const other = '22222222-2222-4222-8222-222222222222'
  const question = { type: 'question-open', toolName: 'Bash', sessionId: TEST_SESSION_ID }
  const found = index([
    { type: 'custom-title', customTitle: 'one' },
    { type: 'custom-title', customTitle: 'two' },
    { type: 'custom-title', customTitle: 3 },
    { type: 'tag', tag: 't' },
    { type: 'cost-entry', sessionId: TEST_SESSION_ID, n: 1 },
    { type: 'cost-open', sessionId: other, n: 2 },
    { ...question, toolUseId: 'a' },
    { ...question, toolUseId: 'b' },
    { ...question, toolUseId: 'c' },
    { ...question, toolUseId: 'd', sessionId: other },
    { ...question, toolUseId: 7 },
    { ...question, type: 'question-settled', toolUseId: 'a', answer: 'allowed' },
    { ...question, type: 'question-settled', toolUseId: 'b', answer: 'parked' },
    { ...question, type: 'question-settled', toolUseId: 'c', answer: 'allowed', sessionId: other },
    null,
    'text',
    { type: 'user' },
  ])
  assert.deepEqual([found.title, found.tag], ['two', 't'])
  assert.deepEqual(found.costs, [{ type: 'cost-entry', sessionId: TEST_SESSION_ID, n: 1 }])
  assert.deepEqual([...found.openQuestions.keys()], ['b', 'c'])
  assert.deepEqual([found.entries, found.repairs], [[], []])
})

test('damaged lines are told one by one, a few of them; the rest is counted', async () => {
  const bad = Array.from({ length: 8 }, () => '{"half": ')
  const { entries, repairs } = await indexText(
    formatTestTranscript([testUserLine(1, 'x'), ...bad, testUserLine(2, 'y')]),
  )
  assert.equal(entries.length, 2)
  assert.deepEqual(repairs, [
    ...[2, 3, 4, 5, 6].map((n) => `line ${n} of the session file is damaged and was skipped`),
    '3 more lines of the session file are damaged and were skipped',
  ])
})

test('two records on one line, as two writers leave them, are both kept, and where the file is whole is known', async () => {
  const whole = formatTestTranscript([testUserLine(1, 'x')])
  const both = `${JSON.stringify(testAssistantLine(2, 'y'))}${JSON.stringify(testUserLine(3, 'z'))}`
  const ended = await indexText(`${whole}${both}\n`)
  assert.deepEqual(
    ended.entries.map(({ uuid }) => uuid),
    [testLineId(1), testLineId(2), testLineId(3)],
  )
  assert.match(ended.repairs.join(), /line 2 .* damaged and was skipped; 2 whole record\(s\) on it were kept/)
  assert.equal(ended.wholeTo, Buffer.byteLength(whole + both) + 1)
  const torn = await indexText(`${whole}${JSON.stringify(testUserLine(2, 'y'))}{"torn`)
  assert.equal(torn.wholeTo, Buffer.byteLength(whole + JSON.stringify(testUserLine(2, 'y'))))
  assert.equal(torn.lacksNewline, true)
  const lost = await indexText(`${whole}{"torn`)
  assert.deepEqual([lost.wholeTo, lost.lacksNewline], [Buffer.byteLength(whole), false])
  assert.match(lost.repairs.join(), /ends in the middle of line 2: 6 bytes were dropped$/)
})

test('lines of blanks are no damage, lines of zeros are', async () => {
  assert.deepEqual((await indexText(`${formatTestTranscript([testUserLine(1, 'x')])} \t\r\n\n`)).repairs, [])
  assert.match(
    (await indexText(`${formatTestTranscript([testUserLine(1, 'x')])}\0\0\0\n`)).repairs.join(),
    /line 2 .* damaged/,
  )
})
