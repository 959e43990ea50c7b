/**
 * For tests of a session's parts: a conversation over ports that only remember. History, transcript lines and messages are made
 * by the real code; what a test does not give is not there, and who reaches for it fails.
 */
import { createHistory } from '../engine/history.js'
import type { Clock } from '../platform/clock.js'
import type { PlatformIdentity } from '../platform/identity.js'
import type { MessageParam, UUID } from '../protocol/content.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { TranscriptLine } from '../protocol/transcript.js'
import { createTranscriptWriter } from '../sessions/write-transcript.js'
import { type MainThread, newTurnState } from './conversation.js'
import { createRecordingEmitter, type EmitterOptions } from './messages/emitter.js'
import { createToolSession } from './tools/tool-session.js'

export const neverAborted = new AbortController().signal

/** The n-th id that `createCountingIdentity` gives. */
export function nthTestId(n: number): UUID {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

export function createCountingIdentity(): PlatformIdentity {
  let count = 0
  return {
    uuid: () => nthTestId(++count),
    hex: (length) => String(++count).padStart(length, '0'),
    pid: 4711,
    uid: 1000,
    os: 'linux',
  }
}

/** A clock that stands still until it is told to continue. */
export function createManualClock() {
  let time = 0
  const timers = new Set<{ at: number; callback(): void; again?: number }>()
  const timer = (ms: number, callback: () => void, again?: number) => {
    const one = { at: time + ms, callback, ...(again === undefined ? {} : { again }) }
    timers.add(one)
    return () => void timers.delete(one)
  }
  const clock: Clock = {
    now: () => 1_767_225_600_000 + time,
    monotonic: () => time,
    sleep: (ms) => new Promise((resolve) => timer(ms, resolve)),
    atMost: (ms, work) =>
      new Promise((resolve, reject) => {
        const cancel = timer(ms, () => resolve(undefined))
        work.then(resolve, reject).finally(cancel)
      }),
    after: (ms, callback) => timer(ms, callback),
    every: (ms, callback) => timer(ms, callback, ms),
    everyInBackground: (ms, callback) => timer(ms, callback, ms),
  }
  return {
    clock,
    /** How many timers run. */
    waiting: () => timers.size,
    /** Time goes by: whatever is due in it happens, in order. */
    pass(ms: number) {
      const end = time + ms
      const isDue = ({ at }: { at: number }) => at <= end
      for (let due = [...timers].filter(isDue); due.length > 0; due = [...timers].filter(isDue)) {
        const next = due.reduce((a, b) => (b.at < a.at ? b : a))
        time = Math.max(time, next.at)
        if (next.again === undefined) timers.delete(next)
        else next.at += Math.max(1, next.again)
        next.callback()
      }
      time = end
    },
  }
}

/** A transcript whose lines are kept in a list. */
export function createTestTranscript(identity: PlatformIdentity, parent: string | null = null) {
  const lines: TranscriptLine[] = []
  const log = {
    path: '/sessions/s.jsonl',
    append: (line: TranscriptLine) => void lines.push(line),
    onLost() {},
    close() {},
  }
  const files = {
    readTextSync(): string {
      throw new Error('no file')
    },
  }
  const transcript = createTranscriptWriter({
    log,
    parent,
    sessionId: 'session',
    cwd: '/repo',
    now: () => 0,
    newId: identity.uuid,
    // Only asked for the branch.
    files: files as never,
  })
  return { transcript, lines }
}

/** The lines that make the chain: what each follows, and what it says. */
export function transcriptChain(lines: readonly TranscriptLine[]): [parent: string | null, says: string][] {
  return lines.flatMap((line): [string | null, string][] => {
    if (line.type === 'system') return [[line.parentUuid, `[${line.subtype}]`]]
    if (line.type !== 'user' && line.type !== 'assistant') return []
    const { content } = line.message
    const shown =
      typeof content === 'string' ? content : content.map((b) => (b.type === 'text' ? b.text : `[${b.type}]`))
    return [[line.parentUuid, `${line.type}: ${String(shown)}`]]
  })
}

/** Any part of something, as deep as a test cares for. */
export type DeepPartial<T> = T extends (...args: never[]) => unknown
  ? T
  : { [Key in keyof T]?: DeepPartial<T[Key]> | T[Key] }

export type TestConversation = {
  conversation: MainThread
  /** What the host was sent, in order. */
  sent: SDKMessage[]
  lines: TranscriptLine[]
  /** Time goes by. */
  time: ReturnType<typeof createManualClock>
}

/** `parts.shared` is put into what all tests have; the rest of `parts` as it is. */
export function createTestConversation(
  { shared, ...parts }: DeepPartial<MainThread> = {},
  {
    messages = [],
    settings = { replay: false, toolOutput: false, reportsState: true, showsState: false },
  }: { messages?: readonly MessageParam[]; settings?: EmitterOptions['settings'] } = {},
): TestConversation {
  const sent: SDKMessage[] = []
  const identity = createCountingIdentity()
  const { transcript, lines } = createTestTranscript(identity)
  const send = (message: SDKMessage) => void sent.push(message)
  const emitter = createRecordingEmitter({ settings, sessionId: 'session', transcript, identity, send })
  const time = createManualClock()
  const conversation = {
    history: createHistory(messages),
    transcript,
    emitter,
    turn: newTurnState(),
    tools: createToolSession('/repo', () => {}),
    context: { tokens: 0, failedAt: 0 },
    toTell: { ended: [], pending: [], listing: [], instructions: [] },
    prompt: { system: undefined, append: undefined },
    ...parts,
    shared: {
      sessionId: 'session',
      results: { count: 0, lastIsError: false },
      ...shared,
      platform: { clock: time.clock, identity, ...shared?.platform },
    },
  }
  // Who needs more than a test gives fails there.
  return { conversation: conversation as unknown as MainThread, sent, lines, time }
}

/** Lets everything that can continue without outside help continue. */
export function settleConversation(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
