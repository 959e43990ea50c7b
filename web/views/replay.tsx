/** A session as it was at any point: its log, folded up to there. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { SessionHistory } from '../../src/client/session-api.js'
import { messageOf } from '../../src/protocol/thrown.js'
import { addTranscriptToView, applyToView } from '../../src/view/session-view.js'
import { createSessionView } from '../../src/view/view-state.js'
import { clockTime } from '../parts/formats.js'
import { Icon } from '../parts/icons.js'
import { sessionTitle } from '../state/notifications.js'
import { toSessionLink } from '../state/route.js'
import { serverClient } from '../state/server.js'
import type { LogEntry } from '../state/server-types.js'
import { SessionSignals } from '../state/session-signals.js'
import { T } from '../texts.js'
import { ConversationView } from './conversation-view.js'

const STEP_MS = 400

export function Replay({ id, start }: { id: string; start: number | undefined }) {
  const log = useSignal<readonly LogEntry[]>([])
  const before = useSignal<SessionHistory>({ messages: [], earlier: 0 })
  const at = useSignal(0)
  const isPlaying = useSignal(false)
  const problem = useSignal('')
  useEffect(() => {
    const load = async () => {
      before.value = await serverClient.earlier(id)
      const all: LogEntry[] = []
      for await (const entries of serverClient.stored(id)) all.push(...entries)
      log.value = all
      at.value = Math.min(start ?? all.length, all.length)
    }
    load().catch((error) => {
      problem.value = messageOf(error)
    })
  }, [id])
  useEffect(() => {
    if (!isPlaying.value) return
    const timer = setInterval(() => {
      if (at.value >= log.value.length) isPlaying.value = false
      else at.value += 1
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [isPlaying.value])
  // From the beginning each time: it is fast, and going back needs nothing else.
  const conversation = useMemo(() => {
    const view = createSessionView()
    const begin = addTranscriptToView(view, before.value)
    const changes = log.value.slice(0, at.value).flatMap((one) => applyToView(view, one))
    const folded = new SessionSignals()
    folded.show({ ...view, requests: view.openRequests }, [...begin, ...changes])
    return folded
  }, [log.value, at.value])
  const entry = log.value[at.value - 1]
  const move = (to: number) => {
    isPlaying.value = false
    at.value = Math.max(0, Math.min(log.value.length, to))
  }
  return (
    <div class="session-view replay">
      <header class="session-header">
        <a class="button plain" href={toSessionLink(id)} aria-label={T.backToSession}>
          <Icon name="back" />
        </a>
        <div class="grow names">
          <h1>{T.replayOf(sessionTitle(id))}</h1>
          <p class="facts">
            {T.entryOf(at.value, log.value.length)} {entry && `· ${clockTime(entry.at)}`}
          </p>
        </div>
      </header>
      <div class="replay-bar">
        <button
          type="button"
          onClick={() => {
            isPlaying.value = !isPlaying.value
          }}
        >
          <Icon name={isPlaying.value ? 'stop' : 'play'} /> {isPlaying.value ? T.pause : T.play}
        </button>
        <button type="button" class="plain" aria-label={T.stepBack} onClick={() => move(at.value - 1)}>
          <Icon name="back" />
        </button>
        <input
          type="range"
          aria-label={T.point}
          min={0}
          max={log.value.length}
          value={at.value}
          onInput={({ currentTarget }) => move(Number(currentTarget.value))}
        />
        <button type="button" class="plain" aria-label={T.stepOn} onClick={() => move(at.value + 1)}>
          <Icon name="chevron" />
        </button>
      </div>
      {problem.value !== '' && (
        <p role="alert" class="bad">
          {problem.value}
        </p>
      )}
      <ConversationView id={id} conversation={conversation} isReplay />
    </div>
  )
}
