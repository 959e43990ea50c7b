/** The session the page shows: its whole log, then its stream from there on. One at a time. */
import { signal } from '@preact/signals'
import { messageOf } from '../../src/protocol/thrown.js'
import { followEntries } from '../wire/entry-socket.js'
import { get } from '../wire/server-api.js'
import type { LogEntry, SessionMessage } from '../wire/wire-types.js'
import { SessionSignals } from './session-signals.js'

export type OpenedSession = {
  id: string
  conversation: SessionSignals
  /** All that there was before the page came is there. */
  isReady: boolean
  problem: string | undefined
}

export const opened = signal<OpenedSession | undefined>(undefined)

const PIECE = 2000
let close = () => {}

export function showSession(id: string): void {
  if (opened.value?.id === id) return
  close()
  const conversation = new SessionSignals()
  let isOver = false
  let stream: { close(): void } | undefined
  close = () => {
    isOver = true
    stream?.close()
  }
  const say = (more: Partial<OpenedSession>) => {
    if (!isOver) opened.value = { id, conversation, isReady: true, problem: undefined, ...more }
  }
  say({ isReady: false })
  const begin = async () => {
    const before = loadEarlierPage(id)
    for await (const entries of wholeLog(id)) {
      if (conversation.seq === 0) conversation.addHistory(await before)
      if (isOver) return
      conversation.add(entries)
    }
    if (isOver) return
    say({})
    stream = followEntries({
      path: `/sessions/${id}/events`,
      after: () => conversation.seq,
      onItems: (items) => conversation.add(items),
      onState: () => {},
      onOpen: () => conversation.dropLive(),
      onRefused: (problem) => say({ problem: problem.message }),
    })
  }
  begin().catch((error) => say({ problem: messageOf(error) }))
}

export function leaveSession(): void {
  close()
  opened.value = undefined
}

export type EarlierPage = { messages: SessionMessage[]; earlier: number }

/** What was said before the log begins. A server that can't say shows the rest. */
export function loadEarlierPage(id: string): Promise<EarlierPage> {
  return get<EarlierPage>(`/sessions/${id}/history`).catch(() => ({ messages: [], earlier: 0 }))
}

export async function* wholeLog(id: string): AsyncGenerator<LogEntry[], void> {
  for (let after = 0; ; ) {
    const { entries, last } = await get<{ entries: LogEntry[]; last: number }>(
      `/sessions/${id}/log?after=${after}&limit=${PIECE}`,
    )
    yield entries
    after = entries.at(-1)?.seq ?? last
    if (after >= last) return
  }
}
