/** Serves a session until its host is done or gone: reads, and brings it to one of its ends with the right exit code. */
import type { Platform } from '../platform/platform.js'
import { messageOf } from '../protocol/thrown.js'
import type { StartRefusal } from '../runtime/configuration.js'
import type { Session } from '../runtime/session.js'
import type { ControlContext } from './control-context.js'
import type { HostConnection } from './host-connection.js'
import { describeUnfinishedWork } from './left-undone.js'
import { readHostMessages } from './read-input.js'
import { refusedMessageResult, startRefusalResult } from './refusal-results.js'

/** How long a turn that was told to stop may take to. */
const STOP_MS = 2000
/** For SessionEnd hooks after a time-out. */
const LAST_WORDS_MS = 1000
/** As shells count: a job that was ended must not look as if it had been done. */
const EXIT_CODES: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

export type ServeOptions = {
  session: Session
  wire: HostConnection
  platform: Platform
  stderr(text: string): void
  /** Aborted to end the agent, with the name of a signal as the reason: SIGINT lets the turn finish with its result. */
  signal: AbortSignal
  timeoutMs: number | null
  /** From now on control requests are answered so. */
  onControl(context: ControlContext): void
  /** The host says no more. */
  onInputEnded(): void
}

/** Serves one session to its host until the input ends. Resolves with the exit code. */
export async function serveSession(options: ServeOptions): Promise<number> {
  const { session, wire, platform, signal } = options
  const { clock } = platform
  let finish: (code: number) => void = () => {}
  const ended = new Promise<number>((resolve) => {
    finish = resolve
  })
  const over = new AbortController()
  const end = createEndings(options, over, (code) => finish(code))
  const stopTimer = options.timeoutMs === null ? () => {} : clock.after(options.timeoutMs, end.timedOut)
  wire.keepAlive()
  signal.addEventListener('abort', end.signaled, { once: true })
  if (signal.aborted) end.signaled()
  options.onControl(controlOf(options, end, over.signal))
  void session
    .open(signal)
    .then(() => readHost(options))
    .then(end.inputOver)
    .catch((error) => {
      // A bug of ours; the host must not wait for ever because of it.
      options.stderr(`Error: ${messageOf(error)}\n`)
      finish(1)
    })
  const code = await ended
  over.abort()
  stopTimer()
  signal.removeEventListener('abort', end.signaled)
  wire.close()
  session.close()
  await clock.atMost(STOP_MS, session.stopWork())
  return code
}

function readHost({ session, wire, platform, stderr }: ServeOptions): Promise<StartRefusal | undefined> {
  return readHostMessages({
    incoming: wire.incoming,
    session,
    peer: wire.peer,
    stderr,
    async reject(problem, uuid) {
      await wire.send(refusedMessageResult(problem, session.main.shared, platform))
      // A rejected message gets only this result, so a host that waits for its turn can stop waiting.
      session.main.emitter.lifecycle(uuid, 'completed')
      session.rejected()
    },
    caughtUp: wire.caughtUp,
    echo: (message) => void wire.send(message),
  })
}

type Endings = ReturnType<typeof createEndings>

/**
 * Every way a session can end. Each calls `finish` with the exit code, once what has to be over is over. `over`: nothing new will
 * come, so answers need not wait for anything.
 */
function createEndings(options: ServeOptions, over: AbortController, finish: (code: number) => void) {
  const { session, wire, platform, signal, timeoutMs } = options
  const { clock } = platform
  const { queue, main } = session
  const { results } = main.shared
  let allAnswered = false
  let ending: Promise<void> | undefined

  const exitCode = () => (results.lastIsError ? 1 : 0)
  /** The turn has stopped, and all work beside it; what does not stop is not waited for. */
  const settled = () => clock.atMost(STOP_MS, Promise.all([queue.idle(), session.stopWork()]))
  const sayEnd = () => main.hooks.sessionEnd('other', signal)
  const tell = (refusal: Pick<StartRefusal, 'code' | 'reason'>, message: string) =>
    wire.send(startRefusalResult(refusal, message, platform, main.shared))

  const sayUndone = (name: string) => {
    const undone = describeUnfinishedWork({
      inTurn: session.inTurn(),
      messages: main.history.messages,
      waiting: queue.size(),
      tasks: main.shared.background.table.running(),
    })
    if (undone !== undefined) options.stderr(`Ended by ${name}. Left undone: ${undone}\n`)
  }

  return {
    timedOut() {
      // All was asked and answered: only the last words took too long.
      if (allAnswered) return finish(exitCode())
      // Between two turns, or before the first, nothing else would tell the host why it is over.
      if (!session.inTurn()) {
        results.lastIsError = true
        void tell({ code: 'timeout', reason: 'timeout' }, `Timed out after ${(timeoutMs ?? 0) / 1000} s`)
      }
      queue.close()
      session.interrupt('timeout')
      void settled()
        .then(() => clock.atMost(LAST_WORDS_MS, sayEnd()))
        .then(() => finish(exitCode()))
    },
    signaled() {
      const interrupted = signal.reason === 'SIGINT'
      const code = EXIT_CODES[String(signal.reason)]
      if (code !== undefined) sayUndone(String(signal.reason))
      if (!interrupted) wire.mute()
      queue.close()
      if (interrupted) session.interrupt()
      else session.close()
      void settled().then(() => finish(code ?? 143))
    },
    /** It can't be what the host asked for. */
    refused(message: string, code: string) {
      // What the host sends next must not run under other terms than it asked for.
      queue.close()
      // The result goes out at once: a host that sees the error may end its input before any timer fires.
      results.lastIsError = true
      void tell({ code, reason: 'invalid_input' }, message)
      clock.after(0, () => finish(1))
    },
    /** The host asked for the end; once, however often it asks. */
    asked(): Promise<void> {
      queue.close()
      session.interrupt()
      ending ??= settled()
        .then(sayEnd)
        // The answer to this very request still has to go out.
        .then(() => void clock.after(0, () => finish(exitCode())))
      return ending
    },
    /** The input is over; `fatal` is what made going on impossible. */
    async inputOver(fatal: StartRefusal | undefined) {
      options.onInputEnded()
      // What still waits for the host will never be answered; what the host asked still is.
      const reason = fatal ? 'Stream closed' : 'Tool permission stream closed before response received'
      wire.peer.stopAsking(new Error(reason))
      if (fatal) session.close()
      else {
        session.resumeTurn()
        await session.hostLeft()
      }
      await session.finished()
      // Nothing was finished: it was ended, which has an exit code of its own.
      if (signal.aborted) return
      allAnswered = true
      over.abort()
      if (!fatal) await (ending ?? sayEnd())
      await wire.peer.answered()
      if (fatal?.message) await tell(fatal, fatal.message)
      finish(fatal ? 1 : exitCode())
    },
  }
}

function controlOf({ session, wire, stderr, platform }: ServeOptions, end: Endings, over: AbortSignal): ControlContext {
  return {
    session,
    initialized: false,
    began: platform.clock.monotonic(),
    over,
    openAsks: () => wire.peer.openBodies('can_use_tool'),
    refuse: end.refused,
    warn: (message) => stderr(`Warning: ${message}\n`),
    end: end.asked,
  }
}
