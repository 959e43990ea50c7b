/**
 * The requests of a turn. Each ask is a row before any client sees it. The worker waits for the answer for a while,
 * then parks the turn: no worker has it, and the answer starts the next run. An ask that can't be parked waits here,
 * and ends with its machine.
 */

import { type AskOutcome, type AskWait, NO_ANSWER_NEEDED_TEXT } from '../../hub/driver/session-journal.js'
import { withFirstAbort } from '../../platform/first-abort.js'
import type { Ask } from '../../protocol/session-log/ask-types.js'
import type { ClaimedRun } from '../runs/claimed-run.js'

export type RunAskPorts = {
  claimed: ClaimedRun
  /** Resolves when earlier messages are written. */
  flushed(): Promise<void>
  /** Resolves when this ask is decided, or with the signal. */
  decided(ask: string, signal: AbortSignal): Promise<void>
  /** How long an answer is waited for before the turn is parked. */
  warmMs: number
  /** How long an ask stays open; undefined: for as long as it takes. */
  timeoutMs: number | undefined
  /** The worker leaves: nothing is waited for. */
  leaving: AbortSignal
  /** Aborted when another worker has the session. */
  lost: AbortSignal
  /**
   * Whether the agent continues without an answer that it no longer wants. False if it was ended, or left its turn to
   * another worker.
   */
  goesOn(): Promise<boolean>
  /** Background work beside the turn, in words; it would end with the run. */
  background(): string[]
  /** Reports why a turn that should be parked by now can't be; undefined when it can. */
  onHeld(ask: string, why: string | undefined): void
}

/** So often it is looked whether what kept it is over. */
const LOOK_MS = 5000

export class RunAsks {
  readonly #ports: RunAskPorts

  constructor(ports: RunAskPorts) {
    this.#ports = ports
  }

  async decide(ask: Ask, wait: AskWait): Promise<AskOutcome> {
    const { claimed, flushed, timeoutMs, onHeld } = this.#ports
    await flushed()
    const asked = await claimed.ask({ id: ask.id, request: ask, canPark: wait.canPark, timeoutMs }, [
      { kind: 'ask', data: ask },
    ])
    if (asked) return asked
    try {
      return await this.#wait(ask, wait)
    } finally {
      onHeld(ask.id, undefined)
    }
  }

  async #wait({ id, kind }: Ask, { canPark, signal }: AskWait): Promise<AskOutcome> {
    const { claimed, decided, warmMs, leaving, lost, background, onHeld, goesOn } = this.#ports
    const ends = [signal, lost, ...(canPark ? [leaving] : [])]
    const wait = (ms: number | undefined) => withFirstAbort(ends, ms, (end) => decided(id, end))
    await wait(warmMs)
    let state = await claimed.askState(id)
    for (let why = keeps(kind, canPark, background()); why !== undefined; why = keeps(kind, canPark, background())) {
      if (state || ends.some(({ aborted }) => aborted)) break
      onHeld(id, why)
      await wait(canPark ? LOOK_MS : undefined)
      state = await claimed.askState(id)
    }
    if (state) return state
    if (!signal.aborted && canPark) return 'park'
    // An agent that was ended has decided nothing: the request stays open for the worker that continues the turn.
    if (!(await goesOn())) return canPark ? 'park' : { void: NO_ANSWER_NEEDED_TEXT }
    await claimed.withdraw(id, NO_ANSWER_NEEDED_TEXT)
    return (await claimed.askState(id)) ?? { void: NO_ANSWER_NEEDED_TEXT }
  }
}

/** Returns why a turn that waits for a user stays with its worker; undefined if it can be parked. */
function keeps(kind: Ask['kind'], canPark: boolean, background: readonly string[]): string | undefined {
  if (!canPark && kind === 'elicitation')
    return 'an MCP server asks on its connection, and only the one that runs can take the answer'
  if (!canPark) return 'a sub-agent asks, and only the one that runs can take the answer'
  return background.length === 0 ? undefined : describeBlockingBackgroundWork(background)
}

const BACKGROUND = 'work in the background would end: '

export function describeBlockingBackgroundWork(background: readonly string[]): string {
  return `${BACKGROUND}${background.join(', ')}`
}

/** Whether a reason to keep a session on its worker is work in the background. */
export function isBackgroundReason(why: string): boolean {
  return why.startsWith(BACKGROUND)
}
