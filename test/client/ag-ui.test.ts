/** `kedge/ag-ui` against AG-UI: its schemas, its verifier, and its client on a real server. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildResumeArray, HttpAgent, type Interrupt } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import { type AgUiEvent, createAgUiHandler, toAgUiEvents } from 'kedge/ag-ui'
import { type Client, createClient } from 'kedge/client'
import { collectStream, createTestSession } from '../../src/client/bridges/test-session.js'
import { type Serving, serve, write } from '../server/serving.js'
import { sessionWith, TURNS } from './bridge-turns.js'

/** Parses each event, and has an agent read them, which rejects events in a wrong order. */
async function check(events: readonly AgUiEvent[]): Promise<void> {
  const sent = events.map((event) => JSON.stringify(event))
  for (const event of sent) EventSchemas.parse(JSON.parse(event))
  const body = sent.map((event) => `data: ${event}\n\n`).join('')
  const headers = { 'content-type': 'text/event-stream' }
  const agent = new HttpAgent({ url: 'http://page.test/', fetch: async () => new Response(body, { headers }) })
  const seen: string[] = []
  const subscriber = { onEvent: ({ event }: { event: { type: string } }) => void seen.push(event.type) }
  await agent.runAgent({}, subscriber)
  assert.deepEqual(
    seen,
    events.map(({ type }) => type),
  )
}

const textOf = (events: readonly AgUiEvent[]) =>
  events.flatMap((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? event.delta : [])).join('')

for (const [name, { write: writeTurn, waits }] of Object.entries(TURNS)) {
  test(`AG-UI accepts a turn: ${name}`, async () => {
    const made = createTestSession()
    const live = collectStream(toAgUiEvents(made.session, { prompt: 'p', since: 3 }))
    await made.view.until(() => true)
    writeTurn(made)
    const events = await live
    await check(events)
    const stored = await collectStream(toAgUiEvents(sessionWith(writeTurn).session, { prompt: 'p' }))
    await check(stored)
    const last = stored.at(-1)
    assert.equal(last?.type === 'RUN_FINISHED' && last.outcome.type === 'interrupt', waits === true)
    if (!name.includes('taken back')) assert.equal(textOf(events), textOf(stored))
  })
}

test('a call that the model takes back has a result, so that no page runs it', async () => {
  const made = createTestSession()
  const live = collectStream(toAgUiEvents(made.session, { prompt: 'p', since: 3 }))
  await made.view.until(() => true)
  TURNS['words that are taken back while they stream']?.write(made)
  const results = (await live).flatMap((event) =>
    event.type === 'TOOL_CALL_RESULT' ? [[event.toolCallId, event.content]] : [],
  )
  assert.deepEqual(results, [['c0', 'The model took this call back.']])
})

const clientOf = ({ url, server }: Serving): Client =>
  createClient({ url, token: server.token, backoff: { firstMs: 1, longestMs: 5 } })

/** An agent of AG-UI whose requests go to a handler. */
function agentOn(client: Client, serving: Serving, threadId: string) {
  const handler = createAgUiHandler(client, { session: (thread) => thread, create: { cwd: serving.options.cwd } })
  return new HttpAgent({
    url: 'http://page.test/agent',
    threadId,
    fetch: (url, init) => handler(new Request(url, init)),
  })
}

const userMessage = (id: string, content: string) => ({ id, role: 'user' as const, content })

test('an agent of AG-UI runs a session by kedge/ag-ui: messages, an interrupt, its answer with another input, and the state', async () => {
  await using serving = await serve([{ text: 'I write.', ...write('a.txt') }, 'Written.', 'Again.'])
  const client = clientOf(serving)
  const agent = agentOn(client, serving, '5e1f0000-0000-4000-8000-00000000000d')
  agent.addMessage(userMessage('u1', 'go'))
  let interrupts: Interrupt[] = []
  await agent.runAgent(
    {},
    {
      onRunFinishedEvent: ({ event }) => {
        if (event.outcome?.type === 'interrupt') interrupts = event.outcome.interrupts
      },
    },
  )
  const [interrupt] = interrupts
  assert.ok(interrupt)
  assert.deepEqual([interrupt.reason, interrupt.message?.split('?')[0]], ['tool_call', 'Allow Write'])
  assert.equal(agent.state.requests[0].id, interrupt.id)
  const editedArgs = { file_path: join(serving.options.cwd, 'a.txt'), content: 'edited\n' }
  const resume = buildResumeArray(interrupts, {
    [interrupt.id]: { status: 'resolved', payload: { approved: true, editedArgs } },
  })
  await agent.runAgent({ resume })
  assert.equal(readFileSync(join(serving.options.cwd, 'a.txt'), 'utf8'), 'edited\n')
  assert.deepEqual(agent.state.requests, [])
  const shown = agent.messages.map(({ role, content }) => [
    role,
    typeof content === 'string' && role !== 'tool' ? content : '',
  ])
  assert.deepEqual(shown, [
    ['user', 'go'],
    ['assistant', 'I write.'],
    ['assistant', ''],
    ['tool', ''],
    ['assistant', 'Written.'],
  ])
  agent.addMessage(userMessage('u2', 'again'))
  await agent.runAgent()
  assert.equal(agent.messages.at(-1)?.content, 'Again.')
})

test('an interrupt that is given up is a denial, and a question takes its answers', async () => {
  const option = (label: string) => ({ label, description: label })
  const questions = [
    { question: 'Which color?', header: 'Color', multiSelect: false, options: [option('Blue'), option('Red')] },
  ]
  await using serving = await serve([
    write('a.txt'),
    { tools: [{ name: 'AskUserQuestion', input: { questions } }] },
    'Blue.',
  ])
  const client = clientOf(serving)
  const agent = agentOn(client, serving, '5e1f0000-0000-4000-8000-00000000000e')
  agent.addMessage(userMessage('u1', 'go'))
  let interrupts: Interrupt[] = []
  const subscriber = {
    onRunFinishedEvent: ({ event }: { event: { outcome?: { type: string; interrupts?: Interrupt[] } } }) => {
      interrupts = event.outcome?.interrupts ?? []
    },
  }
  await agent.runAgent({}, subscriber)
  const [approval] = interrupts
  await agent.runAgent({ resume: [{ interruptId: approval?.id ?? '', status: 'cancelled' }] }, subscriber)
  assert.equal(existsSync(join(serving.options.cwd, 'a.txt')), false)
  const [question] = interrupts
  assert.deepEqual([question?.reason, question?.message], ['input_required', 'Which color?'])
  const payload = { answers: { 'Which color?': 'Blue' } }
  await agent.runAgent({ resume: [{ interruptId: question?.id ?? '', status: 'resolved', payload }] }, subscriber)
  assert.deepEqual([agent.messages.at(-1)?.content, interrupts], ['Blue.', []])
})

test('what is not a run, not allowed, or can’t reach the server, is refused', async () => {
  await using serving = await serve([])
  const handler = createAgUiHandler(clientOf(serving), {
    session: (thread) => (thread === 'mine' ? thread : undefined),
  })
  const post = async (handle: typeof handler, body: string) =>
    (await handle(new Request('http://page.test/', { method: 'POST', body }))).status
  const input = (threadId: string) =>
    JSON.stringify({ threadId, runId: 'r', messages: [userMessage('u', 'go')], tools: [], context: [] })
  assert.equal(await post(handler, '{"threadId":1}'), 400)
  assert.equal(await post(handler, 'nothing'), 400)
  assert.equal(await post(handler, input('another')), 403)
  assert.equal(await post(handler, input('mine')), 404)
  const away = createAgUiHandler(createClient({ url: 'http://127.0.0.1:1', retries: 0 }), {
    session: (thread) => thread,
  })
  assert.equal(await post(away, input('mine')), 502)
})
