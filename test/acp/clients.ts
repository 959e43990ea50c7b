/** Two clients of the official library: a rich one that can take everything, and a poor one that can take nothing. */
import { readFileSync, writeFileSync } from 'node:fs'
import * as stable from '@agentclientprotocol/sdk'
import * as unstable from '@agentclientprotocol/sdk/unstable'
import type { AcpProcess } from './acp-process.js'
import type { Wire } from './acp-schema.js'
import { clientTerminals } from './client-terminals.js'

export type Kind = 'rich' | 'poor'

/** What the person at the client does; a test puts its own in place. */
export type Person = {
  permission(request: Wire): unknown
  elicitation(request: Wire): unknown
  /** Texts of the editor that are not on disk. */
  buffers: Map<string, string>
  readFile(request: Wire): unknown
  writeFile(request: Wire): unknown
  /** Whatever else the agent asks of a client without a library. */
  other(method: string, request: Wire): unknown
}

export const capabilities = {
  poor: {},
  rich: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    auth: { terminal: true },
    elicitation: { form: {}, url: {} },
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    subagents: {},
    plan: {},
    _meta: {
      terminal_output: true,
      terminal_output_delta: true,
      kedge: { hookEvents: true, toolUseSummary: true },
    },
  },
} as const

/** Says yes to everything, once. */
export function willingPerson(): Person {
  const person: Person = {
    permission: (request) => select(request, 'allow_once'),
    elicitation: ({ requestedSchema }) => ({ action: 'accept', content: firstChoices(requestedSchema) }),
    buffers: new Map(),
    readFile: ({ path, line, limit }) => {
      const text = person.buffers.get(path) ?? readFileSync(path, 'utf8')
      if (line == null && limit == null) return { content: text }
      const from = (line ?? 1) - 1
      return {
        content: text
          .split('\n')
          .slice(from, limit == null ? undefined : from + limit)
          .join('\n'),
      }
    },
    writeFile: ({ path, content }) => {
      if (person.buffers.has(path)) person.buffers.set(path, content)
      writeFileSync(path, content)
      return {}
    },
    other: () => ({}),
  }
  return person
}

/** The answer that selects the first option of a kind, or of a name. */
export function select({ options }: Wire, kind: string, name?: RegExp): Wire {
  const option = options.find((one: Wire) => one.kind === kind && (name === undefined || name.test(one.name)))
  if (!option) throw new Error(`no option ${kind} ${name ?? ''} in ${JSON.stringify(options)}`)
  return { outcome: { outcome: 'selected', optionId: option.optionId } }
}

/** The first choice of every field of a form that has choices. */
export function firstChoices(schema: Wire): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<Wire>(schema?.properties ?? {}).flatMap(([name, field]) => {
      const one = field.oneOf?.[0]?.const ?? field.enum?.[0]
      const some = field.items?.anyOf?.[0]?.const ?? field.items?.enum?.[0]
      if (one !== undefined) return [[name, one]]
      return some === undefined ? [] : [[name, [some]]]
    }),
  )
}

export type Connection = {
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string, params: unknown): Promise<void>
  close(): void
}

export function connect(kind: Kind, { input, output }: AcpProcess, person: Person): Connection {
  return kind === 'rich' ? connectRich(input, output, person) : connectPoor(input, output, person)
}

function connectPoor(input: AcpProcess['input'], output: AcpProcess['output'], person: Person): Connection {
  const { methods } = stable
  const app = stable
    .client({ name: 'poor' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => asIs(person.permission(params)))
    .onNotification(methods.client.session.update, () => {})
    // What is not in the protocol is not for it.
    .onNotification('*', () => {})
  return opened(app.connect(stable.ndJsonStream(input, output)))
}

function connectRich(input: AcpProcess['input'], output: AcpProcess['output'], person: Person): Connection {
  const { client: to } = unstable.methods
  const terminals = clientTerminals()
  const app = unstable
    .client({ name: 'rich' })
    .onRequest(to.session.requestPermission, ({ params }) => asIs(person.permission(params)))
    .onRequest(to.elicitation.create, ({ params }) => asIs(person.elicitation(params)))
    .onRequest(to.fs.readTextFile, ({ params }) => asIs(person.readFile(params)))
    .onRequest(to.fs.writeTextFile, ({ params }) => asIs(person.writeFile(params)))
    .onRequest(to.terminal.create, ({ params }) => terminals.create(params))
    .onRequest(to.terminal.output, ({ params }) => terminals.output(params))
    .onRequest(to.terminal.waitForExit, ({ params }) => terminals.exit(params))
    .onRequest(to.terminal.kill, ({ params }) => terminals.kill(params))
    .onRequest(to.terminal.release, ({ params }) => terminals.release(params))
    .onNotification(to.session.update, () => {})
    .onNotification('*', () => {})
  return opened(app.connect(unstable.ndJsonStream(input, output)))
}

/** What a person does is up to the test, also when it is wrong: the tap sees it. */
function asIs(answer: unknown): Promise<Wire> {
  return Promise.resolve(answer)
}

function opened(connection: {
  agent: {
    request(method: string, params?: unknown): Promise<unknown>
    notify(method: string, params?: unknown): Promise<void>
  }
  close(): void
}): Connection {
  return {
    request: (method, params) => connection.agent.request(method, params),
    notify: (method, params) => connection.agent.notify(method, params),
    close: () => connection.close(),
  }
}
