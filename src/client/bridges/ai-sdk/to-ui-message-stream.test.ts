import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answeredRequestEntries,
  assistantMessageEntry,
  BRIDGE_TEST_SESSION_ID,
  callResultEntry,
  collectStream,
  createTestSession,
  modelTextBlock,
  modelThinkingBlock,
  modelToolUseBlock,
  openFormEntries,
  openRequestEntries,
  queuedAndStartedPromptEntries,
  readUntil,
  startedPromptEntries,
  turnEndEntries,
  UNREACHABLE_SERVER_ERROR,
  warningNoticeEntry,
} from '../test-session.js'
import { partsOfChunks } from './chunk-fold.js'
import { toUIMessageStream, type UiStreamOptions } from './to-ui-message-stream.js'
import type { UiChunk } from './ui-chunks.js'

const typesOf = (chunks: readonly UiChunk[]) => chunks.map(({ type }) => type)

function chunksOf(session: ReturnType<typeof createTestSession>, options: UiStreamOptions = { prompt: 'p' }) {
  return collectStream(toUIMessageStream(session.session, options))
}

test('a turn is one message: steps, reasoning, text, a call with its result, and what it cost', async () => {
  const made = createTestSession()
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [
      modelThinkingBlock('Hm.'),
      modelTextBlock('I look.'),
      modelToolUseBlock('c1', 'Bash', { command: 'ls' }),
    ]),
    callResultEntry('c1', 'a.txt'),
    assistantMessageEntry('m2', [modelTextBlock('One file.')]),
    ...turnEndEntries('p'),
  )
  const call = { toolCallId: 'c1', toolName: 'Bash', dynamic: true, providerExecuted: true }
  assert.deepEqual(await chunksOf(made), [
    { type: 'start', messageId: 'turn-p' },
    { type: 'start-step' },
    { type: 'reasoning-start', id: 'm1-0', providerMetadata: { kedge: { key: 'm1-0' } } },
    { type: 'reasoning-delta', id: 'm1-0', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'm1-0' },
    { type: 'text-start', id: 'm1-1', providerMetadata: { kedge: { key: 'm1-1' } } },
    { type: 'text-delta', id: 'm1-1', delta: 'I look.' },
    { type: 'text-end', id: 'm1-1' },
    { type: 'tool-input-start', ...call },
    { type: 'tool-input-available', input: { command: 'ls' }, ...call },
    {
      type: 'tool-output-available',
      output: 'a.txt',
      toolCallId: 'c1',
      dynamic: true,
      providerExecuted: true,
    },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-start', id: 'm2-0', providerMetadata: { kedge: { key: 'm2-0' } } },
    { type: 'text-delta', id: 'm2-0', delta: 'One file.' },
    { type: 'text-end', id: 'm2-0' },
    { type: 'finish-step' },
    {
      type: 'finish',
      finishReason: 'stop',
      messageMetadata: {
        kedge: {
          outcome: 'done',
          costUsd: 0.5,
          durationMs: 5,
          usage: { input_tokens: 3, output_tokens: 4 },
        },
      },
    },
  ])
})

test('text comes in pieces as the model writes it, and each piece once, also over a connection that breaks', async () => {
  const made = createTestSession()
  const start = { type: 'message_start', message: { id: 'm1', usage: {} } }
  const begin = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
  const piece = (words: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: words },
  })
  made.log(...queuedAndStartedPromptEntries('p'))
  const reader = toUIMessageStream(made.session, { prompt: 'p' }).getReader()
  made.stream(start, begin, piece('Héllo '))
  const before = await readUntil(reader, ({ type }) => type === 'text-delta')
  made.lose()
  const lost = await readUntil(reader, ({ type }) => type === 'data-connection')
  assert.deepEqual(lost.at(-1), {
    type: 'data-connection',
    data: { isLost: true, problem: 'Can’t reach http://127.0.0.1:4141. Start the server.' },
    transient: true,
  })
  made.connect()
  await readUntil(reader, (chunk) => chunk.type === 'data-connection' && !chunk.data.isLost)
  // It begins again for a reader who comes back.
  made.stream(start, begin, piece('Héllo wor'))
  const after = await readUntil(reader, ({ type }) => type === 'text-delta')
  made.log(assistantMessageEntry('m1', [modelTextBlock('Héllo world')]), ...turnEndEntries('p'))
  const rest = await readUntil(reader, ({ type }) => type === 'finish')
  const all = [...before, ...after, ...rest]
  const deltas = all.flatMap((chunk) => (chunk.type === 'text-delta' ? chunk.delta : []))
  assert.deepEqual(deltas, ['Héllo ', 'wor', 'ld'])
  assert.equal(typesOf(all).filter((type) => type === 'text-start').length, 1)
})

test('words that the model takes back are taken out of the message', async () => {
  const made = createTestSession()
  const words = (id: string, said: string) => [
    { type: 'message_start', message: { id, usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
  ]
  made.log(...queuedAndStartedPromptEntries('p'), warningNoticeEntry('Slow.'))
  const reader = toUIMessageStream(made.session, { prompt: 'p' }).getReader()
  made.stream(...words('m1', 'Half of it'))
  const first = await readUntil(reader, ({ type }) => type === 'text-delta')
  made.stream(...words('m2', 'All of it'))
  const second = await readUntil(reader, ({ type }) => type === 'text-delta')
  made.log(assistantMessageEntry('m2', [modelTextBlock('All of it.')]), ...turnEndEntries('p'))
  const all = [...first, ...second, ...(await readUntil(reader, ({ type }) => type === 'finish'))]
  assert.ok(typesOf(all).includes('reset-step'))
  const { parts } = partsOfChunks(all)
  assert.deepEqual(
    parts.map(({ type, text, data }) => [type, text ?? data]),
    [
      ['data-notice', { level: 'warning', text: 'Slow.' }],
      ['step-start', undefined],
      ['text', 'All of it.'],
    ],
  )
})

test('a request ends the stream with an approval, and the answer continues the same message', async () => {
  const made = createTestSession()
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelTextBlock('May I?'), modelToolUseBlock('c1', 'Bash', { command: 'ls' })]),
    ...openRequestEntries('a1', 'c1', 'Bash'),
  )
  const first = await chunksOf(made)
  const why = { layer: 'mode', text: 'The mode asks.' }
  assert.deepEqual(first.slice(-3), [
    {
      type: 'tool-approval-request',
      approvalId: 'a1',
      toolCallId: 'c1',
      reason: 'The mode asks.',
      approvalDescriptor: { id: 'a1', session: BRIDGE_TEST_SESSION_ID, kind: 'permission', why, suggestions: [] },
    },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'tool-calls' },
  ])
  const message = { id: 'turn-p', role: 'assistant', parts: partsOfChunks(first).parts }
  const second = collectStream(toUIMessageStream(made.session, { prompt: 'p', message, answered: ['a1'] }))
  made.log(
    ...answeredRequestEntries('a1', { kind: 'allow' }),
    callResultEntry('c1', 'a.txt'),
    assistantMessageEntry('m2', [modelTextBlock('Done.')]),
    ...turnEndEntries('p'),
  )
  assert.deepEqual(typesOf(await second), [
    ...['start', 'data-request', 'tool-approval-response', 'tool-output-available', 'start-step', 'text-start'],
    ...['text-delta', 'text-end', 'finish-step', 'finish'],
  ])
})

test('calls that wait behind a request come later, so that the last step has only calls with an answer', async () => {
  const made = createTestSession()
  const calls = [
    modelToolUseBlock('c1', 'Bash', { command: 'ls' }),
    modelToolUseBlock('c2', 'Bash', { command: 'pwd' }),
  ]
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelTextBlock('Two.'), ...calls]),
    ...openRequestEntries('a1', 'c1', 'Bash'),
  )
  const first = await chunksOf(made)
  const { parts } = partsOfChunks(first)
  assert.deepEqual(
    parts.map((part) => [part.type, part['toolCallId'], part['state']]),
    [
      ['step-start', undefined, undefined],
      ['text', undefined, 'done'],
      ['step-start', undefined, undefined],
      ['dynamic-tool', 'c1', 'approval-requested'],
    ],
  )
  const message = { id: 'turn-p', role: 'assistant', parts }
  made.log(
    ...answeredRequestEntries('a1', { kind: 'allow' }),
    callResultEntry('c1', 'a'),
    ...openRequestEntries('a2', 'c2', 'Bash'),
  )
  const second = await chunksOf(made, { prompt: 'p', message, answered: ['a1'] })
  assert.deepEqual(typesOf(second), [
    ...['start', 'data-request', 'tool-approval-response', 'tool-output-available', 'start-step'],
    ...['tool-input-start', 'tool-input-available', 'tool-approval-request', 'finish-step', 'finish'],
  ])
})

test('an answer that was denied, given by another user, or not needed any more shows as what it was', async () => {
  const made = createTestSession()
  const calls = ['c1', 'c2', 'c3'].map((id) => modelToolUseBlock(id, 'Bash', { command: id }))
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', calls),
    ...openRequestEntries('a1', 'c1', 'Bash'),
    ...openRequestEntries('a2', 'c2', 'Bash'),
  )
  made.log(...openRequestEntries('a3', 'c3', 'Bash'))
  made.log(
    ...answeredRequestEntries('a1', { kind: 'deny', message: 'Not now.' }),
    callResultEntry('c1', 'denied', true),
  )
  made.log(...answeredRequestEntries('a2', { kind: 'allow' }), callResultEntry('c2', 'b'))
  made.log({ kind: 'withdrawn', data: { ask: 'a3', reason: 'The turn was stopped.' } }, ...turnEndEntries('p'))
  const { parts } = partsOfChunks(await chunksOf(made))
  const calledBy = parts.flatMap((part) => (part.type === 'dynamic-tool' ? [[part['state'], part['approval']]] : []))
  const asked = { requestReason: 'The mode asks.' }
  const shown = calledBy.map(([state, approval]) => [state, { ...Object(approval), descriptor: undefined }])
  assert.deepEqual(shown, [
    ['output-denied', { id: 'a1', descriptor: undefined, ...asked, approved: false, reason: 'Not now.' }],
    ['output-available', { id: 'a2', descriptor: undefined, ...asked, approved: true }],
    ['output-denied', { id: 'a3', descriptor: undefined, ...asked, approved: false, reason: 'The turn was stopped.' }],
  ])
  const requests = parts.flatMap((part) => (part.type === 'data-request' ? [part['data']] : []))
  const by = { name: 'Ada' }
  assert.deepEqual(requests, [
    { id: 'a1', closed: { answer: 'deny', by } },
    { id: 'a2', closed: { answer: 'allow', by } },
    { id: 'a3', closed: { withdrawn: 'The turn was stopped.' } },
  ])
})

test('with `wait`, the stream continues through requests, whoever answers', async () => {
  const made = createTestSession()
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelToolUseBlock('c1', 'Bash')]),
    ...openRequestEntries('a1', 'c1', 'Bash'),
  )
  const reader = toUIMessageStream(made.session, { prompt: 'p', onRequest: 'wait' }).getReader()
  await readUntil(reader, ({ type }) => type === 'tool-approval-request')
  made.log(...answeredRequestEntries('a1', { kind: 'allow' }), callResultEntry('c1', ''), ...turnEndEntries('p'))
  const rest = await readUntil(reader, ({ type }) => type === 'finish')
  assert.deepEqual(typesOf(rest).slice(0, 3), ['data-request', 'tool-approval-response', 'tool-output-available'])
})

test('a question is a call of the page, a plan an approval, and the form of a server a call of its own', async () => {
  const made = createTestSession()
  const question = openRequestEntries('a1', 'c1', 'AskUserQuestion', { kind: 'question' })
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelToolUseBlock('c1', 'AskUserQuestion', { questions: [] })]),
    ...question,
  )
  const asked = await chunksOf(made)
  const call = { toolCallId: 'c1', toolName: 'AskUserQuestion', dynamic: true }
  assert.deepEqual(asked.slice(2, 4), [
    { type: 'tool-input-start', ...call },
    { type: 'tool-input-available', input: { questions: [] }, ...call },
  ])
  assert.deepEqual(asked.at(-1), { type: 'finish', finishReason: 'tool-calls' })
  made.log(...answeredRequestEntries('a1', { kind: 'answers', answers: { q: 'a' } }), callResultEntry('c1', 'q: a'))
  made.log(
    assistantMessageEntry('m2', [modelToolUseBlock('c2', 'ExitPlanMode', { plan: 'Do it.' })]),
    ...openRequestEntries('a2', 'c2', 'ExitPlanMode', { kind: 'plan' }),
  )
  const plan = partsOfChunks(await chunksOf(made)).parts.at(-1)
  assert.deepEqual([plan?.['toolName'], plan?.['state']], ['ExitPlanMode', 'approval-requested'])
  const form = { serverName: 'shop', message: 'Your size?' }
  made.log(
    ...answeredRequestEntries('a2', { kind: 'approve' }),
    callResultEntry('c2', 'ok'),
    ...openFormEntries('a3', form),
  )
  const { parts } = partsOfChunks(await chunksOf(made))
  const { type: _, ...shown } = parts.at(-1) ?? { type: '' }
  assert.deepEqual(shown, {
    toolName: 'McpElicitation',
    toolCallId: 'a3',
    state: 'input-available',
    input: form,
  })
})

test('a sub-agent is a data part, and its request an approval with the call it is about', async () => {
  const made = createTestSession()
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelToolUseBlock('t1', 'Task', { description: 'Look', prompt: 'Look.' })]),
  )
  made.log(
    assistantMessageEntry('s1', [modelTextBlock('Inside.'), modelToolUseBlock('c1', 'Bash', { command: 'ls' })], 't1'),
  )
  made.log(...openRequestEntries('a1', 'c1', 'Bash', { agent: ['x'], asker: { type: 'Explore', job: 'Look' } }))
  const { parts } = partsOfChunks(await chunksOf(made))
  const data = { toolCallId: 't1', description: 'Look', status: 'called', calls: 1, tokens: 0 }
  assert.deepEqual(
    parts.map(({ type, state, data }) => [type, state ?? data]),
    [
      ['step-start', undefined],
      ['dynamic-tool', 'input-available'],
      ['data-agent', data],
      ['step-start', undefined],
      ['dynamic-tool', 'approval-requested'],
    ],
  )
})

test('a stream that begins in the middle of a turn has all of it', async () => {
  const made = createTestSession()
  made.log(
    ...queuedAndStartedPromptEntries('p0'),
    assistantMessageEntry('m0', [modelTextBlock('Before.')]),
    ...turnEndEntries('p0'),
  )
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelTextBlock('One.'), modelToolUseBlock('c1', 'Bash')]),
  )
  const stream = collectStream(toUIMessageStream(made.session))
  made.log(callResultEntry('c1', 'x'), assistantMessageEntry('m2', [modelTextBlock('Two.')]), ...turnEndEntries('p'))
  const { parts } = partsOfChunks(await stream)
  assert.deepEqual(
    parts.flatMap((part) => part['text'] ?? part['output'] ?? []),
    ['One.', 'x', 'Two.'],
  )
})

test('a prompt waits for its turn; removed from the queue, it ends with an error', async () => {
  const made = createTestSession()
  made.log(...queuedAndStartedPromptEntries('p0'), {
    kind: 'prompt',
    data: { change: 'queued', prompt: { id: 'p', content: 'go', when: 'queue' } },
  })
  const waiting = chunksOf(made)
  made.log(
    assistantMessageEntry('m0', [modelTextBlock('Before.')]),
    ...turnEndEntries('p0'),
    ...startedPromptEntries('p'),
    assistantMessageEntry('m1', [modelTextBlock('Mine.')]),
    ...turnEndEntries('p'),
  )
  const { parts } = partsOfChunks(await waiting)
  assert.deepEqual(
    parts.map(({ text: words }) => words),
    [undefined, 'Mine.'],
  )
  made.log({ kind: 'prompt', data: { change: 'queued', prompt: { id: 'q', content: 'go', when: 'queue' } } })
  made.log({ kind: 'prompt', data: { change: 'removed', id: 'q' } })
  const removed = await chunksOf(made, { prompt: 'q' })
  assert.ok(removed.some((chunk) => chunk.type === 'error' && /was removed/.test(chunk.errorText)))
})

test('a turn that is interrupted ends its calls and says why; one that a user stopped is no error', async () => {
  const made = createTestSession()
  made.log(...queuedAndStartedPromptEntries('p'), assistantMessageEntry('m1', [modelToolUseBlock('c1', 'Bash')]))
  made.log({ kind: 'prompt', data: { change: 'interrupted', id: 'p', reason: 'The server was restarted.' } })
  const chunks = await chunksOf(made)
  const [error] = chunks.flatMap((chunk) => (chunk.type === 'error' ? chunk.errorText : []))
  assert.match(error ?? '', /The server was restarted\./)
  assert.deepEqual(chunks.at(-1)?.type, 'finish')
  const stopped = createTestSession()
  const reason = { is_error: true, subtype: 'error_during_execution', terminal_reason: 'aborted_tools', errors: [] }
  stopped.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelToolUseBlock('c1', 'Bash')]),
    ...turnEndEntries('p', reason as never),
  )
  const ended = await chunksOf(stopped)
  assert.deepEqual(
    ended.flatMap((chunk) => (chunk.type === 'tool-output-error' ? chunk.errorText : [])),
    ['The turn ended before this call did.'],
  )
  const last = ended.at(-1)
  assert.ok(last?.type === 'finish' && last.finishReason === 'interrupted')
})

test('a server that is away, or ends the view, is an error in its own words', async () => {
  const made = createTestSession()
  made.log(...queuedAndStartedPromptEntries('p'), assistantMessageEntry('m1', [modelTextBlock('Begun.')]))
  const reader = toUIMessageStream(made.session, { prompt: 'p', lostAfterMs: 0 }).getReader()
  await readUntil(reader, ({ type }) => type === 'text-end')
  made.lose()
  const lost = await readUntil(reader, ({ type }) => type === 'finish')
  assert.deepEqual(lost.at(-2), { type: 'error', errorText: 'Can’t reach http://127.0.0.1:4141. Start the server.' })
  const ended = createTestSession()
  ended.log(...queuedAndStartedPromptEntries('p'))
  const chunks = chunksOf(ended)
  ended.end(Object.assign(new Error('The token is wrong.'), { fix: 'Sign in again.' }))
  assert.deepEqual(
    (await chunks).flatMap((chunk) => (chunk.type === 'error' ? chunk.errorText : [])),
    ['The token is wrong. Sign in again.'],
  )
})

test('strange characters and calls without input arrive as they are', async () => {
  const made = createTestSession()
  const words = 'a\u2028\u0000\ud800😀</script>data: [DONE]\n\n'
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelTextBlock(words), modelToolUseBlock('c1', 'TaskList')]),
    callResultEntry('c1', [{ type: 'text', text: words }]),
  )
  made.log(...turnEndEntries('p'))
  const { parts } = partsOfChunks(await chunksOf(made))
  assert.deepEqual(
    parts.flatMap(({ text: said, output, input }) => [said, output, input].filter((one) => one !== undefined)),
    [words, words, {}],
  )
})

test('a slow reader gets fewer and longer pieces, and one that leaves ends nothing but its stream', async () => {
  const made = createTestSession()
  made.log(...queuedAndStartedPromptEntries('p'))
  const reader = toUIMessageStream(made.session, { prompt: 'p' }).getReader()
  await readUntil(reader, ({ type }) => type === 'start')
  made.stream(
    { type: 'message_start', message: { id: 'm1', usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  )
  const pieces = Array.from({ length: 500 }, (_, n) => `${n} `)
  for (const words of pieces)
    made.stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } })
  await made.view.until(({ items }) => items.some((item) => item.kind === 'text' && item.text.endsWith('499 ')))
  const chunks = await readUntil(reader, (chunk) => chunk.type === 'text-delta' && chunk.delta.endsWith('499 '))
  const deltas = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? chunk.delta : []))
  assert.equal(deltas.join(''), pieces.join(''))
  assert.ok(deltas.length < 50, `${deltas.length} pieces`)
  assert.equal(made.isFollowed(), true)
  await reader.cancel()
  assert.equal(made.isFollowed(), false)
})

test('a stream ends with its signal, and other words can stand for an error', async () => {
  const made = createTestSession()
  made.log(...queuedAndStartedPromptEntries('p'))
  const stop = new AbortController()
  const stopped = chunksOf(made, { prompt: 'p', signal: stop.signal })
  stop.abort()
  assert.deepEqual(typesOf(await stopped).includes('finish'), false)
  const describeError = ({ message }: Error) =>
    message === UNREACHABLE_SERVER_ERROR.message ? 'Try again later.' : message
  const reader = toUIMessageStream(made.session, { prompt: 'p', lostAfterMs: 0, describeError }).getReader()
  await readUntil(reader, ({ type }) => type === 'start')
  made.lose()
  const lost = await readUntil(reader, ({ type }) => type === 'error')
  assert.deepEqual(lost.at(-1), { type: 'error', errorText: 'Try again later.' })
})

test('without a prompt it is the turn under way, also one that a task began; the last one, if it ended meanwhile', async () => {
  const made = createTestSession()
  const [message] = turnEndEntries('')
  assert.ok(message)
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelTextBlock('Started.')]),
    ...turnEndEntries('p'),
    warningNoticeEntry('Beside it.'),
  )
  const last = partsOfChunks(await chunksOf(made, {})).parts
  assert.deepEqual(
    last.map(({ text: words }) => words),
    [undefined, 'Started.'],
  )
  made.log(
    { kind: 'state', data: { status: 'running' } },
    assistantMessageEntry('m2', [modelTextBlock('The task is done.')]),
  )
  const reader = toUIMessageStream(made.session).getReader()
  const begun = await readUntil(reader, ({ type }) => type === 'text-end')
  assert.deepEqual(typesOf(begun).slice(0, 2), ['start', 'data-notice'])
  made.log(message, { kind: 'state', data: { status: 'idle' } })
  const end = await readUntil(reader, ({ type }) => type === 'finish')
  const finish = end.at(-1)
  assert.ok(finish?.type === 'finish' && finish.finishReason === 'stop')
  // Its process ended, so it has no result.
  made.log({ kind: 'state', data: { status: 'running' } }, assistantMessageEntry('m3', [modelTextBlock('Half')]))
  const lost = chunksOf(made, {})
  await made.view.until(({ facts }) => facts.status === 'running')
  made.log({ kind: 'state', data: { status: 'idle' } })
  assert.ok((await lost).some(({ type }) => type === 'error'))
  const nothing = await chunksOf(createTestSession(), {})
  assert.deepEqual(typesOf(nothing).at(-1), 'finish')
})

test('a turn of earlier has nothing of the turns after it', async () => {
  const made = createTestSession()
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', [modelTextBlock('One.')]),
    ...turnEndEntries('p'),
  )
  made.log(...queuedAndStartedPromptEntries('q'), assistantMessageEntry('m2', [modelTextBlock('Half.')]))
  made.log({ kind: 'prompt', data: { change: 'interrupted', id: 'q', reason: 'A restart.' } })
  made.log(
    ...queuedAndStartedPromptEntries('r'),
    assistantMessageEntry('m3', [modelTextBlock('Three.')]),
    ...turnEndEntries('r'),
  )
  const texts = async (prompt: string) =>
    partsOfChunks(await chunksOf(made, { prompt })).parts.flatMap(({ text: words }) => words ?? [])
  assert.deepEqual([await texts('p'), await texts('q'), await texts('r')], [['One.'], ['Half.'], ['Three.']])
})
