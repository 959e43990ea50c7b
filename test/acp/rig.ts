/** An agent process, a client and a planned model: what the tests of `kedge acp` have in common. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelHandler, type Step, type TestOptions, testOptions } from 'kedge/testing'
import { type AcpProcess, startAcpProcess } from './acp-process.js'
import type { Flavor, Wire } from './acp-schema.js'
import { type Connection, capabilities, connect, type Kind, type Person, willingPerson } from './clients.js'
import { type PlannedModel, startPlannedModel } from './planned-model.js'
import { connectRaw } from './raw-connection.js'
import type { Heard } from './tap.js'

export type Rig = AsyncDisposable & {
  readonly kind: Kind | 'raw'
  readonly model: PlannedModel
  readonly options: TestOptions
  readonly agent: AcpProcess
  readonly person: Person
  /** The person is as willing as in the beginning. */
  calm(): void
  /** What `initialize` was answered with, as it was on the wire. */
  readonly initialized: Wire
  /** Through the official client; the answer is as it was on the wire. */
  request(method: string, params: unknown): Promise<Wire>
  notify(method: string, params: unknown): Promise<void>
  /** A session in a folder of its own. */
  begin(params?: Record<string, unknown>): Promise<Session>
  /** The session of that id, as one that `begin` gives. */
  session(id: string, cwd: string, created?: Wire): Session
  folder(name?: string): string
}

export type Session = {
  readonly id: string
  readonly cwd: string
  readonly created: Wire
  /** Plans these steps, prompts, and waits for the end of the turn. */
  play(steps: readonly Step[] | ModelHandler, prompt?: string, params?: Record<string, unknown>): Promise<Played>
  prompt(prompt: string | readonly Wire[], params?: Record<string, unknown>): Promise<Played>
  /** Everything heard about it so far. */
  updates(kind?: string): Wire[]
  /** An update of it, also one to come. */
  update(kind: string, fits?: (update: Wire) => boolean, after?: number): Promise<Wire>
}

/** What was on the wire between a prompt and its answer. */
export type Played = {
  readonly word: string
  readonly response: Wire
  readonly heard: readonly Heard[]
  /** Of this session, of one kind or all. */
  updates(kind?: string): Wire[]
  /** What the agent asked of the client. */
  asked(method?: string): Wire[]
  /** The text of the answer, put together. */
  text(): string
}

export type RigSetup = {
  command?: readonly string[]
  env?: Record<string, string | undefined>
  capabilities?: Wire
  flavor?: Flavor
  /** Puts files into place before the agent starts. */
  prepare?: (options: TestOptions) => void
  /** False for an agent that is not ours. */
  validate?: boolean
  client?: Wire
  /** What `initialize` is sent; false for nothing. */
  initialize?: Wire | false
  /** What the client says is not judged. */
  agentOnly?: boolean
}

export async function openRig(kind: Kind | 'raw', setup: RigSetup = {}): Promise<Rig> {
  const model = await startPlannedModel({ validate: setup.validate ?? process.env['ACP_AGENT'] === undefined })
  const options = testOptions(model.server, setup.env ? { env: setup.env } : {})
  setup.prepare?.(options)
  const flavor = setup.flavor ?? (kind === 'rich' ? 'unstable' : 'stable')
  const agent = startAcpProcess({
    ...(setup.command ? { command: setup.command } : {}),
    cwd: options.cwd,
    env: options.env,
    flavor,
    agentOnly: setup.agentOnly ?? false,
  })
  const person = willingPerson()
  const willing = { ...person }
  const connection = kind === 'raw' ? connectRaw(agent, person) : connect(kind, agent, person)
  const request = requester(agent, connection)
  let folders = 0
  const folder = (name = `work-${++folders}`) => {
    mkdirSync(join(options.cwd, name), { recursive: true })
    return join(options.cwd, name)
  }
  const hello = {
    protocolVersion: 1,
    clientCapabilities: setup.capabilities ?? capabilities[kind === 'rich' ? 'rich' : 'poor'],
    clientInfo: setup.client ?? { name: `${kind}-client`, version: '1.0.0' },
  }
  const initialized = setup.initialize === false ? {} : await request('initialize', setup.initialize ?? hello)
  const rig: Rig = {
    kind,
    model,
    options,
    agent,
    person,
    calm: () => void Object.assign(person, willing),
    initialized,
    request,
    notify: (method, params) => connection.notify(method, params),
    folder,
    async begin(params = {}) {
      const cwd = typeof params['cwd'] === 'string' ? params['cwd'] : folder()
      const created = await request('session/new', { cwd, mcpServers: [], ...params })
      return rig.session(created.sessionId, cwd, created)
    },
    session: (id, cwd, created = {}) => sessionOf(rig, id, cwd, created),
    async [Symbol.asyncDispose]() {
      try {
        await agent.end()
        assert.deepEqual(agent.tap.violations, [])
        assert.deepEqual(await agent.leftBehind(), [])
        model.assertDone()
      } finally {
        connection.close()
        await agent.kill()
        await model[Symbol.asyncDispose]()
        await options[Symbol.asyncDispose]()
      }
    },
  }
  return rig
}

function sessionOf(rig: Rig, id: string, cwd: string, created: Wire): Session {
  const { agent, model } = rig
  const isOf = (kind: string | undefined) => (heard: Heard) =>
    heard.from === 'agent' &&
    heard.message?.method === 'session/update' &&
    heard.message.params.sessionId === id &&
    (kind === undefined || heard.message.params.update.sessionUpdate === kind)
  const updatesIn = (heard: readonly Heard[], kind?: string) =>
    heard.filter(isOf(kind)).map(({ message }) => message.params.update)

  async function prompt(content: string | readonly Wire[], params: Record<string, unknown> = {}): Promise<Played> {
    const from = agent.tap.heard.length
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const response = await rig.request('session/prompt', { sessionId: id, prompt: blocks, ...params })
    const heard = agent.tap.heard.slice(from)
    const word = /\[\[p\d+\]\]/.exec(JSON.stringify(blocks))?.[0] ?? ''
    return {
      word,
      response,
      heard,
      updates: (kind) => updatesIn(heard, kind),
      asked: (method) =>
        heard
          .filter(({ from, message }) => from === 'agent' && message?.method && 'id' in message)
          .filter(({ message }) => method === undefined || message.method === method)
          .map(({ message }) => message.params),
      text: () =>
        updatesIn(heard, 'agent_message_chunk')
          .map(({ content }) => content.text ?? '')
          .join(''),
    }
  }

  return {
    id,
    cwd,
    created,
    prompt,
    play: (steps, text = 'Go.', params) => prompt(`${text} ${model.plan(steps)}`, params),
    updates: (kind) => updatesIn(agent.tap.heard, kind),
    async update(kind, fits = () => true, after = 0) {
      const isIt = isOf(kind)
      const found = await agent.heard(
        `${kind} of ${id}`,
        (heard) => isIt(heard) && fits(heard.message.params.update),
        after,
      )
      return found.message.params.update
    },
  }
}

/** Sends with the official client, and finds in what was heard how it was answered. */
function requester(agent: AcpProcess, connection: Connection) {
  const claimed = new Set<unknown>()
  return async (method: string, params: unknown): Promise<Wire> => {
    let id: unknown
    const stop = agent.tap.onHeard(({ from, message }) => {
      if (from !== 'client' || id !== undefined || message?.method !== method || claimed.has(message.id)) return
      id = message.id
      claimed.add(id)
    })
    try {
      const pending = connection.request(method, params)
      pending.catch(() => {})
      await agent.heard(`an answer to ${method}`, ({ from, message }) => isAnswer(from, message, id))
      await pending
    } finally {
      stop()
    }
    const { message } = await agent.heard('the answer', ({ from, message }) => isAnswer(from, message, id))
    return message.result
  }
}

const isAnswer = (from: string, message: Wire, id: unknown) =>
  from === 'agent' && id !== undefined && message?.id === id && !('method' in message)
