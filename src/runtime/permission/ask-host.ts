/** Asks for permission: the host and the PermissionRequest hooks at the same time; the first answer counts. */
import type { ParkAnswer, PermissionAnswer, PermissionRequest } from '../../engine/ports.js'
import type { SessionHooks } from '../../hooks/session-hooks.js'
import { isObject } from '../../protocol/json.js'
import type { TranscriptQuestionLine } from '../../protocol/transcript.js'

export type HostAskPorts = {
  hooks: SessionHooks
  /** Undefined: no host answers questions. */
  askHost: ((question: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer | ParkAnswer>) | undefined
  /** What was answered before the session was resumed, by the id of the call: that is not asked again. */
  decided?: ReadonlyMap<string, TranscriptQuestionLine> | undefined
  /** Around the time somebody has to decide. */
  onWaiting(waiting: boolean): void
}

/**
 * Creates the function that asks hooks and the host about a call. One question at a time, also when several tools run
 * at once.
 */
export function createPermissionAsk(ports: HostAskPorts) {
  let last: Promise<unknown> = Promise.resolve()
  return async (
    question: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionAnswer | ParkAnswer | undefined> => {
    const known = answeredBefore(question, ports.decided)
    if (known) return known
    const answer = last.then(() => {
      if (signal.aborted) throw new Error('aborted')
      return askOne(question, ports, signal)
    })
    last = answer.catch(() => {})
    return answer
  }
}

function answeredBefore(
  { call, agentId }: PermissionRequest,
  decided: HostAskPorts['decided'],
): PermissionAnswer | undefined {
  const line = agentId === undefined ? decided?.get(call.id) : undefined
  if (line?.answer === 'allowed')
    return { behavior: 'allow', input: isObject(line.input) ? line.input : call.input, updates: [] }
  if (line?.answer !== 'denied') return undefined
  return { behavior: 'deny', message: textOr(line.message, 'Permission denied.'), interrupt: line.interrupt === true }
}

/** From disk, where anything may stand. */
function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value : otherwise
}

async function askOne(
  question: PermissionRequest,
  { hooks, askHost, onWaiting }: HostAskPorts,
  signal: AbortSignal,
): Promise<PermissionAnswer | ParkAnswer | undefined> {
  const withHooks = hooks.has('PermissionRequest')
  if (!askHost && !withHooks) return undefined
  const loser = new AbortController()
  const cancel = () => loser.abort()
  signal.addEventListener('abort', cancel, { once: true })
  onWaiting(true)
  void hooks.notification(`Permission is needed to use ${question.call.name}`, 'permission_prompt', signal)
  try {
    const host = askHost?.(question, loser.signal)
    const hook = withHooks ? askHooks(question, hooks, loser.signal) : undefined
    if (!host) return await hook
    if (!hook) return await host
    // A hook without an opinion leaves it to the host; the host's answer never waits for hooks.
    const first = await Promise.race([host, hook.then((answer) => answer ?? host)])
    // The loser rejects when it is canceled; nobody waits for it any more.
    host.catch(() => {})
    return first
  } finally {
    onWaiting(false)
    signal.removeEventListener('abort', cancel)
    loser.abort()
  }
}

async function askHooks(
  question: PermissionRequest,
  hooks: SessionHooks,
  signal: AbortSignal,
): Promise<PermissionAnswer | undefined> {
  const { call, suggestions } = question
  const decision = await hooks.permissionRequest(call, suggestions, signal)
  if (!decision || (question.onlyAPerson && decision.behavior === 'allow')) return undefined
  if (decision.behavior === 'allow') {
    return { behavior: 'allow', input: decision.updatedInput ?? call.input, updates: decision.updatedPermissions ?? [] }
  }
  return {
    behavior: 'deny',
    message: decision.message || 'A hook denied this call.',
    interrupt: decision.interrupt === true,
  }
}
