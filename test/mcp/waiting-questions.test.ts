/** Questions of MCP servers that wait for days: the process that asked is gone, another one answers and finishes the call. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Options, query, type SDKResultMessage } from 'kedge'
import { collect, type Step, startModelServer, testOptions } from 'kedge/testing'
import { QUESTION, startAskingServer, startLiveServer } from './servers/asking.js'

const SESSION = '5f0c4e8a-1111-4222-8333-444455556666'
const DOOMED = fileURLToPath(new URL('./doomed-question.js', import.meta.url))

type Asked = Parameters<NonNullable<Options['onElicitation']>>
const accept = (where: string) => ({ action: 'accept' as const, content: { where } })
const park = { action: 'park' as const }
const later = { resume: SESSION, continueTurn: true as const }

/** A model that calls one tool, and the options of both processes. */
async function open(url: string, tool: string, more: Options = {}) {
  const steps: Step[] = [{ tools: [{ id: 'toolu_1', name: `mcp__s__${tool}`, input: { app: 'shop' } }] }, 'Done.']
  const model = await startModelServer(steps)
  const mcpServers = { s: { type: 'http' as const, url } }
  const options = testOptions(model, { mcpServers, allowedTools: ['mcp__s'], parkAsks: true, ...more })
  return {
    model,
    options,
    first: (onElicitation: Options['onElicitation']) =>
      collect(query({ prompt: 'Go.', options: { ...options, sessionId: SESSION, onElicitation } })),
    again: (onElicitation: Options['onElicitation'], changed: Options = {}) =>
      collect(query({ options: { ...options, onElicitation, ...changed, ...later } })),
    /** Asks in another process, which dies of the question. */
    doomed: () =>
      new Promise<NodeJS.Signals | null>((resolve) => {
        const given = JSON.stringify({ ...options, sessionId: SESSION })
        execFile(process.execPath, [DOOMED, given], { env: options.env }, (error) => resolve(error?.signal ?? null))
      }),
    /** What the model reads of the call. */
    read: () => JSON.stringify(model.requests.at(-1)?.body.messages.at(-1)),
    async [Symbol.asyncDispose]() {
      await options[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

const ended = (result: SDKResultMessage | undefined) => result?.terminal_reason

test('a question that no user answers parks the turn; another process answers, and sends the state as it was', async () => {
  await using server = await startAskingServer()
  await using stage = await open(server.url, 'deploy')
  const asked: Asked[1][] = []
  const first = await stage.first(async (_, about) => {
    asked.push(about)
    return park
  })
  assert.deepEqual([ended(first.result), first.result?.is_error], ['waiting', false])
  assert.deepEqual([asked[0]?.toolUseID, asked[0]?.canPark], ['toolu_1', true])
  assert.equal(stage.model.requests.length, 1)

  const second = await stage.again(async ({ message }, about) => {
    assert.equal(message, QUESTION.message)
    assert.equal(about.questionKey, asked[0]?.questionKey)
    return accept('Berlin')
  })
  assert.equal(ended(second.result), 'completed')
  assert.match(stage.read(), /deployed shop: .*Berlin/)
  const [begun, continued, ...more] = server.of('tools/call').map(({ params }) => params)
  assert.deepEqual([begun?.['requestState'], continued?.['requestState'], more], [undefined, '[]', []])
  assert.deepEqual(continued?.['arguments'], { app: 'shop' })
})

test('kill -9 while a user thinks: the next process asks the same question and continues the call', async () => {
  await using server = await startAskingServer()
  await using stage = await open(server.url, 'deploy')
  assert.equal(await stage.doomed(), 'SIGKILL')
  const run = await stage.again(async () => accept('Oslo'))
  assert.equal(ended(run.result), 'completed')
  assert.match(stage.read(), /deployed shop: .*Oslo/)
  assert.equal(server.of('tools/call').length, 2)
})

test('several rounds, and several questions in one: what was answered is asked again with the same key', async () => {
  const other = { ...QUESTION, message: 'Really?' }
  await using server = await startAskingServer([{ where: QUESTION }, { where: QUESTION, sure: other }])
  await using stage = await open(server.url, 'deploy')
  const keys = new Map<string, number>()
  const table = new Map<string, ReturnType<typeof accept>>()
  let isFirst = true
  const answering: Options['onElicitation'] = async ({ message }, { questionKey = '' }) => {
    keys.set(questionKey, (keys.get(questionKey) ?? 0) + 1)
    const known = table.get(questionKey)
    if (known) return known
    if (message === other.message && isFirst) return park
    table.set(questionKey, accept(`${message} ${table.size}`))
    return table.get(questionKey) ?? park
  }
  assert.equal(ended((await stage.first(answering)).result), 'waiting')
  isFirst = false
  assert.equal(ended((await stage.again(answering)).result), 'completed')
  // The first round was over; both questions of the second are asked twice.
  assert.deepEqual([...keys.values()].sort(), [1, 2, 2])
  assert.match(stage.read(), /Deploy where\? 0.*Deploy where\? 1.*Really\? 2/)
  assert.equal(server.of('tools/call').length, 3)
})

test('a server that is another one by now gets no state, and the model reads why', async () => {
  await using server = await startAskingServer()
  await using other = await startAskingServer()
  await using stage = await open(server.url, 'deploy')
  await stage.first(async () => park)
  const moved = { mcpServers: { s: { type: 'http' as const, url: other.url } } }
  const run = await stage.again(async () => assert.fail('asked'), moved)
  assert.equal(ended(run.result), 'completed')
  assert.match(stage.read(), /the configuration of the server has changed, so its state was not sent/)
  assert.deepEqual(other.of('tools/call'), [])
})

test('arguments that a hook has changed since begin the call again, without the state', async () => {
  await using server = await startAskingServer()
  await using stage = await open(server.url, 'deploy')
  await stage.first(async () => park)
  const updatedInput = { app: 'cellar' }
  const change = async () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse' as const, updatedInput } })
  await stage.again(async () => accept('Rome'), { hooks: { PreToolUse: [{ hooks: [change] }] } })
  assert.match(stage.read(), /deployed cellar: .*Rome/)
  const states = server.of('tools/call').map(({ params }) => params['requestState'])
  assert.deepEqual(states, [undefined, undefined, '[]'])
})

test('a prompt in place of the answer gives the call up; without parkAsks there is nothing to park', async () => {
  await using server = await startAskingServer()
  await using stage = await open(server.url, 'deploy')
  await stage.first(async () => park)
  const { resume } = later
  await collect(query({ prompt: 'Never mind.', options: { ...stage.options, resume } }))
  assert.match(JSON.stringify(stage.model.requests.at(-1)?.body.messages), /Never mind/)
  assert.equal(server.of('tools/call').length, 1)

  await using plain = await open(server.url, 'deploy', { parkAsks: false })
  const run = await plain.first(async (_, { canPark }) => {
    assert.equal(canPark, undefined)
    return { action: 'decline' }
  })
  assert.equal(ended(run.result), 'completed')
})

test('an older server: a call that only reads is made again with the answer', async () => {
  await using server = await startLiveServer()
  await using stage = await open(server.url, 'look')
  const keys: unknown[] = []
  const first = await stage.first(async (_, { questionKey }) => {
    keys.push(questionKey)
    return park
  })
  assert.equal(ended(first.result), 'waiting')
  const second = await stage.again(async (_, { questionKey }) => {
    keys.push(questionKey)
    return accept('Lima')
  })
  assert.equal(ended(second.result), 'completed')
  assert.equal(keys[0], keys[1])
  assert.match(stage.read(), /look: accept .*Lima/)
  assert.equal(server.calls.filter((call) => call === 'look').length, 2)
})

test('an older server: a call that may change something is not made again, and the model reads what happened', async () => {
  await using server = await startLiveServer()
  await using stage = await open(server.url, 'change')
  assert.equal(await stage.doomed(), 'SIGKILL')
  const run = await stage.again(async () => assert.fail('asked'))
  assert.equal(ended(run.result), 'completed')
  assert.match(stage.read(), /asked the user \\+"Deploy where\?\\+", and the connection that it waited on ended/)
  assert.match(stage.read(), /may or may not have taken effect, and was not repeated/)
  assert.deepEqual(server.calls, ['change'])
})

test('an older server whose call can not be repeated can not be parked', async () => {
  await using server = await startLiveServer()
  await using stage = await open(server.url, 'change')
  const run = await stage.first(async (_, { canPark, toolUseID }) => {
    assert.deepEqual([canPark, toolUseID], [undefined, 'toolu_1'])
    return accept('Riga')
  })
  assert.equal(ended(run.result), 'completed')
  assert.match(stage.read(), /change: accept .*Riga/)
})
