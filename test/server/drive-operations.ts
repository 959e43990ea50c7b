/** Every operation of the API once, in an order that makes sense, by whatever client is given. */
import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import type { Step } from 'kedge/testing'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { type Anything, type Serving, write } from './serving.js'

export type Sent = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  /** As it is, of this type. */
  raw?: { type: string; text: string }
}
export type Got = { status: number; json: Anything; text: string }
/** By the id of the operation; of a stream, its beginning. */
export type Drive = (id: string, sent?: Sent) => Promise<Got>

const ASKING = {
  tools: [
    {
      name: 'AskUserQuestion',
      input: {
        questions: [
          {
            question: 'Which?',
            header: 'C',
            options: [
              { label: 'Red', description: 'r' },
              { label: 'Blue', description: 'b' },
            ],
            multiSelect: false,
          },
        ],
      },
    },
  ],
}
const SLEEP = { command: 'echo started; sleep 30', run_in_background: true, description: 'Sleeps' }
export const STEPS: Step[] = [
  ...[write('a.txt'), 'Written.', { tools: [{ name: 'Bash', input: SLEEP }] }, 'Runs.', 'Because.'],
  ...[write('b.txt'), 'Ok.', ASKING, 'Ok.', ASKING, 'Ok.', 'Streamed.'],
]

export async function driveSessions(serving: Serving, drive: Drive): Promise<void> {
  const { cwd } = serving.options
  const ok = async (id: string, sent?: Sent, status?: number) => {
    const got = await drive(id, sent)
    assert.ok(status === undefined ? got.status < 300 : got.status === status, `${id}: ${got.status} ${got.text}`)
    return got.json
  }
  const session = (await ok('createSession', { body: { cwd, title: 'Shopping' } })).id
  const at = { params: { session } }
  await ok('listSessions', { query: { status: ['idle', 'running'], limit: 5 } })
  await ok('getSession', at)
  await ok('changeSession', { ...at, body: { effort: 'low', title: 'Groceries' } })
  await ok('sendPrompt', { ...at, body: { id: '1', content: 'go' } })
  const ask = await serving.ask(session)
  await ok('sendPrompt', { ...at, body: { id: '2', content: 'next' } })
  await ok('sendPrompt', { ...at, body: { id: '3', content: 'never' } })
  await ok('reorderPrompts', { ...at, body: { order: ['3', '2'] } })
  await ok('removePrompt', { params: { session, prompt: '3' } })
  assert.equal((await ok('listPrompts', at)).prompts.length, 1)
  assert.equal((await ok('listAsks')).asks[0].id, ask.id)
  await ok('getAsk', { params: { session, ask: ask.id } })
  await ok('answerAsk', { params: { session, ask: ask.id }, body: { kind: 'allow' } })
  await serving.ended(session, '2')
  const [{ id: task }] = (await ok('listTasks', at)).tasks
  await ok('readTask', { params: { session, task } })
  await ok('stopTask', { params: { session, task } })
  const { entries } = await ok('readLog', { ...at, query: { limit: 10 } })
  const { message } = entries.find(({ data }: Anything) => data.change === 'started').data
  assert.equal((await ok('listChanges', at)).changes[0].path, 'a.txt')
  assert.deepEqual(await ok('listHistory', at), { messages: [], earlier: 0 })
  const said = await ok('listMessages', { ...at, query: { offset: 1, limit: 1 } })
  assert.equal(said.messages[0].type, 'assistant')
  assert.ok(said.total > 1)
  await ok('readFile', { ...at, query: { path: 'a.txt' } })
  assert.deepEqual((await ok('listFiles', { ...at, query: { text: 'a.txt' } })).files, ['a.txt'])
  for (const id of ['listModels', 'listCommands', 'listAgents', 'getContext', 'getSettings', 'listMcpServers'])
    await ok(id, at)
  assert.equal((await ok('askAside', { ...at, body: { question: 'And why?' } })).answer.length > 0, true)
  assert.deepEqual(await ok('reloadSession', at), { changes: [], problems: [] })
  assert.deepEqual(await ok('moveToBackground', { ...at, body: {} }), { moved: false })
  await ok('toggleMcpServer', { params: { session, server: 'gone' }, body: { enabled: false } })
  // It is not there: that is told as it should be.
  await ok('reconnectMcpServer', { params: { session, server: 'gone' } }, 422)
  assert.deepEqual(await ok('listMcpApps', at), { apps: [] })
  await ok('openMcpApp', { ...at, body: { server: 'gone', uri: 'ui://gone' } }, 422)
  const call = { server: 'gone', tool: 'gone', arguments: {} }
  assert.equal((await ok('callMcpApp', { ...at, body: call })).isError, true)
  await ok('explainPermission', { body: { cwd, tool: 'Bash', input: { command: 'ls' } } })
  await ok('interrupt', { ...at, body: { scope: 'all' } })
  await ok('resumeQueue', at)
  assert.match((await drive('followSession', { ...at, query: { after: 0 } })).text, /^id: 1$/m)
  assert.match((await drive('followAll', { query: { after: 0 } })).text, /^id: 1$/m)
  assert.equal((await ok('listHits', { query: { text: 'written' } })).hits[0].session, session)
  await ok('rewindSession', { ...at, body: { message, what: 'files', dryRun: true } })
  await ok('forkSession', { ...at, body: {} })
  const { text } = await drive('exportSession', at)
  await ok('closeSession', at)
  await ok('deleteSession', at)
  await ok('importSession', { raw: { type: 'application/x-ndjson', text } })
}

export async function driveServer(serving: Serving, drive: Drive): Promise<void> {
  const ok = async (id: string, sent?: Sent) => {
    const got = await drive(id, sent)
    assert.ok(got.status < 300, `${id}: ${got.status} ${got.text}`)
    return got.json
  }
  for (const id of ['whoAmI', 'logout', 'listTokens', 'readAudit', 'getOpenApi', 'getDocs', 'listAcp']) await ok(id)
  await ok('login', { body: { key: randomBytes(32).toString('base64url') } })
  const { id: token } = await ok('createToken', { body: { name: 'Ada', scopes: ['read'] } })
  await ok('revokeToken', { params: { token } })
  const { id: webhook } = await ok('createWebhook', { body: { url: 'http://127.0.0.1:9/', kinds: ['closed'] } })
  await ok('listWebhooks')
  await ok('removeWebhook', { params: { webhook } })
  const pair = createECDH('prime256v1')
  const keys = { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
  await ok('getPushKey')
  const { id: subscription } = await ok('createPush', { body: { endpoint: 'https://push.example.com/1', keys } })
  await ok('listPush')
  await ok('removePush', { params: { subscription } })
  for (const [post, follow, list, remove] of [
    ['postAcp', 'followAcp', 'listAcp', 'removeAcp'],
    ['universalPostAcp', 'universalFollowAcp', 'universalListAcp', 'universalRemoveAcp'],
  ] as const) {
    const params = { connection: 'one' }
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }
    assert.equal((await ok(post, { params, body, query: { agent: 'mock' } })).result.protocolVersion, 1)
    await ok(post, {
      params,
      body: { jsonrpc: '2.0', id: 2, method: 'session/new', params: { cwd: serving.options.cwd, mcpServers: [] } },
    })
    assert.match((await drive(follow, { params })).text, /session\/update/)
    assert.equal((await ok(list)).servers.length, 1)
    await ok(remove, { params })
  }
}

export async function driveUniversal(serving: Serving, drive: Drive): Promise<void> {
  const ok = async (id: string, sent?: Sent) => {
    const got = await drive(`universal${id}`, sent)
    assert.ok(got.status < 300, `${id}: ${got.status} ${got.text}`)
    return got.json
  }
  await ok('GetHealth')
  await ok('ListAgents')
  const agent = { params: { agent: 'claude' } }
  await ok('InstallAgent', { ...agent, body: {} })
  await ok('GetAgent', agent)
  await ok('ListModels', agent)
  await ok('ListModes', agent)
  const at = { params: { name: 'my session' } }
  const { nativeSessionId } = await ok('CreateSession', { ...at, body: { agent: 'claude' } })
  await ok('ListSessions')
  const asked = async (count: number) => {
    const log = await serving.log(
      nativeSessionId,
      nth(count, ({ kind }) => kind === 'ask'),
    )
    const last = log.at(-1)
    assert.ok(last?.kind === 'ask')
    return { name: 'my session', ask: last.data.id }
  }
  const over = (count: number) =>
    serving.log(
      nativeSessionId,
      nth(count, ({ kind, data }) => kind === 'prompt' && 'change' in data && data.change === 'done'),
    )
  await ok('SendMessage', { ...at, body: { message: 'one' } })
  await ok('ReplyPermission', { params: await asked(1), body: { reply: 'once' } })
  await over(1)
  await ok('SendMessage', { ...at, body: { message: 'two' } })
  await ok('ReplyQuestion', { params: await asked(2), body: { answers: [['Blue']] } })
  await over(2)
  await ok('SendMessage', { ...at, body: { message: 'three' } })
  await ok('RejectQuestion', { params: await asked(3) })
  await over(3)
  assert.match((await drive('universalStreamMessage', { ...at, body: { message: 'four' } })).text, /"type":"/)
  await over(4)
  assert.ok((await ok('ReadEvents', { ...at, query: { offset: 2, limit: 10 } })).hasMore)
  assert.match((await drive('universalFollow', { ...at, query: { offset: 2 } })).text, /^id: 3$/m)
  await ok('Terminate', at)
}

/** True for the so many-th that fits. */
function nth(count: number, fits: (entry: LogEntry) => boolean): (entry: LogEntry) => boolean {
  let left = count
  return (entry) => {
    if (fits(entry)) left -= 1
    return left === 0
  }
}
