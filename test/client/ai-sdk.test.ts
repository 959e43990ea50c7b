/** `kedge/ai-sdk` against the AI SDK: its schema reads every chunk, and its chat works on a real server. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Chat } from '@ai-sdk/react'
import {
  type ChatTransport,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
  validateUIMessages,
} from 'ai'
import {
  createChatHandler,
  createChatTransport,
  type KedgeDataParts,
  toUIMessageStream,
  toUIMessages,
} from 'kedge/ai-sdk'
import { type Client, createClient } from 'kedge/client'
import { partsOfChunks } from '../../src/client/bridges/ai-sdk/chunk-fold.js'
import { toServerSentEvents } from '../../src/client/bridges/stream-of.js'
import { collectStream, createTestSession } from '../../src/client/bridges/test-session.js'
import { type Serving, serve, write } from '../server/serving.js'
import { eventually } from '../support/eventually.js'
import { sessionWith, TURNS } from './bridge-turns.js'

type PageMessage = UIMessage<unknown, KedgeDataParts>

const clientOf = ({ url, server }: Serving): Client =>
  createClient({ url, token: server.token, backoff: { firstMs: 1, longestMs: 5 } })

/** The message as the library puts it together. */
async function messageOf(chunks: UIMessageChunk[]): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream, onError: () => {} })) last = message
  return last
}

/** As JSON has it, without what the library adds to streamed parts. */
const plain = (parts: unknown) =>
  JSON.parse(JSON.stringify(parts, (key, value) => (key === 'rawInput' ? undefined : value)))

const streamFrom = (chunks: readonly UIMessageChunk[]) =>
  new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

for (const [name, { write: writeTurn, waits }] of Object.entries(TURNS)) {
  test(`the library reads a turn: ${name}`, async () => {
    // It comes while it's read.
    const made = createTestSession()
    const live = collectStream(toUIMessageStream(made.session, { prompt: 'p', since: 3 }))
    await made.view.until(() => true)
    writeTurn(made)
    const chunks: UIMessageChunk[] = await live
    const stream = toServerSentEvents(streamFrom(chunks), '[DONE]')
    const parsed = await collectStream(parseJsonEventStream({ stream, schema: uiMessageChunkSchema }))
    assert.deepEqual(plain(parsed.map((one) => (one.success ? one.value : one.error))), plain(chunks))
    const last = chunks.findLast(({ type }) => type === 'finish')
    assert.equal(last?.type === 'finish' && last.finishReason === 'tool-calls', waits === true)
    const message = await messageOf(chunks)
    assert.ok(message)
    if (message.parts.length > 0) await validateUIMessages({ messages: [message] })
    // The same from a log that is complete.
    const stored = await collectStream(toUIMessageStream(sessionWith(writeTurn).session, { prompt: 'p' }))
    assert.deepEqual(plain((await messageOf(stored))?.parts), plain(partsOfChunks(stored).parts))
    const texts = ({ parts }: UIMessage) => parts.flatMap((part) => (part.type === 'text' ? part.text : []))
    assert.deepEqual(texts((await messageOf(stored)) ?? message), texts(message))
  })
}

/** A chat as `useChat` has it, on a session of a real server. */
async function chatOn(
  serving: Serving,
  transport: (client: Client) => ChatTransport<PageMessage> = createChatTransport,
) {
  const client = clientOf(serving)
  const { id } = await client.create({ cwd: serving.options.cwd })
  const errors: string[] = []
  const chat = new Chat<PageMessage>({
    id,
    transport: transport(client),
    sendAutomaticallyWhen: (given) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(given) || lastAssistantMessageIsCompleteWithToolCalls(given),
    onError: ({ message }) => errors.push(message),
  })
  return { client, id, chat, errors }
}

/** Resolves when the chat rests, and its last message has this text. */
const settled = (chat: Chat<PageMessage>, text: string) =>
  eventually(`the chat says ${text}`, () => chat.status === 'ready' && textsIn(chat.messages).at(-1) === text)

const textsIn = (messages: readonly PageMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])))
const callsIn = (messages: readonly PageMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'dynamic-tool' ? part : [])))

test('a chat on kedge/ai-sdk sends prompts, shows approvals, and continues with the answer', async () => {
  await using serving = await serve([write('a.txt'), 'Written.', 'Again.'])
  const { chat, client, id, errors } = await chatOn(serving)
  await chat.sendMessage({ text: 'go' })
  const [call] = callsIn(chat.messages)
  assert.deepEqual([call?.toolName, call?.state], ['Write', 'approval-requested'])
  assert.ok(call?.state === 'approval-requested')
  await chat.addToolApprovalResponse({ id: call.approval.id, approved: true })
  await settled(chat, 'Written.')
  assert.ok(existsSync(join(serving.options.cwd, 'a.txt')))
  assert.deepEqual(
    callsIn(chat.messages).map(({ state }) => state),
    ['output-available'],
  )
  await chat.sendMessage({ text: 'again' })
  assert.deepEqual(textsIn(chat.messages), ['go', 'Written.', 'again', 'Again.'])
  assert.deepEqual(errors, [])
  // A page that is loaded later begins with the same messages.
  const value = await client
    .session(id)
    .view()
    .until(() => true)
  const messages = toUIMessages<PageMessage>(value)
  assert.deepEqual(plain(messages), plain(chat.messages))
  await validateUIMessages({ messages })
})

test('an answer of another user counts if it was first, and one that is not needed any more is no error', async () => {
  await using serving = await serve([write('a.txt'), 'Refused.', write('b.txt')])
  const { chat, client, id, errors } = await chatOn(serving)
  await chat.sendMessage({ text: 'go' })
  const [ask] = await client.asks({ session: id })
  assert.ok(ask)
  await client.answer(id, ask, { kind: 'deny', message: 'Ada says no.' })
  await chat.addToolApprovalResponse({ id: ask.id, approved: true })
  await settled(chat, 'Refused.')
  const [call] = callsIn(chat.messages)
  assert.deepEqual(
    [call?.state, call?.approval?.approved, call?.approval?.reason],
    ['output-denied', false, 'Ada says no.'],
  )
  const answers = chat.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'data-request' ? part.data : [])),
  )
  assert.deepEqual(
    answers.map(({ id: asked, closed }) => [asked, 'answer' in closed && closed.answer]),
    [[ask.id, 'deny']],
  )
  await chat.sendMessage({ text: 'go on' })
  const [second] = await client.asks({ session: id })
  assert.ok(second)
  await client.interrupt(id)
  await eventually('the request is withdrawn', async () => (await client.asks({ session: id })).length === 0)
  await chat.addToolApprovalResponse({ id: second.id, approved: true })
  await eventually(
    'the chat rests',
    () => chat.status === 'ready' && callsIn(chat.messages).at(-1)?.state === 'output-denied',
  )
  assert.equal(existsSync(join(serving.options.cwd, 'b.txt')), false)
  assert.deepEqual(errors, [])
})

const QUESTIONS = [
  {
    question: 'Which color?',
    header: 'Color',
    multiSelect: false,
    options: ['Blue', 'Red'].map((label) => ({ label, description: label })),
  },
]

test('a question is answered with the output of its call', async () => {
  await using serving = await serve([
    { tools: [{ name: 'AskUserQuestion', input: { questions: QUESTIONS } }] },
    'Blue it is.',
  ])
  const { chat, errors } = await chatOn(serving)
  await chat.sendMessage({ text: 'ask me' })
  const [call] = callsIn(chat.messages)
  assert.deepEqual([call?.state, call?.providerExecuted], ['input-available', undefined])
  const output = { answers: { 'Which color?': 'Blue' } }
  await chat.addToolOutput({
    tool: 'AskUserQuestion' as never,
    toolCallId: call?.toolCallId ?? '',
    output: output as never,
  })
  await settled(chat, 'Blue it is.')
  assert.match(serving.model.requests.at(-1)?.toolResults[0]?.text ?? '', /"Which color\?"="Blue"/)
  assert.deepEqual(errors, [])
})

test('another page resumes a turn from its beginning, and answers its request', async () => {
  await using serving = await serve([{ text: 'I write.', ...write('a.txt') }, 'Written.'])
  const { chat, client, id } = await chatOn(serving)
  const other = new Chat<PageMessage>({ id, transport: createChatTransport(client), messages: [] })
  await other.resumeStream()
  assert.deepEqual([other.status, other.messages], ['ready', []])
  await chat.sendMessage({ text: 'go' })
  await other.resumeStream()
  await other.resumeStream()
  const [prompt, answer] = plain(chat.messages)
  assert.deepEqual(plain(other.messages), [answer])
  assert.equal(prompt.role, 'user')
  const [call] = callsIn(other.messages)
  assert.ok(call?.state === 'approval-requested')
  await other.addToolApprovalResponse({ id: call.approval.id, approved: true })
  await other.sendMessage()
  await settled(other, 'Written.')
})

test('stop interrupts the turn, or leaves it with `onStop: leave`', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const hang = () => {
    asked()
    return { noAnswer: 'hang' as const }
  }
  await using serving = await serve([hang, hang])
  const { chat, client, id } = await chatOn(serving)
  const sending = chat.sendMessage({ text: 'go' })
  await isAsked
  await chat.stop()
  await sending
  await eventually('the session rests', async () => (await client.info(id)).status === 'idle')
  const left = await chatOn(serving, (of) => createChatTransport(of, { onStop: 'leave' }))
  const leaving = left.chat.sendMessage({ text: 'go' })
  await eventually('the turn runs', async () => (await left.client.info(left.id)).status === 'running')
  await left.chat.stop()
  await leaving
  assert.equal((await left.client.info(left.id)).status, 'running')
  await left.client.interrupt(left.id)
})

test('a prompt is answered again, or edited: the conversation goes back to before it', async () => {
  await using serving = await serve(['Hello.', 'One.', 'Two.', 'Three.'])
  const { chat, client, id, errors } = await chatOn(serving)
  await chat.sendMessage({ text: 'hi' })
  await chat.sendMessage({ text: 'say' })
  await chat.regenerate()
  assert.deepEqual([textsIn(chat.messages), errors], [['hi', 'Hello.', 'say', 'Two.'], []])
  await chat.sendMessage({ text: 'say more', messageId: chat.messages[2]?.id ?? '' })
  assert.deepEqual([textsIn(chat.messages), errors], [['hi', 'Hello.', 'say more', 'Three.'], []])
  const { items } = await client
    .session(id)
    .view()
    .until(() => true)
  assert.deepEqual(
    items.flatMap((item) => (item.kind === 'text' ? item.text : [])),
    ['Hello.', 'Three.'],
  )
  // The first prompt has nothing before it that the agent could go back to.
  await chat.regenerate({ messageId: chat.messages[1]?.id ?? '' })
  assert.match(errors[0] ?? '', /Nothing comes before the first prompt/)
})

test('a session is created with the first prompt; files go with it', async () => {
  await using serving = await serve(['Seen.'])
  const client = clientOf(serving)
  const id = '5e1f0000-0000-4000-8000-00000000000a'
  const transport = createChatTransport(client, { create: { cwd: serving.options.cwd, title: 'From a page' } })
  const chat = new Chat<PageMessage>({ id, transport })
  const file = {
    type: 'file' as const,
    mediaType: 'text/plain',
    filename: 'a.txt',
    url: 'data:text/plain;base64,aGVsbG8=',
  }
  await chat.sendMessage({ text: 'look', files: [file] })
  assert.deepEqual(textsIn(chat.messages), ['look', 'Seen.'])
  assert.equal((await client.info(id)).title, 'From a page')
  assert.match(JSON.stringify(serving.model.requests.at(-1)?.body), /hello/)
  await chat.sendMessage({ files: [{ ...file, url: 'https://example.com/a.txt' }] })
  assert.match(chat.error?.message ?? '', /The file is an address/)
})

test('a server that is away is an error in the words of the client, and the chat works again with it', async () => {
  await using serving = await serve([])
  const { chat, errors } = await chatOn(serving, () =>
    createChatTransport(createClient({ url: 'http://127.0.0.1:1', retries: 0 })),
  )
  await chat.sendMessage({ text: 'go' })
  assert.equal(chat.status, 'error')
  assert.match(errors[0] ?? '', /reach/)
  const { chat: none } = await chatOn(serving, (client) =>
    createChatTransport(client, { session: () => '5e1f0000-0000-4000-8000-00000000000b' }),
  )
  await none.sendMessage({ text: 'go' })
  assert.match(none.error?.message ?? '', /5e1f0000-0000-4000-8000-00000000000b/)
  const transport = createChatTransport(clientOf(serving), { create: { cwd: serving.options.cwd } })
  const short = new Chat<PageMessage>({ id: 'abc', transport })
  await short.sendMessage({ text: 'go' })
  assert.match(short.error?.message ?? '', /"abc" can't be created, because its id isn't a UUID/)
})

/** A chat over a route of one's own, as the library calls it. */
function routeOf(serving: Serving, client: Client, more: { mine?: string } = {}) {
  const handler = createChatHandler(client, {
    session: (chatId, request) => (request.headers.get('x-user') === (more.mine ?? 'ada') ? chatId : undefined),
    create: { cwd: serving.options.cwd },
  })
  const calls: string[] = []
  const transport = new DefaultChatTransport<PageMessage>({
    api: 'http://page.test/api/chat',
    headers: { 'x-user': 'ada' },
    fetch: async (input, init) => {
      const request = new Request(input as string, init)
      const response = await handler(request)
      calls.push(`${request.method} ${new URL(request.url).pathname} ${response.status}`)
      return response
    },
  })
  return { handler, transport, calls }
}

test('a route of a server answers the library’s own transport: sends, approves, resumes, stops, and refuses', async () => {
  await using serving = await serve([write('a.txt'), 'Written.'])
  const client = clientOf(serving)
  const { handler, transport, calls } = routeOf(serving, client)
  const id = '5e1f0000-0000-4000-8000-00000000000c'
  const chat = new Chat<PageMessage>({
    id,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  await chat.resumeStream()
  await chat.sendMessage({ text: 'go' })
  await chat.resumeStream()
  const [call] = callsIn(chat.messages)
  assert.ok(call?.state === 'approval-requested')
  await chat.addToolApprovalResponse({ id: call.approval.id, approved: true })
  await settled(chat, 'Written.')
  const path = '/api/chat'
  assert.deepEqual(calls, [
    `GET ${path}/${id}/stream 204`,
    `POST ${path} 200`,
    `GET ${path}/${id}/stream 200`,
    `POST ${path} 200`,
  ])
  const mine = { 'x-user': 'ada' }
  const ask = (method: string, rest: string, init: RequestInit = {}) =>
    handler(new Request(`http://page.test${path}${rest}`, { method, headers: mine, ...init })).then(
      ({ status }) => status,
    )
  assert.equal(await ask('DELETE', `/${id}`), 204)
  assert.equal(await ask('GET', `/${id}/stream`, { headers: {} }), 403)
  assert.equal(await ask('POST', '', { body: '{"id":"x"}' }), 400)
  assert.equal(await ask('POST', '', { body: 'nothing' }), 400)
  assert.equal(await ask('GET', ''), 404)
  assert.equal(await ask('GET', '/%E0%A4/stream'), 404)
  const revoked = createChatHandler(createClient({ url: serving.url, token: 'wrong' }), { session: (chatId) => chatId })
  assert.equal((await revoked(new Request(`http://page.test${path}/${id}/stream`))).status, 502)
  const broken = createChatHandler(client, {
    session: () => {
      throw new Error('The database has no table.')
    },
  })
  // An error of the program around it is for that program alone.
  await assert.rejects(broken(new Request(`http://page.test${path}/${id}/stream`)), /no table/)
  const away = createChatHandler(createClient({ url: 'http://127.0.0.1:1', retries: 0 }), {
    session: (chatId) => chatId,
  })
  const response = await away(new Request(`http://page.test${path}/${id}/stream`))
  assert.deepEqual([response.status, /reach/.test(await response.text())], [502, true])
})

test('a turn that a restart of the server interrupts ends the chat with its reason, and the next prompt works', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const hang = () => {
    asked()
    return { noAnswer: 'hang' as const }
  }
  await using serving = await serve([hang, 'After it.'])
  const { chat, errors } = await chatOn(serving)
  const sending = chat.sendMessage({ text: 'go' })
  await isAsked
  await serving.server.close()
  await serving.restart({ port: Number(new URL(serving.url).port) })
  await sending
  assert.match(errors[0] ?? '', /not finished|interrupted/)
  await chat.sendMessage({ text: 'again' })
  assert.deepEqual(textsIn(chat.messages).at(-1), 'After it.')
})
