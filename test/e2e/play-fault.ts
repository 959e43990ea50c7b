/**
 * Plays one user turn whose model misbehaves and checks what holds after every fault: one result, thrown or not as its
 * `is_error` says; no key and no stack in any message; the next message is answered; the session resumes with all of it.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Options, query, type SDKMessage, type SDKResultMessage, type SDKUserMessage } from 'kedge'
import {
  collect,
  type ModelRequest,
  type ModelServerOptions,
  script,
  startModelServer,
  type Turns,
  testOptions,
} from 'kedge/testing'
import { isInPart } from '../support/tier.js'
import { stable } from './both-ways.js'

export const MODEL = 'claude-sonnet-4-5-20250929'
export const KEY = 'sk-ant-secret-0123456789'
/** A command that leaves a line behind each time it runs: `Played.ran` counts them. */
export const MARK = 'echo ran >> ran.txt'

export type Fault = {
  /** What the model does with the requests of the faulty turn; a function, because each run needs its own. */
  turns: () => Turns
  options?: Options
  env?: Record<string, string>
  server?: ModelServerOptions
  /** The API will never take the prompt: later requests are without it. */
  losesPrompt?: true
}

export type Played = {
  /** Of the faulty turn: ids, times and waits replaced. */
  messages: SDKMessage[]
  result: SDKResultMessage
  /** What the query with just this turn threw. */
  error: unknown
  requests: readonly ModelRequest[]
  /** How often `MARK` ran in the turn. */
  ran: number
}

/** `npm test` plays the turn in a conversation for a seeded fifth of the faults, `npm run test:all` for all of them. */
export async function playFault(fault: Fault): Promise<Played> {
  if (!isInPart(String(fault.turns))) return playAlone(fault)
  const [alone, followed] = await Promise.all([playAlone(fault), playFollowed(fault)])
  assert.deepEqual(followed.messages, alone.messages, 'the turn is the same as a string prompt and in a conversation')
  assert.equal(followed.ran, alone.ran)
  return alone
}

export function say(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' }
}

export function retries(messages: readonly SDKMessage[]) {
  return messages.flatMap((m) =>
    m.type === 'system' && m.subtype === 'api_retry' ? [[m.attempt, m.max_retries, m.error_status, m.error]] : [],
  )
}

/** Texts and tool calls of the assistant lines, `!` before those of ours in the model's place. */
export function lines(messages: readonly SDKMessage[]): string[] {
  return messages.flatMap((m) => {
    if (m.type !== 'assistant') return []
    const mark = m.message.model === '<synthetic>' ? `!${m.error} ` : ''
    return m.message.content.map((block) => mark + (block.type === 'text' ? block.text : block.type))
  })
}

async function playAlone({ turns, options: overrides = {}, env, server: serverOptions }: Fault): Promise<Played> {
  await using server = await startModelServer(turns(), serverOptions)
  await using options = testOptions(server, { model: MODEL, ...overrides, env: { ANTHROPIC_API_KEY: KEY, ...env } })
  const run = await collect(query({ prompt: 'Do it.', options }))
  assert.equal(run.results.length, 1, `one result, not ${run.results.length} (${run.error})`)
  const [result] = run.results
  assert.ok(result)
  checkClean(run.messages)
  if (result.is_error) {
    assert.ok(run.error instanceof Error)
    const said = result.subtype === 'success' ? result.result : result.errors.join('\n')
    assert.equal(run.error.message.replace(/^Claude Code process exited with code 1: /, ''), said.slice(0, 2000))
  } else {
    assert.equal(run.error, undefined)
  }
  const messages = comparable(run.messages, options.cwd)
  return { messages, result, error: run.error, requests: server.requests, ran: countMarks(options.cwd) }
}

/** The same turn, then a good one, then another in a session that resumes this one. */
async function playFollowed({ turns, options: overrides = {}, env, server: serverOptions, losesPrompt }: Fault) {
  const model = script(turns(), {
    lanes: {
      back: { when: { prompt: 'Back again.' }, turns: ['Welcome back.'] },
      next: { when: { prompt: 'Go on.' }, turns: ['Fine.'] },
    },
  })
  await using server = await startModelServer(model, serverOptions)
  await using options = testOptions(server, { model: MODEL, ...overrides, env: { ANTHROPIC_API_KEY: KEY, ...env } })
  let ended: () => void = () => {}
  const firstResult = new Promise<void>((resolve) => {
    ended = resolve
  })
  async function* prompts() {
    yield say('Do it.')
    await firstResult
    yield say('Go on.')
  }
  const messages: SDKMessage[] = []
  let ran: number | undefined
  for await (const message of query({ prompt: prompts(), options })) {
    messages.push(message)
    if (message.type !== 'result') continue
    ran ??= countMarks(options.cwd)
    ended()
  }
  checkClean(messages)
  const results = messages.filter((message) => message.type === 'result')
  assert.equal(results.length, 2, 'one result per user message')
  assert.deepEqual(outcome(results[1]), ['success', false, 'completed', 'Fine.'])

  const sessionId = results[0]?.session_id
  const resumed = await collect(query({ prompt: 'Back again.', options: { ...options, resume: sessionId } }))
  assert.equal(resumed.error, undefined)
  assert.deepEqual(outcome(resumed.result), ['success', false, 'completed', 'Welcome back.'])
  assert.equal(resumed.result?.session_id, sessionId)
  const sent = JSON.stringify(server.requests.at(-1)?.body.messages)
  for (const text of ['Go on.', 'Fine.']) assert.ok(sent.includes(text), `${text} is in the session file`)
  assert.equal(sent.includes('Do it.'), !losesPrompt, 'Do it. is in the session file')
  const first = messages.slice(0, messages.findIndex((message) => message.type === 'result') + 1)
  return { messages: comparable(first, options.cwd), ran }
}

export function outcome(result: SDKResultMessage | undefined) {
  const text = result?.subtype === 'success' ? result.result : result?.errors
  return [result?.subtype, result?.is_error, result?.terminal_reason, text]
}

/** Nothing a host sees holds the key or the inside of our program. */
export function checkClean(messages: readonly SDKMessage[]): void {
  const text = JSON.stringify(messages)
  assert.ok(!text.includes(KEY), 'the key is in a message')
  assert.doesNotMatch(text, /\\n\s+at \S+.*:\d+:\d+/, 'a stack trace is in a message')
}

function comparable(messages: readonly SDKMessage[], cwd: string): SDKMessage[] {
  // Whether a tool takes long enough to be reported depends on how busy the machine is.
  const steady = messages.filter((m) => m.type !== 'tool_progress')
  const waits = steady.map((m) => (m.type === 'system' && m.subtype === 'api_retry' ? { ...m, retry_delay_ms: 0 } : m))
  // The same messages with some values replaced by others of their type.
  const same = JSON.parse(JSON.stringify(stable(waits, { cwd })).replace(/127\.0\.0\.1:\d+/g, '<host>')) as SDKMessage[]
  // Synthetic messages have ids of ours.
  return same.map((m) =>
    m.type === 'assistant' && m.message.model === '<synthetic>' ? { ...m, message: { ...m.message, id: '<id>' } } : m,
  )
}

export function countMarks(cwd: string): number {
  const file = join(cwd, 'ran.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}
