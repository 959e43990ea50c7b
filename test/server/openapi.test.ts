/** The API document: shipped as it is served, open to everyone, with examples that fit, and true of every stream. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { createServer } from 'kedge/server'
import type { Step } from 'kedge/testing'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../../src/server/api/open-api.js'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import { judgeOf } from './judge-of.js'
import { type Anything, events, isEndOf, type Serving, send, serve, write } from './serving.js'

const document = openApiDocument(OPERATIONS) as Anything

function checkAgainst(schema: object, value: unknown, what: string): void {
  const { valid, errors } = judgeOf(schema).validate(value)
  assert.ok(valid, `${what}: ${JSON.stringify(value).slice(0, 400)}\n${JSON.stringify(errors.slice(-4))}`)
}

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('the document that a server sends is the file of the package, with its license, and needs no token', async () => {
  const server = createServer({ port: 0, token: 'a-token-for-this-test' })
  const { url } = await server.listen()
  try {
    const host = { host: new URL(url).host }
    const { status, json } = await send(url, 'GET', '/v1/openapi.json', host)
    assert.equal(status, 200)
    const file = createRequire(import.meta.url).resolve('kedge/openapi.json')
    assert.deepEqual(json, JSON.parse(await readFile(file, 'utf8')))
    assert.equal(json.info.license.identifier, 'Apache-2.0')
    assert.deepEqual(json.paths['/v1/openapi.json'].get.security, [])
    const page = await send(url, 'GET', '/v1/docs', host)
    assert.equal(page.status, 200)
    // A token that is wrong makes no difference, and everything else still needs one.
    const wrong = { ...host, authorization: 'Bearer wrong' }
    assert.equal((await send(url, 'GET', '/v1/openapi.json', wrong)).status, 200)
    assert.equal((await send(url, 'GET', '/v1/sessions', host)).status, 401)
    const foreign = { ...host, origin: 'https://elsewhere.example' }
    assert.equal((await send(url, 'GET', '/v1/openapi.json', foreign)).json.code, 'forbidden_origin')
  } finally {
    await server.close()
  }
})

test('the examples of twelve operations fit their schemas', () => {
  const found = new Set<string>()
  for (const path of Object.values<Anything>(document.paths))
    for (const operation of Object.values<Anything>(path)) {
      const contents = [operation.requestBody, ...Object.values<Anything>(operation.responses)]
        .flatMap((one) => Object.values<Anything>(one?.content ?? {}))
        .filter(({ examples }) => examples)
      for (const { schema, examples } of contents)
        for (const [name, { value }] of Object.entries<Anything>(examples)) {
          found.add(operation.operationId)
          checkAgainst(schema, value, `${operation.operationId}, ${name}`)
        }
    }
  const twelve = ['answerAsk', 'changeSession', 'createSession', 'followSession', 'getSession', 'interrupt', 'listAsks']
  assert.deepEqual([...found].sort(), [...twelve, 'listChanges', 'listSessions', 'readFile', 'readLog', 'sendPrompt'])
})

test('a generator makes a union of the entries, told apart by their kind', async () => {
  const source = astToString(await openapiTS(structuredClone(document) as OpenAPI3))
  const part = (name: string) => source.match(new RegExp(`^ {8}${name}: ([^]*?);$`, 'm'))?.[1] ?? ''
  const union = ['Message', 'Ask', 'Answered', 'Withdrawn', 'Prompt', 'State'].map(
    (kind) => `components["schemas"]["${kind}Entry"]`,
  )
  assert.equal(part('Entry'), union.join(' | '))
  assert.equal(part('LogItem'), [...union, 'components["schemas"]["Delta"]'].join(' | '))
  for (const operation of ['followSession', 'followAll', 'universalFollow', 'followAcp'])
    assert.doesNotMatch(source.match(new RegExp(`^ {4}${operation}: \\{[^]*?^ {4}\\};`, 'm'))?.[0] ?? '', /": string;/)
  assert.doesNotMatch(part('MessageEntry'), /unknown/)
})

/** Shapes of others: a settings value, results of the editor protocol, and content of the model's API. */
const OF_OTHERS = /^(getSettings|universal\w+|\w+Acp)\b|(Block|BlockParam|SessionMessage)\.\w+$/

test('no answer of the server is left without a type', () => {
  const problems: string[] = []
  const look = (schema: Anything, where: string, seen: readonly string[] = []): void => {
    if (schema.$ref) {
      const name = schema.$ref.split('/').at(-1)
      // Those of the agent are described by their own types.
      if (name in document.components.schemas && !seen.includes(name) && !/^(SDK|Sdk)/.test(name))
        look(document.components.schemas[name], `${where} ${name}`, [...seen, name])
      return
    }
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    const says = ['type', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'].some((key) => key in schema)
    if (!says) problems.push(where)
    for (const part of parts) look(part, where, seen)
    for (const [name, field] of Object.entries<Anything>(schema.properties ?? {})) look(field, `${where}.${name}`, seen)
    if (schema.items) look(schema.items, `${where}[]`, seen)
  }
  for (const path of Object.values<Anything>(document.paths))
    for (const { operationId, responses } of Object.values<Anything>(path))
      for (const { content = {} } of Object.values<Anything>(responses))
        for (const { schema } of Object.values<Anything>(content)) look(schema, operationId)
  assert.deepEqual(
    problems.filter((where) => !OF_OTHERS.test(where)),
    [],
  )
})

const call = (name: string, input: object): Step => ({ tools: [{ name, input: { ...input } }] })
const STEPS: Step[] = [
  ...['Hello.', write('a.txt'), 'Written.', write('b.txt'), 'Not written.'],
  call('AskUserQuestion', {
    questions: [
      {
        question: 'Which?',
        header: 'Color',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'r' },
          { label: 'Blue', description: 'b' },
        ],
      },
    ],
  }),
  'Red it is.',
  call('Bash', { command: 'echo one; no-such-command-here', description: 'Prints' }),
  'It failed.',
  call('TodoWrite', { todos: [{ content: 'Paint', status: 'pending', activeForm: 'Painting' }] }),
  call('Bash', { command: 'echo started; sleep 30', run_in_background: true, description: 'Sleeps' }),
  'It runs.',
  write('c.txt'),
]

/** Prompts, several kinds of answers, a command in the background, an interrupt, and changes to the session. */
async function record(serving: Serving, session: string): Promise<void> {
  const known = new Set<string>()
  /** The next request of the session; undefined if the turn ends without one. */
  const nextAsk = async (turn: string) => {
    const isNew = ({ kind, data }: Anything) => kind === 'ask' && !known.has(data.id)
    const log: Anything[] = await serving.log(session, (entry) => isNew(entry) || isEndOf(turn)(entry))
    const last = log.at(-1)
    if (last?.kind !== 'ask') return undefined
    known.add(last.data.id)
    return `/v1/sessions/${session}/asks/${last.data.id}/answer`
  }
  const turn = async (id: string, ...answers: object[]) => {
    await serving.send(session, id)
    for (let path = await nextAsk(id); path !== undefined; path = await nextAsk(id)) {
      const reply = await serving.call('POST', path, { body: answers.shift() ?? { kind: 'allow' } })
      assert.equal(reply.status, 204, reply.text)
    }
    assert.deepEqual(answers, [])
  }
  await turn('1')
  await turn('2', { kind: 'allow' })
  await turn('3', { kind: 'deny', message: 'Not there.' })
  await turn('4', { kind: 'answers', answers: { 'Which?': 'Red' } })
  await turn('5')
  await turn('6')
  for (const id of ['7', '8', '9']) await serving.send(session, id)
  const last = (await nextAsk('7')) ?? ''
  await serving.call('PUT', `/v1/sessions/${session}/prompts/order`, { body: { order: ['9', '8'] } })
  await serving.call('DELETE', `/v1/sessions/${session}/prompts/8`)
  await serving.call('POST', `/v1/sessions/${session}/interrupt`, { body: { scope: 'all' } })
  await serving.ended(session, '7')
  const late = await serving.call('POST', last, { body: { kind: 'allow' } })
  assert.deepEqual([late.status, late.json.code, late.json.by], [409, 'ask_withdrawn', undefined])
  await serving.call('PATCH', `/v1/sessions/${session}`, { body: { title: 'Colors', mode: 'plan', effort: 'low' } })
  await serving.call('PATCH', `/v1/sessions/${session}`, { body: { archived: true } })
}

test('every entry and delta that a server writes is what the document says; a request that is withdrawn is not answered', async () => {
  await using serving = await serve(STEPS)
  const session = await serving.begin({ title: 'Paint' })
  const items: Anything[] = []
  const isDone = (item: Anything) => item.kind === 'state' && item.data.archived === true
  const reading = (async () => {
    for await (const { event, id, data } of events(serving, `/v1/sessions/${session}/events`)) {
      assert.deepEqual([event, id === undefined], [data.kind, data.kind === 'delta'])
      items.push(data)
      if (isDone(data)) break
    }
  })()
  await record(serving, session)
  await reading
  assert.deepEqual([...new Set(items.map(({ kind }) => kind))].sort(), [
    'answered',
    'ask',
    'delta',
    'message',
    'prompt',
    'state',
    'withdrawn',
  ])
  for (const item of items) checkAgainst(named('LogItem'), item, `${item.seq} ${item.kind}`)
  // A union that takes anything would prove nothing.
  for (const item of [items.find(({ kind }) => kind === 'message'), items.find(({ kind }) => kind === 'prompt')])
    for (const wrong of [
      { ...item, kind: 'other' },
      { ...item, data: { change: 'other', type: 'other' } },
      { ...item, seq: '1' },
    ])
      assert.throws(() => checkAgainst(named('LogItem'), wrong, 'wrong'))
  for await (const { data } of events(serving, '/v1/events')) {
    checkAgainst(named('Entry'), data, `all ${data.all}`)
    if (isDone(data)) break
  }
  const name = encodeURIComponent(session)
  const { json } = await serving.call('GET', `/universal/v1/sessions/${name}/events?include_raw=true`)
  assert.ok(json.events.length > 20)
  for (const event of json.events) checkAgainst(named('UniversalEvent'), event, event.type)
  assert.ok(items.some(isEndOf('7')))
})
