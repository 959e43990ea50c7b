import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMessagesRequest } from '../testing/api-rules.js'
import type { LoadedSession } from './load-session.js'
import {
  createTestSessionsFolder,
  formatTestTranscript,
  loadTestTranscript,
  summarizeTestMessages,
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testToolCallLine,
  testToolResultLine,
  testTranscriptLine,
  testUserLine,
} from './test-sessions.js'

type Line = Record<string, unknown> | string

/** Loads the lines, and makes sure that the API would take what comes out. */
async function loaded(lines: readonly Line[], cutAt?: string): Promise<LoadedSession | undefined> {
  using at = createTestSessionsFolder()
  const session = await loadTestTranscript(at.write(formatTestTranscript(lines)), cutAt)
  if (session && session.messages.length > 0) {
    const { messages } = session
    const next = messages.at(-1)?.role === 'user' ? messages : [...messages, { role: 'user', content: 'next' }]
    assert.equal(checkMessagesRequest({ model: 'm', max_tokens: 1, messages: next }), undefined)
  }
  return session
}

const CONVERSATION = [
  testUserLine(1, 'One.'),
  testAssistantLine(2, 'Eins.'),
  testUserLine(3, 'Two.'),
  testAssistantLine(4, 'Zwei.'),
]
const AT_A_GLANCE = ['user: One.', 'assistant: Eins.', 'user: Two.', 'assistant: Zwei.']

test('a conversation comes back whole, with where to go on and which ids were seen', async () => {
  const session = await loaded(CONVERSATION)
  assert.deepEqual(summarizeTestMessages(session), AT_A_GLANCE)
  assert.deepEqual([session?.leaf, session?.repairs], [testLineId(4), []])
  assert.deepEqual([...(session?.uuids ?? [])], [testLineId(1), testLineId(3)])
})

test('blocks of one answer are joined, calls and results in pairs', async () => {
  const session = await loaded([
    testUserLine(1, 'Go.'),
    testAssistantLine(2, 'Look:'),
    testToolCallLine(3, 'a'),
    testToolCallLine(4, 'b'),
    testToolResultLine(5, 'a'),
    testToolResultLine(6, 'b'),
    testAssistantLine(7, 'Done.'),
  ])
  const expected = [
    'user: Go.',
    'assistant: Look: [call a] [call b]',
    'user: [result a] [result b]',
    'assistant: Done.',
  ]
  assert.deepEqual([summarizeTestMessages(session), session?.repairs], [expected, []])
})

test('a call without its result was interrupted: the model reads so, people are told, nothing is run again', async () => {
  const session = await loaded([
    testUserLine(1, 'Go.'),
    testToolCallLine(2, 'a'),
    testToolCallLine(3, 'b'),
    testToolResultLine(4, 'a'),
  ])
  assert.deepEqual(summarizeTestMessages(session), [
    'user: Go.',
    'assistant: [call a] [call b]',
    'user: [result a] [failed b]',
  ])
  assert.deepEqual(session?.repairs, ['1 tool call(s) had no result and were marked as interrupted'])
})

test('a question that nobody settled is open, and so is one that was parked; those of other sessions do not count', async () => {
  const about = (type: string, toolUseId: string, more: object = {}) => ({
    type,
    toolUseId,
    toolName: 'Bash',
    sessionId: TEST_SESSION_ID,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...more,
  })
  const session = await loaded([
    ...CONVERSATION,
    about('question-open', 'a', { decisionReason: 'why' }),
    about('question-settled', 'a', { answer: 'allowed' }),
    about('question-open', 'b', { decisionReason: 'why' }),
    about('question-settled', 'b', { answer: 'parked' }),
    about('question-open', 'c'),
    about('question-open', 'd', { sessionId: 'another' }),
    { type: 'question-open', sessionId: TEST_SESSION_ID, toolUseId: 7 },
  ])
  assert.deepEqual(session?.openQuestions, [
    about('question-open', 'b', { decisionReason: 'why' }),
    about('question-open', 'c'),
  ])
  assert.deepEqual(summarizeTestMessages(session), AT_A_GLANCE)
})

test('parallel calls of the original, whose results hang on their own calls, are all there', async () => {
  const answer = (n: number, tool: string, parent: number) =>
    testToolCallLine(n, tool, {
      parentUuid: testLineId(parent),
      message: { ...messageOf(testToolCallLine(n, tool)), id: 'msg_one' },
    })
  const lines = [
    testUserLine(1, 'Go.'),
    answer(2, 'a', 1),
    answer(3, 'b', 2),
    answer(4, 'c', 3),
    testToolResultLine(5, 'c', { parentUuid: testLineId(4) }),
    testToolResultLine(6, 'a', { parentUuid: testLineId(2) }),
    testToolResultLine(7, 'b', { parentUuid: testLineId(3) }),
    testAssistantLine(8, 'Done.', { parentUuid: testLineId(7) }),
  ]
  assert.deepEqual(summarizeTestMessages(await loaded(lines)), [
    'user: Go.',
    'assistant: [call a] [call b] [call c]',
    'user: [result a] [result b] [result c]',
    'assistant: Done.',
  ])
  const cut = await loaded(lines, testLineId(2))
  assert.deepEqual(
    summarizeTestMessages(cut),
    ['user: Go.', 'assistant: [call a]', 'user: [failed a]'],
    'cut before the results',
  )
})

function messageOf({ message }: Record<string, unknown>): object {
  return typeof message === 'object' && message !== null ? message : {}
}

test('a chain may lead through lines of other kinds, and leave side branches behind', async () => {
  const lines = [
    testUserLine(1, 'One.'),
    testAssistantLine(2, 'Broken off'),
    testAssistantLine(3, 'Again.', { parentUuid: testLineId(1) }),
    testTranscriptLine(4, 'progress', { data: {}, parentUuid: testLineId(3) }),
    testTranscriptLine(5, 'attachment', { attachment: {} }),
    testUserLine(6, 'Two.'),
  ]
  assert.deepEqual(summarizeTestMessages(await loaded(lines)), ['user: One.', 'assistant: Again.', 'user: Two.'])
})

test('cut at a message, what came after is forgotten; an unknown one is none', async () => {
  const session = await loaded(CONVERSATION, testLineId(2))
  assert.deepEqual([summarizeTestMessages(session), session?.leaf], [AT_A_GLANCE.slice(0, 2), testLineId(2)])
  assert.equal(await loaded(CONVERSATION, testLineId(99)), undefined)
})

const BOUNDARY = testTranscriptLine(5, 'system', {
  subtype: 'compact_boundary',
  parentUuid: null,
  logicalParentUuid: testLineId(4),
  compactMetadata: { trigger: 'auto', preTokens: 9 },
})
const SUMMARY = testUserLine(6, 'Summary.', { isCompactSummary: true })

test('after a compaction only the summary and what follows count; what was before can still be gone back to', async () => {
  const lines = [...CONVERSATION, BOUNDARY, SUMMARY, testAssistantLine(7, 'On.')]
  assert.deepEqual(summarizeTestMessages(await loaded(lines)), ['user: Summary.', 'assistant: On.'])
  assert.deepEqual(summarizeTestMessages(await loaded(lines, testLineId(2))), AT_A_GLANCE.slice(0, 2))
  const wentBack = [...lines, testUserLine(8, 'Other.', { parentUuid: testLineId(2) })]
  assert.deepEqual(summarizeTestMessages(await loaded(wentBack)), [...AT_A_GLANCE.slice(0, 2), 'user: Other.'])
})

test('S29: a compaction that was killed half-way leaves the old history', async () => {
  assert.deepEqual(summarizeTestMessages(await loaded([...CONVERSATION, BOUNDARY])), AT_A_GLANCE)
  const torn = [...CONVERSATION, BOUNDARY, JSON.stringify(SUMMARY).slice(0, 80), testAssistantLine(7, 'On.')]
  assert.deepEqual(summarizeTestMessages(await loaded(torn)), [...AT_A_GLANCE.slice(0, 3), 'assistant: Zwei. On.'])
})

test('a summary whose mark is lost still stands for all before it', async () => {
  const session = await loaded([...CONVERSATION, '{"torn', SUMMARY, testAssistantLine(7, 'On.')])
  assert.deepEqual(summarizeTestMessages(session), ['user: Summary.', 'assistant: On.'])
})

test('S06: one bad line of many costs only itself, and is named', async () => {
  const lines: Line[] = Array.from({ length: 7000 }, (_, i) =>
    i % 2 === 0 ? testUserLine(i + 1, `Q${i + 1}`) : testAssistantLine(i + 1, `A${i + 1}`),
  )
  lines[4999] = '{"type":"assistant","uuid":'
  const session = await loaded(lines)
  const shown = summarizeTestMessages(session).join('\n')
  assert.deepEqual([shown.match(/Q\d+/g)?.length, shown.match(/A\d+/g)?.length], [3500, 3499])
  assert.match(session?.repairs.join('\n') ?? '', /line 5000 of the session file is damaged/)
})

test('S08: a line that repeats an id is left out', async () => {
  const session = await loaded([...CONVERSATION.slice(0, 2), testUserLine(1, 'Twice.'), ...CONVERSATION.slice(2)])
  assert.deepEqual(summarizeTestMessages(session), AT_A_GLANCE)
  assert.deepEqual(session?.repairs, ['1 line(s) of the session repeat an earlier one and were skipped'])
})

test('S09: a parent that is missing, unknown or in a circle is replaced by the line before; of two children the later counts', async () => {
  const [one, two, three, four] = CONVERSATION
  const wrongs = [testLineId(77), undefined, 7, testLineId(3), testLineId(4)]
  for (const parentUuid of wrongs) {
    const session = await loaded([one ?? '', two ?? '', { ...three, parentUuid }, four ?? ''])
    assert.deepEqual(summarizeTestMessages(session), AT_A_GLANCE, String(parentUuid))
    assert.match(session?.repairs.join('\n') ?? '', /follow one that is lost/)
  }
  const circle = await loaded([{ ...one, parentUuid: testLineId(4) }, two ?? '', three ?? '', four ?? ''])
  assert.deepEqual(summarizeTestMessages(circle), AT_A_GLANCE)
  const branches = await loaded([...CONVERSATION, testAssistantLine(5, 'Later.', { parentUuid: testLineId(3) })])
  assert.deepEqual(summarizeTestMessages(branches), [...AT_A_GLANCE.slice(0, 3), 'assistant: Later.'])
})

test('S12: the order of the file counts, not the times in it', async () => {
  const lines = CONVERSATION.map((one, i) => ({
    ...one,
    timestamp: new Date(2_000_000_000_000 - i * 1000).toISOString(),
  }))
  assert.deepEqual(summarizeTestMessages(await loaded(lines)), AT_A_GLANCE)
})

test('lines that changed places are put back by what they follow', async () => {
  const [one, two, three, four] = CONVERSATION
  for (const order of [
    [two, one, three, four],
    [one, three, two, four],
    [one, two, four, three],
  ])
    assert.deepEqual(summarizeTestMessages(await loaded(order.map((one) => one ?? ''))), AT_A_GLANCE)
})

test('S13: lines of unknown types and newer versions are passed over', async () => {
  const strange = [
    { type: 'brand-new', sessionId: TEST_SESSION_ID, payload: { a: 1 } },
    { ...testTranscriptLine(90, 'hologram', {}), parentUuid: testLineId(2) },
    { type: 'user' },
    ['not', 'an', 'object'],
    'null',
    '7',
    '"text"',
  ].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const session = await loaded([...CONVERSATION.slice(0, 2), ...strange, ...CONVERSATION.slice(2)])
  assert.deepEqual(summarizeTestMessages(session), AT_A_GLANCE)
})

test('a mark at the beginning, other newlines and empty lines do no harm', async () => {
  using at = createTestSessionsFolder()
  const dos = formatTestTranscript(CONVERSATION).replaceAll('\n', '\r\n')
  const session = await loadTestTranscript(at.write(`\uFEFF${dos}\r\n\n`))
  assert.deepEqual([summarizeTestMessages(session), session?.repairs], [AT_A_GLANCE, []])
})

test('what the API would refuse is left out, and told', async () => {
  const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`
  const blocks = [
    { type: 'text', text: 7 },
    { type: 'text', text: 'kept', extra: true },
    { type: 'tool_use', id: 'bad id!', name: 'Bash', input: {} },
    { type: 'tool_use', id: 'x', name: 'Bash', input: 'text' },
    { type: 'thinking', thinking: 'hm', signature: '' },
    { type: 'tool_result', tool_use_id: 'x' },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'unheard_of' },
    { type: 'constructor' },
    JSON.parse('{"type":"__proto__","needs":{}}'),
    JSON.parse('{"type":"text","text":"also kept","__proto__":{},"toString":1,"constructor":{}}'),
    null,
    'text',
    JSON.parse(`{"type":"tool_use","id":"d","name":"Bash","input":${deep}}`),
  ]
  const session = await loaded([
    testUserLine(1, 'One.'),
    testAssistantLine(2, blocks),
    testUserLine(3, [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }]),
    testUserLine(4, [{ type: 'image', source: { type: 'base64', media_type: 'image/pnf', data: 'AAAA' } }]),
    testUserLine(5, 'Two.'),
  ])
  const said = 'user: The result of a tool call that could not be read: x Two.'
  assert.deepEqual(summarizeTestMessages(session), ['user: One.', 'assistant: kept also kept', said])
  assert.deepEqual(session?.repairs, [
    "13 block(s) of the session can't be used and were left out",
    '1 tool result(s) lost their call and were kept as text',
  ])
})

test('empty texts and an answer that broke off in thought are left out without a word', async () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }
  const session = await loaded([
    testUserLine(1, 'One.'),
    testAssistantLine(2, ''),
    testUserLine(3, ' '),
    testUserLine(4, 'Two.'),
    testAssistantLine(5, [thinking]),
  ])
  assert.deepEqual([summarizeTestMessages(session), session?.repairs], [['user: One. Two.'], []])
  const whole = await loaded([testUserLine(1, 'One.'), testAssistantLine(2, [thinking]), testAssistantLine(3, 'Said.')])
  assert.deepEqual(summarizeTestMessages(whole), ['user: One.', 'assistant: [thinking] Said.'])
})

test('a conversation whose beginning is lost goes on from what is left', async () => {
  const session = await loaded(['{"torn', ...CONVERSATION.slice(1)])
  assert.deepEqual(summarizeTestMessages(session), [
    'user: The beginning of this conversation could not be read.',
    ...AT_A_GLANCE.slice(1),
  ])
  assert.match(session?.repairs.join('\n') ?? '', /line 1 .*damaged[\s\S]*beginning of the session is lost/)
})

test('messages of sub-agents and of the API itself are no part of the conversation', async () => {
  const lines = [
    testUserLine(1, 'One.'),
    testUserLine(2, 'Aside.', { isSidechain: true }),
    testAssistantLine(3, 'API Error', { parentUuid: testLineId(1), isApiErrorMessage: true }),
    testUserLine(4, 'Two.', { parentUuid: testLineId(3) }),
  ]
  assert.deepEqual(summarizeTestMessages(await loaded(lines)), ['user: One. Two.'])
})

test('title, tag and costs of this session are read; those of the one it was copied from are not counted', async () => {
  const cost = { type: 'cost-entry', model: 'm', usage: {}, costUSD: 1, priced: true, durationMs: 5, ok: true }
  const session = await loaded([
    ...CONVERSATION,
    { type: 'custom-title', customTitle: 'First', sessionId: TEST_SESSION_ID },
    { type: 'custom-title', customTitle: 'Second', sessionId: TEST_SESSION_ID },
    { type: 'tag', tag: 'mine', sessionId: TEST_SESSION_ID },
    { ...cost, sessionId: TEST_SESSION_ID },
    { ...cost, sessionId: testLineId(1) },
  ])
  assert.deepEqual([session?.title, session?.tag, session?.costs.length], ['Second', 'mine', 1])
})

test('where the file is whole: behind the last line, or the last record that lacks its newline', async () => {
  using at = createTestSessionsFolder()
  const whole = formatTestTranscript(CONVERSATION)
  const tail = async (content: string | Uint8Array) => {
    const { wholeTo, lacksNewline } = (await loadTestTranscript(at.write(content)))?.tail ?? {}
    return [wholeTo, lacksNewline]
  }
  const size = Buffer.byteLength(whole)
  assert.deepEqual(await tail(whole), [size, false])
  assert.deepEqual(await tail(whole.slice(0, -1)), [size - 1, true])
  assert.deepEqual(await tail(`${whole.slice(0, -1)}J`), [size - 1, true])
  assert.deepEqual(await tail(`${whole}{"parentUuid":"x`), [size, false])
  assert.deepEqual(await tail(`${whole}${'\0'.repeat(50)}`), [size, false])
  assert.deepEqual(await tail(''), [0, false])
})
