/** Every operation of the API, over HTTP: what it does, and that what it answers is what the document says. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import { byName, type Serving, send, serve, write } from './serving.js'

const used = new Set<string>()
const client = (serving: Serving) => byName(serving, used)

after(() => {
  // Streams, apps, and the API of others have tests of their own.
  const missing = OPERATIONS.map(({ id }) => id).filter(
    (id) => !used.has(id) && !/^(follow|openMcpApp|universal|postAcp|removeAcp|listAcp|\w+Webhook|\w+Push)/.test(id),
  )
  assert.deepEqual(missing, [], 'operations that no test has used')
})

test('a session is made, found, changed, copied, closed and deleted', async () => {
  await using serving = await serve(['Hello.'])
  const api = client(serving)
  const { cwd } = serving.options
  const made = await api('createSession', {}, { body: { cwd, title: 'First', model: 'claude-sonnet-4-5-20250929' } })
  assert.deepEqual([made.status, made.json.title, made.json.status], [201, 'First', 'idle'])
  const session = made.json.id
  assert.equal(serving.model.requests.length, 0)
  assert.equal((await api('createSession', {}, { body: { cwd, id: session } })).status, 409)
  await serving.send(session, '1', 'Hi')
  await serving.ended(session, '1')
  const found = (await api('listSessions', {}, { query: '?text=FIRST&limit=5' })).json.sessions
  assert.deepEqual(
    found.map(({ id }: { id: string }) => id),
    [session],
  )
  assert.deepEqual((await api('listSessions', {}, { query: '?status=running,error' })).json.sessions, [])
  const changed = await api('changeSession', { session }, { body: { title: 'Second', mode: 'plan', archived: true } })
  assert.deepEqual([changed.json.title, changed.json.mode, changed.json.archived], ['Second', 'plan', true])
  assert.equal((await api('listSessions', {}, { query: '?archived=true' })).json.sessions.length, 1)
  const forked = await api('forkSession', { session }, { body: {} })
  assert.notEqual(forked.json.id, session)
  // What was said is from before the log of the copy, and in that of the first.
  const before = async (id: string, query = '') => (await api('listHistory', { session: id }, { query })).json
  const [all, last, own] = [
    await before(forked.json.id),
    await before(forked.json.id, '?limit=1'),
    await before(session),
  ]
  const types = (found: { messages: { type: string }[] }) => found.messages.map(({ type }) => type)
  assert.deepEqual([types(all), types(last), last.earlier, own.messages], [['user', 'assistant'], ['assistant'], 1, []])
  const whole = (await api('listMessages', { session }, { query: '?offset=1' })).json
  assert.deepEqual([types(whole), whole.total], [['assistant'], 2])
  assert.equal((await api('closeSession', { session })).status, 204)
  assert.equal((await api('getSession', { session })).json.status, 'done')
  assert.equal((await api('deleteSession', { session })).status, 204)
  assert.equal((await api('getSession', { session })).json.code, 'session_not_found')
  const { lines } = (await api('readAudit')).json
  assert.deepEqual(
    lines.map(({ operation, status }: { operation: string; status: number }) => `${operation} ${status}`),
    [
      ...['deleteSession 204', 'closeSession 204', 'forkSession 201', 'changeSession 200'],
      ...['sendPrompt 202', 'createSession 409', 'createSession 201'],
    ],
  )
})

test('prompts wait, are put in another order, taken out, and stopped; an ask is answered once', async () => {
  await using serving = await serve([write('a.txt'), 'One.', 'Three.', 'Four.'])
  const api = client(serving)
  const session = await serving.begin()
  const sent = await api('sendPrompt', { session }, { body: { id: '1', content: 'go' } })
  assert.deepEqual(sent.json, { id: '1', seq: 2, repeated: false })
  assert.deepEqual((await serving.send(session, '1')).json, { id: '1', seq: 2, repeated: true })
  const ask = await serving.ask(session)
  for (const id of ['2', '3', '4']) await serving.send(session, id, `prompt ${id}`)
  assert.equal((await api('reorderPrompts', { session }, { body: { order: ['3', '2'] } })).status, 204)
  assert.equal((await api('removePrompt', { session, prompt: '2' })).status, 204)
  assert.equal((await api('removePrompt', { session, prompt: '2' })).json.code, 'prompt_not_found')
  const { prompts } = (await api('listPrompts', { session })).json
  assert.deepEqual(
    prompts.map(({ id, by }: { id: string; by: { name: string } }) => [id, by.name]),
    [
      ['3', 'main'],
      ['4', 'main'],
    ],
  )
  assert.deepEqual((await api('listAsks')).json.asks, [ask])
  assert.deepEqual((await api('getAsk', { session, ask: ask.id })).json, ask)
  const answers = await Promise.all(
    [{ kind: 'allow', hash: ask.tool?.hash }, { kind: 'deny' }].map((body) =>
      api('answerAsk', { session, ask: ask.id }, { body }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409])
  assert.deepEqual(answers.find(({ status }) => status === 409)?.json.by, { name: 'main', interface: 'server' })
  assert.equal((await api('getAsk', { session, ask: ask.id })).status, 404)
  await serving.ended(session, '4')
  assert.equal(existsSync(join(serving.options.cwd, 'a.txt')), answers[0]?.status === 204)
  assert.equal((await api('interrupt', { session }, { body: { scope: 'all' } })).status, 204)
  assert.equal((await api('resumeQueue', { session })).status, 204)
})

test('attachments are read by the model', async () => {
  await using serving = await serve(['Seen.'])
  const session = await serving.begin()
  const attachments = [
    { name: 'notes.txt', mediaType: 'text/plain', data: Buffer.from('Buy milk').toString('base64') },
    {
      name: 'dot.png',
      mediaType: 'image/png',
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
  ]
  await serving.call('POST', `/v1/sessions/${session}/prompts`, { body: { id: '1', content: 'Look', attachments } })
  await serving.ended(session, '1')
  const body = JSON.stringify(serving.model.requests[0]?.body)
  assert.match(body, /notes.txt:\\nBuy milk/)
  assert.match(body, /image\/png/)
  const odd = [{ name: 'x', mediaType: 'application/x-sh', data: '' }]
  const refused = await serving.call('POST', `/v1/sessions/${session}/prompts`, {
    body: { content: 'Look', attachments: odd },
  })
  assert.deepEqual([refused.status, refused.json.code], [400, 'invalid_request'])
})

test('what happened can be read: log, changes, files, and all of it as one file; and undone', async () => {
  await using serving = await serve([write('a.txt'), 'Done.', 'More.'])
  const api = client(serving)
  const session = await serving.begin({ mode: 'acceptEdits' })
  await serving.send(session, '1')
  await serving.ended(session, '1')
  await serving.send(session, '2')
  const whole = await serving.ended(session, '2')
  const { entries, last } = (await api('readLog', { session }, { query: '?after=1&limit=3' })).json
  assert.deepEqual(entries, whole.slice(1, 4))
  assert.ok(last >= whole.length)
  const { changes } = (await api('listChanges', { session })).json
  const path = join(serving.options.cwd, 'a.txt')
  assert.deepEqual(
    changes.map((change: { path: string; isNew: boolean }) => [change.path, change.isNew]),
    [['a.txt', true]],
  )
  assert.deepEqual((await api('listChanges', { session }, { query: '?path=/b' })).json.changes, [])
  assert.equal((await api('readFile', { session }, { query: '?path=a.txt' })).json.content, 'new\n')
  for (const wrong of ['../secret', '/etc/passwd', 'none.txt', '..%2f..%2fetc%2fpasswd'])
    assert.equal((await api('readFile', { session }, { query: `?path=${wrong}` })).json.code, 'file_not_found', wrong)
  const lines = (await api('exportSession', { session })).text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(lines[0].session.id, session)
  assert.deepEqual(
    lines.flatMap(({ entry }) => (entry ? [entry.seq] : [])),
    Array.from({ length: lines[0].session.seq }, (_, n) => n + 1),
  )
  assert.ok(lines.some(({ line }) => line?.type === 'assistant'))
  const started = whole.find(({ kind, data }) => kind === 'prompt' && (data as { change: string }).change === 'started')
  const { message } = (started?.data ?? {}) as { message: string }
  const dry = await api('rewindSession', { session }, { body: { message, what: 'files', dryRun: true } })
  assert.deepEqual(dry.json.files, [path])
  assert.ok(existsSync(path))
  await api('rewindSession', { session }, { body: { message, what: 'files' } })
  assert.equal(existsSync(path), false)
})

test('what was said is found, and a session goes into a file and out of it, elsewhere, once', async () => {
  await using serving = await serve([write('a.txt'), 'The needle is here.', 'Again.'])
  const api = client(serving)
  const session = await serving.begin({ mode: 'acceptEdits', title: 'Hay' })
  await serving.send(session, '1', 'look for it')
  await serving.ended(session, '1')
  const { hits, next } = (await api('listHits', {}, { query: '?text=NEEDLE&limit=5' })).json
  assert.equal(next, undefined)
  assert.deepEqual([hits.length, hits[0].session, hits[0].title, hits[0].role], [1, session, 'Hay', 'assistant'])
  const { entries } = (await api('readLog', { session }, { query: `?after=${hits[0].seq - 1}&limit=1` })).json
  assert.equal(entries[0].data.uuid, hits[0].message)
  assert.deepEqual((await api('listHits', {}, { query: '?text=look+for' })).json.hits[0].message, '1')
  const { text } = await api('exportSession', { session })
  const before = (await api('readLog', { session })).json.entries
  const take = (body: string, query = '') =>
    send(
      serving.url,
      'POST',
      `/v1/sessions/import${query}`,
      {
        authorization: `Bearer ${serving.server.token}`,
        'content-type': 'application/x-ndjson',
      },
      body,
    )
  assert.equal((await take(text)).json.code, 'session_in_use')
  await api('deleteSession', { session })
  const cwd = join(serving.options.cwd, 'deeper')
  mkdirSync(cwd)
  const lines = text.trimEnd().split('\n')
  for (const [wrong, code, query] of [
    [lines.slice(0, -1).join('\n'), 'invalid_import'],
    [[...lines.slice(0, -3), ...lines.slice(-2)].join('\n'), 'invalid_import'],
    [[lines[0], ...lines.slice(2)].join('\n'), 'invalid_import'],
    [`${text}{}`, 'invalid_import'],
    [text.replace('"kedge"', '"kedgi"'), 'invalid_import'],
    [text.replace(/"sessionId":"[^"]*"/, '"sessionId":"x"'), 'invalid_import'],
    [text.slice(0, text.length / 2), 'invalid_import'],
    ['', 'invalid_import'],
    [text, 'invalid_folder', '?cwd=/etc'],
  ] as const) {
    assert.equal((await take(wrong, query)).json.code, code, wrong.slice(0, 200))
    assert.equal((await api('getSession', { session })).status, 404)
  }
  assert.equal(
    (
      await send(
        serving.url,
        'POST',
        '/v1/sessions/import',
        {
          authorization: `Bearer ${serving.server.token}`,
        },
        text,
      )
    ).json.code,
    'unsupported_media_type',
  )
  const taken = await take(text, `?cwd=${encodeURIComponent(cwd)}`)
  used.add('importSession')
  const { id, title, mode, status } = taken.json
  assert.deepEqual(
    [taken.status, id, title, taken.json.cwd, mode, status],
    [201, session, 'Hay', cwd, 'default', 'idle'],
  )
  const after = (await api('readLog', { session })).json.entries
  assert.deepEqual(after.slice(1, before.length), before.slice(1))
  assert.equal(after.length, before.length + 1)
  await serving.send(session, '2', 'go on')
  await serving.ended(session, '2')
  assert.match(JSON.stringify(serving.model.requests.at(-1)?.body), /look for it.*The needle is here.*go on/s)
})

test('settings that apply are told, with where they come from', async () => {
  await using serving = await serve([], { options: { settingSources: ['user', 'project'] } })
  const api = client(serving)
  const { cwd, env } = serving.options
  const user = join(env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json')
  const project = join(cwd, '.claude', 'settings.json')
  mkdirSync(join(cwd, '.claude'))
  writeFileSync(
    user,
    '{"model": "opus", "permissions": {"allow": ["Read"], "deny": ["WebFetch"]}, "env": {"A": "key"}}',
  )
  writeFileSync(project, '{"model": "haiku", "permissions": {"allow": ["Bash"], "deny": ["Bash(rm:*)"]}}')
  const session = await serving.begin({ mode: 'plan' })
  const { settings, isTrusted, layers } = (await api('getSettings', { session })).json
  const of = (key: string) => {
    const { value, from } = settings.find((one: { key: string }) => one.key === key) ?? {}
    return [value, from?.map(({ source }: { source: string }) => source)]
  }
  // The folder is not trusted: it only narrows.
  assert.equal(isTrusted, false)
  assert.deepEqual(of('model'), [serving.options.model, ['server', 'userSettings']])
  assert.deepEqual(of('permissions.deny'), [
    ['Bash(rm:*)', 'WebFetch'],
    ['projectSettings', 'userSettings'],
  ])
  assert.deepEqual(of('permissions.allow'), [['Read'], ['userSettings']])
  assert.deepEqual(of('permissions.defaultMode'), ['plan', ['session']])
  assert.deepEqual(of('env.A'), ['(hidden)', ['userSettings']])
  assert.deepEqual(
    layers.map(({ file }: { file?: string }) => file),
    [undefined, undefined, project, user],
  )
})

test('tasks in the background are listed, their output read, and stopped', async () => {
  const input = { command: 'echo started; sleep 30', run_in_background: true, description: 'Sleeps' }
  await using serving = await serve([{ tools: [{ name: 'Bash', input }] }, 'Runs.'])
  const api = client(serving)
  const session = await serving.begin()
  await serving.send(session, '1')
  await serving.ended(session, '1')
  const [task] = (await api('listTasks', { session })).json.tasks
  assert.equal(task.status, 'running')
  for (;;) {
    const { text } = (await api('readTask', { session, task: task.id }, { query: '?bytes=100' })).json
    if (text === 'started\n') break
    assert.equal(text, '')
  }
  assert.equal((await api('readTask', { session, task: 'none' })).json.code, 'task_not_found')
  assert.equal((await api('stopTask', { session, task: 'none' })).json.code, 'task_not_found')
  assert.equal((await api('stopTask', { session, task: task.id })).status, 204)
  const isOver = ({ data }: { data: unknown }) => (data as { subtype?: string }).subtype === 'task_notification'
  await serving.log(session, isOver)
  assert.equal((await api('listTasks', { session })).json.tasks[0].status, 'stopped')
})

test('models, commands, agents, context, MCP servers and permissions can be asked for', async () => {
  const mcpServers = { gone: { type: 'stdio' as const, command: 'no-such-program-here' } }
  await using serving = await serve([], { options: { mcpServers } })
  const api = client(serving)
  const session = await serving.begin()
  const keyed = { models: 'listModels', commands: 'listCommands', agents: 'listAgents' }
  for (const [key, id] of Object.entries(keyed)) assert.ok((await api(id, { session })).json[key].length > 0, id)
  assert.ok((await api('getContext', { session })).json.context.maxTokens > 0)
  assert.deepEqual((await api('listMcpApps', { session })).json, { apps: [] })
  const app = { server: 'gone', uri: 'ui://gone' }
  assert.equal((await api('openMcpApp', { session }, { body: app })).status, 422)
  const call = { server: 'gone', tool: 'gone', arguments: {} }
  assert.equal((await api('callMcpApp', { session }, { body: call })).json.isError, true)
  const { servers } = (await api('listMcpServers', { session })).json
  assert.deepEqual(
    servers.map((one: { name: string; config?: unknown }) => [one.name, one.config]),
    [['gone', undefined]],
  )
  assert.equal((await api('toggleMcpServer', { session, server: 'gone' }, { body: { enabled: false } })).status, 204)
  assert.deepEqual((await api('moveToBackground', { session }, { body: {} })).json, { moved: false })
  assert.equal((await api('reconnectMcpServer', { session, server: 'none' })).status, 422)
  used.add('reconnectMcpServer')
  const body = {
    cwd: serving.options.cwd,
    tool: 'Bash',
    input: { command: 'rm -rf /' },
    rules: { deny: ['Bash(rm:*)'] },
  }
  assert.equal((await api('explainPermission', {}, { body })).json.behavior, 'deny')
  assert.equal((await api('explainPermission', {}, { body: { ...body, cwd: '/etc' } })).json.code, 'invalid_folder')
})

test('a question on the side is answered and logged nowhere; a reload says what changed', async () => {
  await using serving = await serve(['First.', 'Because of the cat.'], { options: { settingSources: ['project'] } })
  const api = client(serving)
  const session = await serving.begin()
  await api('sendPrompt', { session }, { body: { content: 'Hi.', id: 'first' } })
  await serving.ended(session, 'first')
  const answer = await api('askAside', { session }, { body: { question: 'Why the dog?' } })
  assert.equal(answer.json.answer, 'Because of the cat.')
  const { entries } = (await api('readLog', { session })).json
  assert.doesNotMatch(JSON.stringify(entries), /Why the dog|cat/)
  assert.equal((await api('askAside', { session }, { body: { question: '' } })).status, 400)
  const commands = join(serving.options.cwd, '.claude', 'commands')
  mkdirSync(commands, { recursive: true })
  writeFileSync(join(commands, 'ship.md'), 'Ship it.')
  const { changes } = (await api('reloadSession', { session })).json
  assert.deepEqual(changes, ['Commands and skills: new: ship.'])
})

test('tokens are made for others, and revoked; a browser exchanges one for a cookie', async () => {
  await using serving = await serve([])
  const api = client(serving)
  assert.deepEqual((await api('whoAmI')).json, {
    id: 'main',
    name: 'main',
    scopes: ['admin'],
    folders: [serving.options.cwd],
  })
  const body = { name: 'Ada', scopes: ['read'], expiresInSeconds: 3600 }
  const { token, id } = (await api('createToken', {}, { body })).json
  assert.deepEqual((await api('whoAmI', {}, { token })).json.name, 'Ada')
  assert.equal((await api('createToken', {}, { body, token })).json.code, 'forbidden_scope')
  assert.equal(JSON.stringify((await api('listTokens')).json).includes(token), false)
  const key = { 'x-kedge-key': 'a-key-that-a-page-made-up-for-tests' }
  const { headers } = await api('login', {}, { token, body: { key: key['x-kedge-key'] } })
  const [cookie = ''] = headers['set-cookie'] ?? []
  assert.match(cookie, /^kedge_session_\d+=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
  const [pair = ''] = cookie.split(';')
  const withCookie = { token: null, headers: { cookie: pair, ...key } }
  assert.equal((await api('whoAmI', {}, withCookie)).json.name, 'Ada')
  assert.equal((await api('logout', {}, withCookie)).status, 204)
  assert.equal((await api('whoAmI', {}, withCookie)).status, 401)
  assert.equal((await api('revokeToken', { token: id })).status, 204)
  assert.equal((await api('revokeToken', { token: id })).status, 404)
  assert.equal((await api('whoAmI', {}, { token })).status, 401)
  assert.match((await api('getDocs')).text, /createSession|\/v1\/sessions/)
  assert.equal((await api('getOpenApi')).json.openapi, '3.1.0')
})

test('a wrong method is told which are right, and there is nothing that a GET changes', async () => {
  await using serving = await serve([])
  const session = await serving.begin()
  const wrong = await serving.call('PUT', `/v1/sessions/${session}`)
  assert.deepEqual([wrong.status, wrong.headers['allow']], [405, 'GET, PATCH, DELETE'])
  assert.equal((await serving.call('GET', '/v1/nothing')).status, 404)
  for (const { method, id } of OPERATIONS)
    if (method === 'get') assert.match(id, /^(universal)?(list|get|read|follow|export|whoAmI)/i)
})

test('the list says where the stream goes on; files are found by letters, nothing hidden, no links; a rewind is told', async () => {
  await using serving = await serve(['One.', 'Two.'])
  const api = client(serving)
  const session = await serving.begin()
  await serving.send(session, 'first')
  await serving.ended(session, 'first')
  const { last } = (await serving.call('GET', '/v1/sessions')).json
  const all = await serving.call('GET', `/v1/events?after=${last + 1}`)
  assert.deepEqual([all.status, all.json.last], [409, last])
  const { cwd } = serving.options
  mkdirSync(join(cwd, 'src/deep'), { recursive: true })
  mkdirSync(join(cwd, 'node_modules'))
  for (const name of ['src/deep/notes.ts', 'src/nets.ts', '.secret-notes.ts', 'node_modules/notes.ts'])
    writeFileSync(join(cwd, name), '')
  symlinkSync('/etc', join(cwd, 'notes-link'))
  const files = async (text: string) => (await api('listFiles', { session }, { query: `?text=${text}` })).json.files
  assert.deepEqual(await files('nts'), ['src/nets.ts', 'src/deep/notes.ts'])
  assert.deepEqual(await files('.sec'), ['.secret-notes.ts'])
  assert.deepEqual(await files('passwd'), [])
  await serving.send(session, 'second')
  const log = await serving.ended(session, 'second')
  const started = log.findLast(({ kind, data }) => kind === 'prompt' && 'change' in data && data.change === 'started')
  const message = started?.kind === 'prompt' && started.data.change === 'started' ? started.data.message : ''
  const body = { message, what: 'conversation' }
  const rewind = (more: object) =>
    serving.call('POST', `/v1/sessions/${session}/rewind`, { body: { ...body, ...more } })
  assert.equal((await rewind({ dryRun: true })).status, 200)
  assert.equal((await rewind({})).status, 200)
  const { entries } = (await serving.call('GET', `/v1/sessions/${session}/log`)).json
  const told = entries.filter((entry: { data: { rewound?: unknown } }) => entry.data.rewound !== undefined)
  assert.deepEqual(
    told.map((entry: { data: unknown }) => entry.data),
    [{ rewound: { message } }],
  )
})

test('the page: its files by name, packed or not, with a policy that lets no text become markup', async () => {
  await using serving = await serve([])
  const get = (path: string, headers = {}) => fetch(`${serving.url}${path}`, { headers })
  const page = await get('/')
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'.*script-src 'self';.*require-trusted-types-for 'script'/)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  const html = await page.text()
  const [script = ''] = /\/assets\/page-[\w-]+\.js/.exec(html) ?? []
  assert.doesNotMatch(html, /<script(?![^>]* src=)|style=|onload/)
  const packed = await get(script, { 'accept-encoding': 'gzip' })
  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.match(packed.headers.get('cache-control') ?? '', /immutable/)
  const plain = await get(script, { 'accept-encoding': 'identity' })
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(await packed.text(), await plain.text())
  for (const path of ['/assets/none.js', '/assets/files.json', '/assets/__proto__', '/files.json'])
    assert.equal((await get(path)).status, 401, path)
})

test('a body with an unknown field is refused by the name of the field, and says what is missing', async () => {
  await using serving = await serve([])
  const session = await serving.begin()
  const { status, json } = await serving.call('POST', `/v1/sessions/${session}/prompts`, { body: { text: 'hi' } })
  assert.equal(status, 400)
  assert.match(json.detail, /^The body is wrong: text isn't a field\. .*"content"/)
})
