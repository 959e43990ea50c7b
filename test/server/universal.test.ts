/** The universal API as its clients use it: names of their own, events by offset and as a stream, replies, problems. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import type { UniversalEvent } from '../../src/server/universal/universal-events.js'
import { type Anything, events, type Serving, serve, write } from './serving.js'

const BASE = '/universal/v1'
const QUESTIONS = [
  {
    question: 'Which?',
    header: 'Color',
    multiSelect: false,
    options: [
      { label: 'Red', description: 'r' },
      { label: 'Blue', description: 'b' },
    ],
  },
]

function client(serving: Serving) {
  const get = async (path: string) => (await serving.call('GET', `${BASE}${path}`)).json
  const post = (path: string, body?: unknown) => serving.call('POST', `${BASE}${path}`, { body })
  /** By asking again, as clients without streams do. */
  const until = async (name: string, type: string, from = 0): Promise<UniversalEvent[]> => {
    for (;;) {
      const { events: seen } = await get(`/sessions/${name}/events?offset=${from}`)
      if (seen.some((event: UniversalEvent) => event.type === type)) return seen
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return { get, post, until }
}
const find = (seen: UniversalEvent[], type: string): Anything => seen.find((event) => event.type === type)?.data

test('the paths of the universal API, and of the Agent Client Protocol over HTTP, are those that clients know', () => {
  const known = {
    listAcp: 'GET /v1/acp',
    postAcp: 'POST /v1/acp/{connection}',
    followAcp: 'GET /v1/acp/{connection}',
    removeAcp: 'DELETE /v1/acp/{connection}',
    universalGetHealth: 'GET /universal/v1/health',
    universalListAgents: 'GET /universal/v1/agents',
    universalGetAgent: 'GET /universal/v1/agents/{agent}',
    universalInstallAgent: 'POST /universal/v1/agents/{agent}/install',
    universalListModels: 'GET /universal/v1/agents/{agent}/models',
    universalListModes: 'GET /universal/v1/agents/{agent}/modes',
    universalListSessions: 'GET /universal/v1/sessions',
    universalCreateSession: 'POST /universal/v1/sessions/{name}',
    universalReadEvents: 'GET /universal/v1/sessions/{name}/events',
    universalFollow: 'GET /universal/v1/sessions/{name}/events/sse',
    universalSendMessage: 'POST /universal/v1/sessions/{name}/messages',
    universalStreamMessage: 'POST /universal/v1/sessions/{name}/messages/stream',
    universalReplyPermission: 'POST /universal/v1/sessions/{name}/permissions/{ask}/reply',
    universalReplyQuestion: 'POST /universal/v1/sessions/{name}/questions/{ask}/reply',
    universalRejectQuestion: 'POST /universal/v1/sessions/{name}/questions/{ask}/reject',
    universalTerminate: 'POST /universal/v1/sessions/{name}/terminate',
    universalListAcp: 'GET /universal/v1/acp',
    universalPostAcp: 'POST /universal/v1/acp/{connection}',
    universalFollowAcp: 'GET /universal/v1/acp/{connection}',
    universalRemoveAcp: 'DELETE /universal/v1/acp/{connection}',
  }
  const here = OPERATIONS.filter(({ id }) => /^universal|Acp$/.test(id)).map(({ id, method, path }) => [
    id,
    `${method.toUpperCase()} ${path}`,
  ])
  assert.deepEqual(Object.fromEntries(here), known)
})

test('a client of the universal API makes a session, sends, is asked, answers, and reads everything', async () => {
  await using serving = await serve([
    write('a.txt'),
    'Written.',
    { tools: [{ name: 'AskUserQuestion', input: { questions: QUESTIONS } }] },
    'Blue it is.',
    write('b.txt'),
    'Not written.',
    'Streamed.',
  ])
  const { get, post, until } = client(serving)
  assert.deepEqual(await get('/health'), { status: 'ok' })
  const { agents } = await get('/agents')
  assert.deepEqual(
    [agents[0].id, agents[0].installed, Object.keys(agents[0].capabilities).length],
    ['claude', true, 19],
  )
  assert.deepEqual((await post('/agents/claude/install', {})).json, { already_installed: true, artifacts: [] })
  // As clients of 0.4 ask for it.
  const { agents: set } = await get('/agents?config=true&no_cache=true')
  assert.deepEqual(await get('/agents/kedge?config=true'), set[0])
  const ids = (agent: Anything) => agent.configOptions?.map(({ id }: Anything) => id)
  assert.deepEqual([ids(agents[0]), ids(set[0])], [undefined, ['mode', 'model', 'context', 'sandbox']])
  assert.equal(set[1].configOptions[1].currentValue, 'practice')
  assert.equal((await serving.call('GET', '/universal/v1/agents/none')).json.code, 'unsupported_agent')
  assert.deepEqual(
    (await get('/agents/claude/modes')).modes.map(({ id }: { id: string }) => id),
    ['build', 'plan'],
  )
  assert.ok((await get('/agents/claude/models')).models.length > 1)
  assert.equal((await get('/agents/mock/models')).defaultModel, 'practice')

  const name = 'my%20session'
  const made = await post(`/sessions/${name}`, { agent: 'claude', agentMode: 'build', permissionMode: 'default' })
  assert.deepEqual([made.status, made.json.healthy], [200, true])
  assert.equal(
    (await post(`/sessions/${name}`, { agent: 'claude' })).json.type,
    'urn:sandbox-agent:error:session_already_exists',
  )
  assert.equal((await post(`/sessions/${name}/messages`, { message: 'go' })).status, 204)
  const first = await until(name, 'permission.requested')
  const permission = find(first, 'permission.requested')
  assert.deepEqual(
    [permission.action, permission.metadata.toolName, permission.preview.type],
    ['Write', 'Write', 'diff'],
  )
  const reply = `/sessions/${name}/permissions/${permission.permission_id}/reply`
  assert.equal((await post(reply, { reply: 'once' })).status, 204)
  assert.equal((await post(reply, { reply: 'once' })).status, 404)
  const written = await until(name, 'turn.ended')
  assert.equal(find(written, 'permission.resolved').status, 'accept')
  const files = written
    .flatMap(({ data }: Anything) => data.item?.content ?? [])
    .filter(({ type }: Anything) => type === 'file_ref')
  assert.deepEqual([files[0].path, files[0].action], ['a.txt', 'write'])

  let offset = written.at(-1)?.sequence ?? 0
  await post(`/sessions/${name}/messages`, { message: 'ask me' })
  const question = find(await until(name, 'question.requested', offset), 'question.requested')
  assert.deepEqual([question.prompt, question.options], ['Which?', ['Red', 'Blue']])
  await post(`/sessions/${name}/questions/${question.question_id}/reply`, { answers: [['Blue']] })
  const answered = await until(name, 'turn.ended', offset)
  assert.equal(find(answered, 'question.resolved').response, 'Blue')
  assert.match(JSON.stringify(serving.model.requests.at(-1)?.body), /Blue/)

  offset = answered.at(-1)?.sequence ?? 0
  await post(`/sessions/${name}/messages`, { message: 'again' })
  const { permission_id: id } = find(await until(name, 'permission.requested', offset), 'permission.requested')
  assert.equal((await post(`/sessions/${name}/questions/${id}/reply`, { answers: [] })).status, 404)
  assert.equal((await post(`/sessions/${name}/questions/${id}/reject`)).status, 204)
  await until(name, 'turn.ended', offset)

  const streamed = await serving.streamed('POST', `${BASE}/sessions/${name}/messages/stream?include_raw=true`, {
    message: 'tell',
  })
  assert.equal(streamed.at(-1)?.type, 'turn.ended')
  assert.ok(streamed.every(({ raw }) => raw !== undefined))
  const said = streamed.flatMap(({ type, data }) => (type === 'item.delta' ? [data['delta']] : [])).join('')
  assert.equal(said, 'Streamed.')

  const { sessions } = await get('/sessions')
  const { events: all, hasMore } = await get(`/sessions/${name}/events?limit=10000`)
  assert.deepEqual(
    [sessions[0].sessionId, sessions[0].eventCount, sessions[0].agent, hasMore],
    ['my session', all.length, 'claude', false],
  )
  assert.deepEqual(
    all.map(({ sequence }: UniversalEvent) => sequence),
    all.map((_: unknown, n: number) => n + 1),
  )
  assert.ok(all.every((event: UniversalEvent) => event.session_id === 'my session' && event.raw === undefined))
  const page = await get(`/sessions/${name}/events?offset=3&limit=4`)
  assert.deepEqual([page.events, page.hasMore], [all.slice(3, 7), true])
  const live: UniversalEvent[] = []
  for await (const { id: number, data } of events(serving, `${BASE}/sessions/${name}/events/sse`, {
    'last-event-id': '5',
  })) {
    assert.equal(number, String((data as UniversalEvent).sequence))
    live.push(data as UniversalEvent)
    if (live.length === all.length - 5) break
  }
  assert.deepEqual(live, all.slice(5))
  // A client that has no number yet sends an empty one.
  const empty = events(serving, `${BASE}/sessions/${name}/events/sse?offset=5`, { 'last-event-id': '' })
  assert.deepEqual((await empty.next()).value?.data, all[5])
  await empty.return()
  assert.ok(all.every(({ type }: UniversalEvent) => (type as string) !== 'agent.unparsed'))
  assert.equal((await post(`/sessions/${name}/terminate`)).status, 204)
  assert.equal(find(await until(name, 'session.ended'), 'session.ended').reason, 'terminated')
})

test('problems of the universal API have the types its clients know, and a token for one session stays there', async () => {
  await using serving = await serve([])
  const { post } = client(serving)
  const typeOf = async (method: string, path: string, body?: unknown, token?: string) => {
    const more = { ...(body === undefined ? {} : { body }), ...(token === undefined ? {} : { token }) }
    const { json, headers } = await serving.call(method, `${BASE}${path}`, more)
    assert.equal(headers['content-type'], 'application/problem+json')
    return json.type.replace('urn:sandbox-agent:error:', '')
  }
  await post('/sessions/one', { agent: 'kedge', permissionMode: 'plan', variant: 'low', title: 'Given' })
  const { nativeSessionId } = (await post('/sessions/two', { agent: 'mock' })).json
  assert.equal(await typeOf('GET', '/sessions/none/events'), 'session_not_found')
  assert.equal(await typeOf('POST', '/sessions/three', { agent: 'codex' }), 'unsupported_agent')
  assert.equal(await typeOf('POST', '/sessions/three', { agent: 'claude', mcp: {} }), 'invalid_request')
  assert.equal(await typeOf('POST', '/sessions/three', { agent: 'claude', directory: '/etc' }), 'invalid_request')
  assert.equal(await typeOf('GET', '/agents', undefined, 'wrong'), 'token_invalid')
  const body = { name: 'Bob', scopes: ['prompt'], sessions: [nativeSessionId] }
  const { token } = (await serving.call('POST', '/v1/tokens', { body })).json
  assert.equal(await typeOf('POST', '/sessions/one/messages', { message: 'x' }, token), 'permission_denied')
  assert.equal(await typeOf('POST', '/sessions/four', { agent: 'claude' }, token), 'permission_denied')
  const { sessions } = (await serving.call('GET', `${BASE}/sessions`, { token })).json
  assert.deepEqual(
    sessions.map(({ sessionId, agent, model }: Anything) => [sessionId, agent, model]),
    [['two', 'mock', 'practice']],
  )
})
