/**
 * Listens on both directions of a connection and judges every line: it is JSON, it is what the published schema says, every request
 * has one answer, nothing is sent that the client did not say it can take, and nothing is named that was not announced.
 */
import { type AcpSchema, type Flavor, readAcpSchema, type Wire } from './acp-schema.js'

export type From = 'agent' | 'client'
/** One message as it was on the wire; `text` is there when it was not JSON. */
export type Heard = { from: From; message: Wire; text?: string }

export type Tap = {
  readonly flavor: Flavor
  readonly heard: readonly Heard[]
  /** What nobody may send. */
  readonly violations: readonly string[]
  /** Fields the agent sent that this schema does not know: allowed, but to be known about. */
  readonly strangers: ReadonlySet<string>
  line(from: From, text: string): void
  /** Called for every message after it was judged. */
  onHeard(listener: (heard: Heard) => void): () => void
}

export type TapOptions = {
  /** The client says wrong things on purpose: only the agent is judged. */
  agentOnly?: boolean
}

const schemas = { stable: lazily(() => readAcpSchema('stable')), unstable: lazily(() => readAcpSchema('unstable')) }

export function createTap(flavor: Flavor, { agentOnly = false }: TapOptions = {}): Tap {
  const schema = schemas[flavor]()
  const heard: Heard[] = []
  const violations: string[] = []
  const strangers = new Set<string>()
  const listeners = new Set<(heard: Heard) => void>()
  /** Requests without an answer yet, by who asked; more than one of an id only if somebody does not play by the rules. */
  const open = { agent: new Map<unknown, Wire[]>(), client: new Map<unknown, Wire[]>() }
  const known = knownThings()

  function line(from: From, text: string): void {
    if (text.trim() === '') return
    let message: Wire
    try {
      message = JSON.parse(text)
    } catch {
      complain(from, `not JSON: ${text.slice(0, 200)}`)
      tell({ from, message: undefined, text })
      return
    }
    for (const problem of judge(from, message)) complain(from, `${problem} — ${JSON.stringify(message).slice(0, 400)}`)
    tell({ from, message })
  }

  function complain(from: From, problem: string): void {
    if (from === 'agent' || !agentOnly) violations.push(`${from}: ${problem}`)
  }

  function tell(one: Heard): void {
    heard.push(one)
    for (const listener of listeners) listener(one)
  }

  function judge(from: From, message: Wire): string[] {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return ['not an object']
    if (message.jsonrpc !== '2.0') return ['jsonrpc is not "2.0"']
    if ('method' in message) return 'id' in message ? judgeRequest(from, message) : judgeNotification(from, message)
    return judgeAnswer(from, message)
  }

  function judgeRequest(from: From, message: Wire): string[] {
    const { id, method, params } = message
    const waiting = open[from].get(id) ?? []
    const problems = waiting.length > 0 ? [`the id ${JSON.stringify(id)} is in use`] : []
    open[from].set(id, [...waiting, message])
    if (typeof method !== 'string') return [...problems, 'the method is not a string']
    if (from === 'client') known.ofClient(method, params)
    if (method.startsWith('_')) return problems
    const to = from === 'agent' ? 'client' : 'agent'
    note(from, strangersIn(schema, to, method, 'Request', params))
    problems.push(...wrong(schema.judge(to, method, 'Request', params)))
    return from === 'agent' ? [...problems, ...known.ofAgent(method, params)] : problems
  }

  function judgeNotification(from: From, { method, params }: Wire): string[] {
    if (typeof method !== 'string') return ['the method is not a string']
    if (method.startsWith('_')) return []
    if (method.startsWith('$/')) return wrong(schema.judge('protocol', method, 'Notification', params))
    const to = from === 'agent' ? 'client' : 'agent'
    note(from, strangersIn(schema, to, method, 'Notification', params))
    const problems = wrong(schema.judge(to, method, 'Notification', params))
    return from === 'agent' ? [...problems, ...known.ofAgent(method, params)] : problems
  }

  function judgeAnswer(from: From, message: Wire): string[] {
    const asked = from === 'agent' ? 'client' : 'agent'
    const hasResult = 'result' in message
    if (hasResult === 'error' in message) return ['not exactly one of result and error']
    const problems = hasResult ? [] : wrong(schema.judgeError(message.error))
    // What could not be read has no id to answer to.
    const waiting = open[asked].get(message.id) ?? []
    if (message.id === null && !hasResult && waiting.length === 0) return problems
    // Of several with one id, the one whose answer this can be.
    const isAnswered = ({ method }: Wire) =>
      !hasResult || String(method).startsWith('_') || !schema.judge(from, method, 'Response', message.result)
    const [request] = waiting.splice(Math.max(0, waiting.findIndex(isAnswered)), 1)
    if (!request) return [...problems, `an answer nobody waits for: ${JSON.stringify(message.id)}`]
    if (!hasResult || String(request.method).startsWith('_')) return problems
    note(from, strangersIn(schema, from, request.method, 'Response', message.result))
    problems.push(...wrong(schema.judge(from, request.method, 'Response', message.result)))
    if (from === 'agent') problems.push(...known.ofAnswer(request, message.result))
    return problems
  }

  function note(from: From, names: string[]): void {
    if (from === 'agent') for (const name of names) strangers.add(name)
  }

  return {
    flavor,
    heard,
    violations,
    strangers,
    line,
    onHeard(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const wrong = (problem: string | undefined): string[] => (problem === undefined ? [] : [problem])
const strangersIn = (schema: AcpSchema, ...of: Parameters<AcpSchema['strangers']>) => schema.strangers(...of)

/** What the client can take, which sessions there are, and which tool calls were announced. */
function knownThings() {
  let can: Wire = {}
  const sessions = new Set<string>()
  const calls = new Set<string>()

  function ofClient(method: string, params: Wire): void {
    if (method === 'initialize') can = params?.clientCapabilities ?? {}
    // History comes before the answer to these.
    if (/^session\/(load|resume)$/.test(method) && params?.sessionId) sessions.add(params.sessionId)
  }

  function ofAgent(method: string, params: Wire): string[] {
    const problems: string[] = []
    const needs = (can: unknown, what: string) => {
      if (!can) problems.push(`${what}, which the client did not say it can take`)
    }
    if (method === 'fs/read_text_file') needs(can.fs?.readTextFile, method)
    if (method === 'fs/write_text_file') needs(can.fs?.writeTextFile, method)
    if (method.startsWith('terminal/')) needs(can.terminal, method)
    if (method === 'elicitation/create') needs(can.elicitation?.[params?.mode], `elicitation ${params?.mode}`)
    if (method === 'elicitation/complete') needs(can.elicitation?.url, method)
    if (method.startsWith('session/') && !sessions.has(params?.sessionId) && params?.sessionId !== undefined)
      problems.push(`a session the client does not know yet: ${params.sessionId}`)
    if (method === 'session/request_permission') problems.push(...named(params.sessionId, params.toolCall?.toolCallId))
    if (method === 'session/update') problems.push(...ofUpdate(params.sessionId, params.update ?? {}))
    return problems
  }

  function ofUpdate(session: string, update: Wire): string[] {
    const problems: string[] = []
    const kind = update.sessionUpdate
    const needs = (has: unknown) => {
      if (!has) problems.push(`${kind}, which the client did not say it can take`)
    }
    if (kind === 'notice') needs(can.session?.notices)
    if (/^compaction_/.test(kind)) needs(can.session?.compaction)
    if (/^(subagent_update|session_message)/.test(kind)) needs(can.subagents)
    if (/^plan_/.test(kind)) needs(can.plan)
    if (kind === 'subagent_update') sessions.add(update.sessionId)
    if (kind === 'config_option_update') problems.push(...booleans(update.configOptions))
    if (kind === 'tool_call') calls.add(`${session} ${update.toolCallId}`)
    if (kind === 'tool_call_update') problems.push(...named(session, update.toolCallId))
    return problems
  }

  const named = (session: string, id: string) =>
    calls.has(`${session} ${id}`) ? [] : [`a tool call that was not announced: ${id}`]

  const booleans = (options: Wire): string[] =>
    (options ?? []).some((option: Wire) => option.type === 'boolean') && !can.session?.configOptions?.boolean
      ? ['a boolean option, which the client did not say it can take']
      : []

  function ofAnswer({ method, params }: Wire, result: Wire): string[] {
    if (method === 'initialize') {
      const terminal = (result?.authMethods ?? []).some((way: Wire) => way.type === 'terminal')
      return terminal && !can.auth?.terminal ? ['a terminal auth method, which the client did not say it can take'] : []
    }
    if (method === 'session/new' || method === 'session/fork') sessions.add(result?.sessionId)
    if (method === 'session/delete') sessions.delete(params?.sessionId)
    return booleans(result?.configOptions)
  }

  return { ofClient, ofAgent, ofAnswer }
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
