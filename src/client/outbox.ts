/** Prompts on their way: tried until the server has them, in order and under one id, so none is lost and none comes twice. */
import { isObject } from '../protocol/json.js'
import { toError } from '../protocol/thrown.js'
import { ClientError, isFinalError, UnauthorizedError } from './client-errors.js'
import type { ClientStorage, PromptToSend } from './client-types.js'
import { newId } from './new-id.js'
import { type Backoff, backoffDelay, waitOrPageWake } from './wait-and-wake.js'

/** A prompt that the server doesn't have yet. */
export type OutgoingPrompt = PromptToSend & {
  /** Makes it one prompt, however often it is sent. */
  id: string
  /** The session it's for. */
  session: string
  /** Why the server doesn't take it. It stays in the list until `drop()`, or `retry()` sends it again. */
  problem?: ClientError | Error | undefined
}

/** Prompts that the server doesn't have yet. */
export type Outbox = {
  /** Those prompts, oldest first. A change makes another list. */
  readonly value: readonly OutgoingPrompt[]
  /** Calls `listener` after each change. Returns what ends that. */
  subscribe(listener: (value: readonly OutgoingPrompt[]) => void): () => void
  /** Stores a prompt and delivers it when the server can be reached. Returns its id. */
  send(session: string, prompt: string | PromptToSend): string
  /** Delivers what an earlier page or process stored. */
  resume(): void
  /** Sends prompts again that the server didn't take: all, or one. */
  retry(id?: string): void
  /** Gives up a prompt. */
  drop(id: string): void
}

export type OutboxPorts = {
  deliver(session: string, prompt: PromptToSend, signal: AbortSignal): Promise<unknown>
  storage: ClientStorage
  backoff: Backoff
}

const KEY = 'out:'

export function createOutbox({ deliver, storage, backoff }: OutboxPorts): Outbox {
  let value: readonly OutgoingPrompt[] = []
  const listeners = new Set<(value: readonly OutgoingPrompt[]) => void>()
  /** Sessions that something is being delivered to, each with what ends the attempt. */
  const busy = new Map<string, { id: string; stop: AbortController }>()
  const set = (next: readonly OutgoingPrompt[]) => {
    value = next
    for (const listener of [...listeners]) listener(value)
  }
  const remove = (id: string) => {
    storage.set(KEY + id, undefined)
    set(value.filter((one) => one.id !== id))
  }
  const note = (id: string, problem: OutgoingPrompt['problem']) =>
    set(value.map((one) => (one.id === id ? { ...one, problem } : one)))

  const add = (prompt: OutgoingPrompt) => {
    if (value.some(({ id }) => id === prompt.id)) return
    set([...value, prompt])
    if (!busy.has(prompt.session)) void deliverAll(prompt.session)
  }

  /** One after another: prompts of a session keep their order. */
  const deliverAll = async (session: string) => {
    for (;;) {
      const next = value.find((one) => one.session === session && one.problem === undefined)
      if (!next) break
      const stop = new AbortController()
      busy.set(session, { id: next.id, stop })
      await deliverOne(next, stop.signal)
    }
    busy.delete(session)
  }

  const deliverOne = async ({ session, problem: _, ...prompt }: OutgoingPrompt, signal: AbortSignal) => {
    for (let failures = 0; ; failures += 1) {
      try {
        await deliver(session, prompt, signal)
        return remove(prompt.id)
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof ClientError) || isFinalError(error)) {
          // It can't be sent as it is. Without a sign-in it stays stored, for after that.
          if (!(error instanceof UnauthorizedError)) storage.set(KEY + prompt.id, undefined)
          return note(prompt.id, toError(error))
        }
        await waitOrPageWake(error.retryAfterMs ?? backoffDelay(backoff, failures), signal).catch(() => {})
        if (signal.aborted) return
      }
    }
  }

  return {
    get value() {
      return value
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    send(session, prompt) {
      const id = newId()
      const outgoing = { id, ...(typeof prompt === 'string' ? { content: prompt } : prompt), session }
      storage.set(KEY + outgoing.id, JSON.stringify({ ...outgoing, at: Date.now() }))
      add(outgoing)
      return outgoing.id
    },
    resume() {
      const stored = storage.keys().flatMap((key) => (key.startsWith(KEY) ? (readPrompt(storage.get(key)) ?? []) : []))
      for (const { at: _, ...prompt } of stored.sort((a, b) => a.at - b.at)) add(prompt)
    },
    retry(id) {
      const again = value.filter((one) => one.problem && (id === undefined || one.id === id))
      set(value.map((one) => (again.includes(one) ? { ...one, problem: undefined } : one)))
      for (const { session } of again) if (!busy.has(session)) void deliverAll(session)
    },
    drop(id) {
      remove(id)
      for (const under of busy.values()) if (under.id === id) under.stop.abort()
    },
  }
}

/** Undefined if what is stored isn't a prompt. */
function readPrompt(text: string | undefined): (OutgoingPrompt & { at: number }) | undefined {
  try {
    const found: unknown = JSON.parse(text ?? '')
    if (!isObject(found) || typeof found['id'] !== 'string' || typeof found['session'] !== 'string') return undefined
    const { at } = found
    return { ...(found as OutgoingPrompt), at: typeof at === 'number' ? at : 0 } // this file stores nothing else
  } catch {
    return undefined
  }
}

/** Returns storage that lasts as long as the client. */
export function createMemoryClientStorage(): ClientStorage {
  const kept = new Map<string, string>()
  return {
    get: (key) => kept.get(key),
    set: (key, text) => void (text === undefined ? kept.delete(key) : kept.set(key, text)),
    keys: () => [...kept.keys()],
  }
}
