/** Has an agent work on a prompt through `kedge serve`: a server of its own, the HTTP API, and asks answered as they come. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isObject, type JsonObject, textOrEmpty } from '../../protocol/json.js'
import type { Options } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import { ownCliPath } from '../../sdk/start-agent-process.js'
import type { EvalAnswer } from '../task/eval-task.js'
import type { AgentPromptInput, AgentPromptResult } from './drive.js'

const TOKEN = 'kedge-eval-server-token'
const CLOSE_MS = 10_000
/** Options that a session of a server can be given, and those that the trial sets itself. */
const KNOWN: ReadonlySet<string> = new Set<keyof Options>([
  ...(['permissionMode', 'allowedTools', 'disallowedTools', 'model', 'settingSources', 'systemPrompt'] as const),
  ...(['cwd', 'env', 'maxTurns', 'maxBudgetUsd', 'timeoutMs'] as const),
])

export async function driveServer(drive: AgentPromptInput): Promise<AgentPromptResult> {
  const { options, signal } = drive
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw new Error(`The option ${unknown} can't be used with the interface \`server\`.`)
  const printed: string[] = []
  const complaints: string[] = []
  const child = start(options, complaints)
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  try {
    const api = connect(await addressOf(child), signal)
    const { cwd = '', permissionMode: mode } = options
    const sessionId = drive.sessionId ?? textOrEmpty((await api('/sessions', { cwd, ...(mode ? { mode } : {}) }))['id'])
    const events = await api.follow(sessionId)
    const { seq } = await api(`/sessions/${sessionId}/prompts`, { content: drive.prompt })
    const exitCode = await work(events, Number(seq), { api, sessionId, printed, answers: drive.answers })
    return { exitCode, printed: printed.join('\n'), output: '', complaints: complaints.join(''), sessionId }
  } catch (error) {
    const text = messageOf(error)
    const left = { printed: printed.join('\n'), output: '', complaints: complaints.join('') }
    return { exitCode: 1, ...left, ...(signal.aborted ? {} : { error: text }) }
  } finally {
    signal.removeEventListener('abort', stop)
    await close(child)
  }
}

/** Rules go into the settings of the trial's user, where the people of a server have theirs. */
function start(options: Options, complaints: string[]): ChildProcess {
  const { env = {}, cwd = '', model, allowedTools = [], disallowedTools = [] } = options
  const folder = env['CLAUDE_CONFIG_DIR'] ?? ''
  mkdirSync(folder, { recursive: true })
  const permissions = { allow: allowedTools, deny: disallowedTools }
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ permissions }))
  const trust = options.settingSources?.includes('project') ? ['--trust'] : []
  const argv = [ownCliPath(), 'serve', '--port', '0', '--root', cwd, ...(model ? ['--model', model] : []), ...trust]
  const child = spawn(process.execPath, argv, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, KEDGE_SERVER_TOKEN: TOKEN } as NodeJS.ProcessEnv, // texts, or undefined for what is left out
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => complaints.push(text))
  return child
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((settle, reject) => {
    child.once('exit', (code) => reject(new Error(`kedge serve ended with exit code ${code}.`)))
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, url] = /listens on (\S+)/.exec(line) ?? []
      if (url !== undefined) settle(url)
    })
  })
}

async function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const force = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
  const ended = new Promise((settle) => child.once('exit', settle))
  child.kill('SIGTERM')
  await ended
  clearTimeout(force)
}

type Api = {
  (path: string, body: object): Promise<JsonObject>
  follow(session: string): Promise<AsyncIterable<JsonObject>>
}

function connect(url: string, signal: AbortSignal): Api {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
  const call = async (path: string, body?: object): Promise<Response> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${url}/v1${path}`, { headers, signal, ...sent })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const post = async (path: string, body: object): Promise<JsonObject> => {
    const text = await (await call(path, body)).text()
    const value: unknown = text === '' ? undefined : JSON.parse(text)
    return isObject(value) ? value : {}
  }
  const follow = async (session: string) => entriesOf(await call(`/sessions/${session}/events?deltas=false`))
  return Object.assign(post, { follow })
}

/** The log of a session, from server-sent events. */
async function* entriesOf(response: Response): AsyncIterable<JsonObject> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const value: unknown = line.startsWith('data: ') ? JSON.parse(line.slice('data: '.length)) : undefined
      if (isObject(value)) yield value
    }
  }
}

type Work = { api: Api; sessionId: string; printed: string[]; answers: EvalAnswer[] }

/** Follows the log from the prompt until the session rests; returns an exit code as the command would have. */
async function work(events: AsyncIterable<JsonObject>, from: number, parts: Work): Promise<number> {
  const { api, sessionId, printed, answers } = parts
  let exitCode: number | undefined
  for await (const { seq, kind, data } of events) {
    if (Number(seq) < from || !isObject(data)) continue
    if (kind === 'ask') await api(`/sessions/${sessionId}/asks/${data['id']}/answer`, answerTo(data, answers))
    if (kind === 'message' && data['type'] === 'result') {
      exitCode = data['is_error'] === true ? 1 : 0
      printed.push(textOrEmpty(data['result']))
    }
    if (kind === 'state' && data['status'] === 'idle' && exitCode !== undefined) return exitCode
  }
  throw new Error('The stream of events ended before the turn did.')
}

function answerTo(ask: JsonObject, answers: EvalAnswer[]): object {
  const name = isObject(ask['tool']) ? ask['tool']['name'] : undefined
  const at = answers.findIndex(({ tool }) => tool === name)
  const [answer] = at < 0 ? [] : answers.splice(at, 1)
  const { kind } = ask
  if (!answer) return { kind: 'deny' }
  const { allow = true, message = 'No.', answers: given = {} } = answer
  if (kind === 'plan') return allow ? { kind: 'approve' } : { kind: 'revise', comments: message }
  if (!allow) return { kind: 'deny', message }
  return kind === 'question' ? { kind: 'answers', answers: given } : { kind: 'allow' }
}
