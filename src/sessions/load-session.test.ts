import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMessages } from '../testing/api-rules.js'
import type { LoadedSession } from './load-session.js'
import {
  assistant,
  callLine,
  glance,
  line,
  lineId,
  load,
  result,
  SESSION,
  sessionsFolder,
  transcriptText,
  user,
} from './test-sessions.js'

type Line = Record<string, unknown> | string

/** Loads the lines, and makes sure that the API would take what comes out. */
async function loaded(lines: readonly Line[], cutAt?: string): Promise<LoadedSession | undefined> {
  using at = sessionsFolder()
  const session = await load(at.write(transcriptText(lines)), cutAt)
  if (session && session.messages.length > 0) {
    const { messages } = session
    const next = messages.at(-1)?.role === 'user' ? messages : [...messages, { role: 'user', content: 'next' }]
    assert.equal(checkMessages({ model: 'm', max_tokens: 1, messages: next }), undefined)
  }
  return session
}

const CONVERSATION = [user(1, 'One.'), assistant(2, 'Eins.'), user(3, 'Two.'), assistant(4, 'Zwei.')]
const AT_A_GLANCE = ['user: One.', 'assistant: Eins.', 'user: Two.', 'assistant: Zwei.']

test('a conversation comes back whole, with where to go on and which ids were seen', async () => {
  const session = await loaded(CONVERSATION)
  assert.deepEqual(glance(session), AT_A_GLANCE)
  assert.deepEqual([session?.leaf, session?.repairs], [lineId(4), []])
  assert.deepEqual([...(session?.uuids ?? [])], [lineId(1), lineId(3)])
})

test('blocks of one answer are joined, calls and results in pairs', async () => {
  const session = await loaded([
    user(1, 'Go.'),
    assistant(2, 'Look:'),
    callLine(3, 'a'),
    callLine(4, 'b'),
    result(5, 'a'),
    result(6, 'b'),
    assistant(7, 'Done.'),
  ])
  const expected = [
    'user: Go.',
    'assistant: Look: [call a] [call b]',
    'user: [result a] [result b]',
    'assistant: Done.',
  ]
  assert.deepEqual([glance(session), session?.repairs], [expected, []])
})

test('a call without its result was interrupted: the model reads so, people are told, nothing is run again', async () => {
  const session = await loaded([user(1, 'Go.'), callLine(2, 'a'), callLine(3, 'b'), result(4, 'a')])
  assert.deepEqual(glance(session), ['user: Go.', 'assistant: [call a] [call b]', 'user: [result a] [failed b]'])
  assert.deepEqual(session?.repairs, ['1 tool call(s) had no result and were marked as interrupted'])
})

test('a question that nobody settled is open, and so is one that was parked; those of other sessions do not count', async () => {
  const about = (type: string, toolUseId: string, more: object = {}) => ({
    type,
    toolUseId,
    toolName: 'Bash',
    sessionId: SESSION,
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
    { type: 'question-open', sessionId: SESSION, toolUseId: 7 },
  ])
  assert.deepEqual(session?.openQuestions, [
    about('question-open', 'b', { decisionReason: 'why' }),
    about('question-open', 'c'),
  ])
  assert.deepEqual(glance(session), AT_A_GLANCE)
})

test('parallel calls of the original, whose results hang on their own calls, are all there', async () => {
  const answer = (n: number, tool: string, parent: number) =>
    callLine(n, tool, { parentUuid: lineId(parent), message: { ...messageOf(callLine(n, tool)), id: 'msg_one' } })
  const lines = [
    user(1, 'Go.'),
    answer(2, 'a', 1),
    answer(3, 'b', 2),
    answer(4, 'c', 3),
    result(5, 'c', { parentUuid: lineId(4) }),
    result(6, 'a', { parentUuid: lineId(2) }),
    result(7, 'b', { parentUuid: lineId(3) }),
    assistant(8, 'Done.', { parentUuid: lineId(7) }),
  ]
  assert.deepEqual(glance(await loaded(lines)), [
    'user: Go.',
    'assistant: [call a] [call b] [call c]',
    'user: [result a] [result b] [result c]',
    'assistant: Done.',
  ])
  const cut = await loaded(lines, lineId(2))
  assert.deepEqual(glance(cut), ['user: Go.', 'assistant: [call a]', 'user: [failed a]'], 'cut before the results')
})

function messageOf({ message }: Record<string, unknown>): object {
  return typeof message === 'object' && message !== null ? message : {}
}

test('a chain may lead through lines of other kinds, and leave side branches behind', async () => {
  const lines = [
    user(1, 'One.'),
    assistant(2, 'Broken off'),
    assistant(3, 'Again.', { parentUuid: lineId(1) }),
    line(4, 'progress', { data: {}, parentUuid: lineId(3) }),
    line(5, 'attachment', { attachment: {} }),
    user(6, 'Two.'),
  ]
  assert.deepEqual(glance(await loaded(lines)), ['user: One.', 'assistant: Again.', 'user: Two.'])
})

test('cut at a message, what came after is forgotten; an unknown one is none', async () => {
  const session = await loaded(CONVERSATION, lineId(2))
  assert.deepEqual([glance(session), session?.leaf], [AT_A_GLANCE.slice(0, 2), lineId(2)])
  assert.equal(await loaded(CONVERSATION, lineId(99)), undefined)
})

const BOUNDARY = line(5, 'system', {
  subtype: 'compact_boundary',
  parentUuid: null,
  logicalParentUuid: lineId(4),
  compactMetadata: { trigger: 'auto', preTokens: 9 },
})
const SUMMARY = user(6, 'Summary.', { isCompactSummary: true })

test('after a compaction only the summary and what follows count; what was before can still be gone back to', async () => {
  const lines = [...CONVERSATION, BOUNDARY, SUMMARY, assistant(7, 'On.')]
  assert.deepEqual(glance(await loaded(lines)), ['user: Summary.', 'assistant: On.'])
  assert.deepEqual(glance(await loaded(lines, lineId(2))), AT_A_GLANCE.slice(0, 2))
  const wentBack = [...lines, user(8, 'Other.', { parentUuid: lineId(2) })]
  assert.deepEqual(glance(await loaded(wentBack)), [...AT_A_GLANCE.slice(0, 2), 'user: Other.'])
})

test('S29: a compaction that was killed half-way leaves the old history', async () => {
  assert.deepEqual(glance(await loaded([...CONVERSATION, BOUNDARY])), AT_A_GLANCE)
  const torn = [...CONVERSATION, BOUNDARY, JSON.stringify(SUMMARY).slice(0, 80), assistant(7, 'On.')]
  assert.deepEqual(glance(await loaded(torn)), [...AT_A_GLANCE.slice(0, 3), 'assistant: Zwei. On.'])
})

test('a summary whose mark is lost still stands for all before it', async () => {
  const session = await loaded([...CONVERSATION, '{"torn', SUMMARY, assistant(7, 'On.')])
  assert.deepEqual(glance(session), ['user: Summary.', 'assistant: On.'])
})

test('S06: one bad line of many costs only itself, and is named', async () => {
  const lines: Line[] = Array.from({ length: 7000 }, (_, i) =>
    i % 2 === 0 ? user(i + 1, `Q${i + 1}`) : assistant(i + 1, `A${i + 1}`),
  )
  lines[4999] = '{"type":"assistant","uuid":'
  const session = await loaded(lines)
  const shown = glance(session).join('\n')
  assert.deepEqual([shown.match(/Q\d+/g)?.length, shown.match(/A\d+/g)?.length], [3500, 3499])
  assert.match(session?.repairs.join('\n') ?? '', /line 5000 of the session file is damaged/)
})

test('S08: a line that repeats an id is left out', async () => {
  const session = await loaded([...CONVERSATION.slice(0, 2), user(1, 'Twice.'), ...CONVERSATION.slice(2)])
  assert.deepEqual(glance(session), AT_A_GLANCE)
  assert.deepEqual(session?.repairs, ['1 line(s) of the session repeat an earlier one and were skipped'])
})

test('S09: a parent that is missing, unknown or in a circle is replaced by the line before; of two children the later counts', async () => {
  const [one, two, three, four] = CONVERSATION
  const wrongs = [lineId(77), undefined, 7, lineId(3), lineId(4)]
  for (const parentUuid of wrongs) {
    const session = await loaded([one ?? '', two ?? '', { ...three, parentUuid }, four ?? ''])
    assert.deepEqual(glance(session), AT_A_GLANCE, String(parentUuid))
    assert.match(session?.repairs.join('\n') ?? '', /follow one that is lost/)
  }
  const circle = await loaded([{ ...one, parentUuid: lineId(4) }, two ?? '', three ?? '', four ?? ''])
  assert.deepEqual(glance(circle), AT_A_GLANCE)
  const branches = await loaded([...CONVERSATION, assistant(5, 'Later.', { parentUuid: lineId(3) })])
  assert.deepEqual(glance(branches), [...AT_A_GLANCE.slice(0, 3), 'assistant: Later.'])
})

test('S12: the order of the file counts, not the times in it', async () => {
  const lines = CONVERSATION.map((one, i) => ({
    ...one,
    timestamp: new Date(2_000_000_000_000 - i * 1000).toISOString(),
  }))
  assert.deepEqual(glance(await loaded(lines)), AT_A_GLANCE)
})

test('lines that changed places are put back by what they follow', async () => {
  const [one, two, three, four] = CONVERSATION
  for (const order of [
    [two, one, three, four],
    [one, three, two, four],
    [one, two, four, three],
  ])
    assert.deepEqual(glance(await loaded(order.map((one) => one ?? ''))), AT_A_GLANCE)
})

test('S13: lines of unknown types and newer versions are passed over', async () => {
  const strange = [
    { type: 'brand-new', sessionId: SESSION, payload: { a: 1 } },
    { ...line(90, 'hologram', {}), parentUuid: lineId(2) },
    { type: 'user' },
    ['not', 'an', 'object'],
    'null',
    '7',
    '"text"',
  ].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const session = await loaded([...CONVERSATION.slice(0, 2), ...strange, ...CONVERSATION.slice(2)])
  assert.deepEqual(glance(session), AT_A_GLANCE)
})

test('a mark at the beginning, other newlines and empty lines do no harm', async () => {
  using at = sessionsFolder()
  const dos = transcriptText(CONVERSATION).replaceAll('\n', '\r\n')
  const session = await load(at.write(`\uFEFF${dos}\r\n\n`))
  assert.deepEqual([glance(session), session?.repairs], [AT_A_GLANCE, []])
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
    user(1, 'One.'),
    assistant(2, blocks),
    user(3, [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }]),
    user(4, [{ type: 'image', source: { type: 'base64', media_type: 'image/pnf', data: 'AAAA' } }]),
    user(5, 'Two.'),
  ])
  const said = 'user: The result of a tool call that could not be read: x Two.'
  assert.deepEqual(glance(session), ['user: One.', 'assistant: kept also kept', said])
  assert.deepEqual(session?.repairs, [
    "13 block(s) of the session can't be used and were left out",
    '1 tool result(s) lost their call and were kept as text',
  ])
})

test('empty texts and an answer that broke off in thought are left out without a word', async () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }
  const session = await loaded([
    user(1, 'One.'),
    assistant(2, ''),
    user(3, ' '),
    user(4, 'Two.'),
    assistant(5, [thinking]),
  ])
  assert.deepEqual([glance(session), session?.repairs], [['user: One. Two.'], []])
  const whole = await loaded([user(1, 'One.'), assistant(2, [thinking]), assistant(3, 'Said.')])
  assert.deepEqual(glance(whole), ['user: One.', 'assistant: [thinking] Said.'])
})

test('a conversation whose beginning is lost goes on from what is left', async () => {
  const session = await loaded(['{"torn', ...CONVERSATION.slice(1)])
  assert.deepEqual(glance(session), [
    'user: The beginning of this conversation could not be read.',
    ...AT_A_GLANCE.slice(1),
  ])
  assert.match(session?.repairs.join('\n') ?? '', /line 1 .*damaged[\s\S]*beginning of the session is lost/)
})

test('messages of sub-agents and of the API itself are no part of the conversation', async () => {
  const lines = [
    user(1, 'One.'),
    user(2, 'Aside.', { isSidechain: true }),
    assistant(3, 'API Error', { parentUuid: lineId(1), isApiErrorMessage: true }),
    user(4, 'Two.', { parentUuid: lineId(3) }),
  ]
  assert.deepEqual(glance(await loaded(lines)), ['user: One. Two.'])
})

test('title, tag and costs of this session are read; those of the one it was copied from are not counted', async () => {
  const cost = { type: 'cost-entry', model: 'm', usage: {}, costUSD: 1, priced: true, durationMs: 5, ok: true }
  const session = await loaded([
    ...CONVERSATION,
    { type: 'custom-title', customTitle: 'First', sessionId: SESSION },
    { type: 'custom-title', customTitle: 'Second', sessionId: SESSION },
    { type: 'tag', tag: 'mine', sessionId: SESSION },
    { ...cost, sessionId: SESSION },
    { ...cost, sessionId: lineId(1) },
  ])
  assert.deepEqual([session?.title, session?.tag, session?.costs.length], ['Second', 'mine', 1])
})

test('where the file is whole: behind the last line, or the last record that lacks its newline', async () => {
  using at = sessionsFolder()
  const whole = transcriptText(CONVERSATION)
  const tail = async (content: string | Uint8Array) => {
    const { wholeTo, lacksNewline } = (await load(at.write(content)))?.tail ?? {}
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
