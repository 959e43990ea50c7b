/**
 * A teammate: a sub-agent that lives on. It works on a prompt, says that it has nothing more to do, and rests until
 * somebody writes to it.
 */
import type { BackgroundEnd, BackgroundUsage, BackgroundWork } from '../../engine/background-port.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { messageOf } from '../../protocol/thrown.js'
import type { Mail } from '../../teams/mailboxes.js'
import {
  formatMailForModel,
  type IdleReason,
  type StructuredMail,
  structuredMailKind,
} from '../../teams/structured-mail.js'
import { cutMiddle } from '../../tools/bound-output.js'
import type { AgentEnd } from '../agents/agent-end.js'
import { joinAgentText } from '../agents/agent-work.js'
import { incompleteReason } from '../agents/outcomes.js'
import type { RunningAgent } from '../conversation.js'

export type MatePorts = {
  agent: RunningAgent
  /** Unread messages, which are read from then on. */
  takeMail(): Promise<Mail[]>
  tellLead(text: StructuredMail): Promise<void>
  /** What TeammateIdle hooks say: continue with this, or end because of that. */
  mayRest(
    signal: AbortSignal,
  ): Promise<{ block?: string | undefined; stop?: { reason?: string | undefined } | undefined }>
  inform(text: string): void
  now(): number
  /** It begins to rest. */
  onRest(): void
  /** Before others are told that it is over. */
  cleanUp(end: BackgroundEnd): Promise<void>
}

export type Mate = {
  readonly name: string
  readonly color: string
  readonly agentId: string
  /** Undefined once the lead has approved its plan, or if it needs none. */
  mode: PermissionMode | undefined
  /** Requests it has not answered: to shut down, and its own to have a plan approved. */
  readonly shutdowns: Set<string>
  plan: string | undefined
  /** What it wrote last to another teammate in this turn, in a few words. */
  lastWords: string | undefined
  /** It has agreed to shut down: no further request is made. */
  isLeaving: boolean
  hasEnded: boolean
  /** Somebody stopped it, who need not be told. */
  wasStopped: boolean
  /** Resolves when it is over and nothing of it runs any more. */
  ended(): Promise<unknown>
  isResting(): boolean
  /** There may be mail. */
  wake(): void
  /** The session is over: who rests is done. */
  dismiss(): void
  stop(): void
  /** Starts to work on its first prompt. */
  begin(prompt: string, summary: string): BackgroundWork
}

export type MateFacts = Pick<Mate, 'name' | 'color' | 'agentId' | 'mode'> & { toolUseId: string; prompt: string }

/** A hook that sends it back for ever is not asked for ever. */
const MAX_BLOCKS = 20
const MAX_DESCRIPTION = 50

export function createMate(facts: MateFacts, ports: () => MatePorts): Mate {
  const stop = new AbortController()
  const state = { resting: false, hasMail: false, dismissed: false }
  let rouse = () => {}
  let work: Promise<BackgroundEnd> | undefined
  let usage: BackgroundUsage = { total_tokens: 0, tool_uses: 0, duration_ms: 0 }

  /** Its next prompt; undefined when there will be none. */
  const nextPrompt = async (): Promise<string | undefined> => {
    for (;;) {
      state.hasMail = false
      const mail = await ports().takeMail()
      if (mail.length > 0) return mail.sort(urgentFirst).map(formatMailForModel).join('\n\n')
      if (stop.signal.aborted || state.dismissed) return undefined
      if (state.hasMail) continue
      await new Promise<void>((resolve) => {
        rouse = resolve
        state.resting = true
        ports().onRest()
      })
      state.resting = false
    }
  }

  const tellIdle = (end: AgentEnd) => ports().tellLead(idleText(facts.name, end, mate.lastWords, ports().now()))

  const live = async (first: string): Promise<BackgroundEnd> => {
    let blocks = 0
    let end: AgentEnd | undefined
    for (let prompt: string | undefined = first; prompt !== undefined; ) {
      mate.lastWords = undefined
      end = await ports().agent.run(prompt, stop.signal)
      usage = added(usage, end.usage)
      if (stop.signal.aborted) break
      if (mate.isLeaving) return over('completed', end, 'it was asked to shut down')
      if (end.reason === 'budget_exhausted') return over('failed', end, incompleteReason(end))
      const verdict = await ports().mayRest(stop.signal)
      if (stop.signal.aborted) break
      if (verdict.stop) return over('stopped', end, verdict.stop.reason ?? 'a hook stopped it')
      if (verdict.block !== undefined && blocks < MAX_BLOCKS) {
        blocks += 1
        prompt = `TeammateIdle hook feedback:\n${verdict.block}`
        continue
      }
      if (verdict.block !== undefined) {
        ports().inform(`TeammateIdle hooks sent ${facts.name} back ${MAX_BLOCKS} times. It rests now.`)
      }
      blocks = 0
      await tellIdle(end)
      prompt = await nextPrompt()
    }
    if (stop.signal.aborted) return over('stopped', end)
    return over('completed', end)
  }

  const over = (status: BackgroundEnd['status'], end: AgentEnd | undefined, reason?: string): BackgroundEnd =>
    toTaskEnd(status, end, reason, usage)

  const mate: Mate = {
    ...facts,
    shutdowns: new Set(),
    plan: undefined,
    lastWords: undefined,
    isLeaving: false,
    hasEnded: false,
    wasStopped: false,
    // Asked for late, and so told after the table of tasks, which tells the host.
    ended: () => Promise.resolve(work).then(() => {}),
    isResting: () => state.resting,
    wake() {
      state.hasMail = true
      // At once: from now on somebody has to wait for it.
      state.resting = false
      rouse()
    },
    dismiss() {
      state.dismissed = true
      mate.wake()
    },
    stop() {
      mate.wasStopped = true
      stop.abort('stopped')
      mate.wake()
    },
    begin(prompt, summary) {
      const first = formatMailForModel({ from: 'team-lead', text: prompt, summary })
      work = live(first)
        .catch((error): BackgroundEnd => over('failed', undefined, messageOf(error)))
        .then(async (end) => {
          mate.hasEnded = true
          // Whatever becomes of the files of the team: it is over.
          await ports()
            .cleanUp(end)
            .catch((error) => ports().inform(`${facts.name}: ${String(error)}`))
          return end
        })
      const short = prompt.slice(0, MAX_DESCRIPTION)
      return {
        type: 'in_process_teammate',
        description: `${facts.name}: ${short}${short === prompt ? '' : '...'}`,
        toolUseId: facts.toolUseId,
        output: async (limit) => cutMiddle(joinAgentText(ports().agent.conversation.history.messages), limit),
        ended: work,
        stop: () => mate.stop(),
        isResting: () => state.resting,
      }
    },
  }
  return mate
}

function idleText(from: string, end: AgentEnd, lastWords: string | undefined, now: number): StructuredMail {
  const failed = end.reason !== 'completed'
  const idleReason: IdleReason = failed ? 'failed' : 'available'
  return {
    type: 'idle_notification',
    from,
    timestamp: new Date(now).toISOString(),
    idleReason,
    ...(lastWords === undefined ? {} : { summary: lastWords }),
    ...(failed ? { failureReason: incompleteReason(end) } : {}),
  }
}

function toTaskEnd(
  status: BackgroundEnd['status'],
  end: AgentEnd | undefined,
  reason: string | undefined,
  usage: BackgroundUsage,
): BackgroundEnd {
  return {
    status,
    exitCode: null,
    ...(reason === undefined ? {} : { reason }),
    ...(end && end.text !== '' ? { answer: end.text } : {}),
    usage,
  }
}

/** As observed: a request to shut down is read before everything else. */
function urgentFirst(a: Mail, b: Mail): number {
  const isRequest = ({ text }: Mail) => Number(structuredMailKind(text) === 'shutdown_request')
  return isRequest(b) - isRequest(a)
}

function added(before: BackgroundUsage, turn: BackgroundUsage): BackgroundUsage {
  return {
    // Tokens of the last request, as for other agents. `tool_uses` is a running total already.
    total_tokens: turn.total_tokens || before.total_tokens,
    tool_uses: turn.tool_uses,
    duration_ms: before.duration_ms + turn.duration_ms,
  }
}
