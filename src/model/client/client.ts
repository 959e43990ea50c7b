/** The model port over any API: one answer per call, with retries and accounting inside. */
import { fallbackReason } from '../../engine/fallbacks.js'
import type { EngineRequest, ModelEvent, ModelFailure, ModelPort } from '../../engine/ports.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import type { Platform } from '../../platform/platform.js'
import { raceWithAbort } from '../../platform/until-aborted.js'
import type { Usage } from '../../protocol/content.js'
import type { Ledger } from '../ledger.js'
import type { ModelTrafficLimits } from '../policy/traffic.js'
import type { ModelRequestSettings } from '../request-settings.js'
import { estimateUsage } from '../usage.js'
import { type AttemptResult, attemptRequest } from './attempt.js'
import { applyBeforeRetryHook } from './before-retry-hook.js'
import { redactSecrets, unsendableFailure } from './failure.js'
import type { BodyPiece, ModelApiAdapter, OpenModelApi, PlannedRequest, WrittenRequest } from './model-api-adapter.js'
import { type ModelRequestPlan, planWithoutStream } from './request-plan.js'
import { decideRetry, MAX_RETRY_AFTER_MS } from './retry.js'

export type ModelClientConfig = {
  platform: Pick<Platform, 'http' | 'clock' | 'identity'>
  /** Asked once per answer: it may have to be loaded first. */
  wire(model: string): ModelApiAdapter | Promise<ModelApiAdapter>
  limits: ClientLimits
  /** The id of an alias or id. */
  resolve(model: string): string
  /** Read before each request. */
  settings?(): ModelRequestSettings
  ledger: Ledger
  /** What is shared with other sessions; absent: nothing. */
  traffic?: ModelTrafficLimits | undefined
  network?: NetworkSettings | undefined
  /** Answers come in one piece, whatever they are: by a batch, where nobody keeps a connection open. */
  whole?: boolean | undefined
}

export type ClientLimits = {
  timeoutMs: number
  maxRetries: number
  streamIdleMs: number
  streamPingOnlyMs: number
}

const PLAIN: ModelRequestSettings = { thinking: { type: 'disabled' } }

/** What one answer goes through. */
type Progress = {
  /** Ask for the answer in one piece, because the announced one broke off. */
  whole: boolean
  retries: number
  /** Made so far, of whatever kind. */
  exchanges: number
  overloadedAnswers: number
  malformedAnswers: number
  /** The credential was looked for once more. */
  reopened: boolean
}

export function createModelClient(config: ModelClientConfig): ModelPort {
  const { platform, limits } = config
  const { clock, identity } = platform

  async function* stream(request: EngineRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const model = config.resolve(request.model)
    const { leaveAloneOn } = request
    const held = leaveAloneOn && config.traffic?.breaker.heldBack(model, leaveAloneOn)
    if (held) {
      yield { type: 'end', outcome: { ok: false, failure: held } }
      return
    }
    const wire = await config.wire(model)
    let open = await raceWithAbort(signal, stopped, () => wire.open(signal, model))
    if (open === 'aborted') return
    let { secrets } = open
    const fail = (failure: ModelFailure): ModelEvent => {
      return {
        type: 'end',
        outcome: { ok: false, failure: { ...failure, text: redactSecrets(failure.text, secrets) } },
      }
    }

    const state: Progress = {
      whole: config.whole === true,
      reopened: false,
      retries: 0,
      exchanges: 0,
      overloadedAnswers: 0,
      malformedAnswers: 0,
    }
    for (;;) {
      if (!open.ok) {
        yield fail(open.failure)
        return
      }
      state.exchanges += 1
      const asked = { request, model, wire, open, isWhole: state.whole, attempt: state.exchanges }
      const exchanged = yield* exchange(config, asked, signal)
      if ('kind' in exchanged) {
        yield fail(exchanged)
        return
      }
      const { sent, result } = exchanged
      if (result.type === 'aborted') return
      if (result.type === 'message') {
        const { type: _, ...answer } = result
        config.traffic?.breaker.succeeded(model)
        yield { type: 'end', outcome: { ok: true, ...answer } }
        return
      }

      const { failure, retry, refusal, cause } = result.trouble
      config.traffic?.breaker.failed(
        model,
        retry.overloaded ? { ...failure, code: 'overloaded' } : failure,
        retry.retryAfterMs,
      )
      if (refusal !== undefined && wire.learn(refusal, sent, request.messages)) {
        yield againAtOnce(failure, limits.maxRetries)
        continue
      }
      if (failure.kind === 'authentication_failed' && wire.credentialRefused?.(failure) && !state.reopened) {
        state.reopened = true
        open = await raceWithAbort(signal, stopped, () => wire.open(signal, model))
        if (open === 'aborted') return
        secrets = [...secrets, ...open.secrets]
        yield againAtOnce(failure, limits.maxRetries)
        continue
      }
      if (retry.overloaded) state.overloadedAnswers += 1
      if (retry.malformed) state.malformedAnswers += 1
      const random = Number.parseInt(identity.hex(8), 16) / 0xffff_ffff
      let decision = decideRetry(retry, {
        ...state,
        maxRetries: limits.maxRetries,
        overloadedLimit: request.switchOn?.includes('overloaded') ? SWITCH_AFTER : Number.POSITIVE_INFINITY,
        owesRepeat: result.hadContent && !state.whole,
        random,
      })
      if (decision.do === 'retry' && isOver(state, result.hadContent, decision.delayMs, failure, request))
        decision = { do: 'fail' }
      if (result.hadContent) state.whole = true
      const beforeRetry = retry.retriable ? request.watch?.beforeRetry : undefined
      if (beforeRetry) {
        const about = { retries: state.retries, maxRetries: limits.maxRetries, model, failure, random }
        const thought = await raceWithAbort(signal, stopped, () =>
          applyBeforeRetryHook(decision, about, beforeRetry, signal),
        )
        if (thought === 'aborted') return
        decision = thought
      }
      switch (decision.do) {
        case 'fail':
          yield fail(failure)
          return
        case 'give up waiting':
          yield fail({ ...failure, text: `${failure.text}\n${waitNote(retry.retryAfterMs ?? 0)}` })
          return
        case 'give up the model':
          yield fail({ ...failure, code: 'overloaded' })
          return
        case 'retry':
          yield {
            ...againAtOnce(failure, limits.maxRetries),
            attempt: state.retries + 1,
            delayMs: decision.delayMs,
            ...(cause !== undefined && { cause: redactSecrets(cause, secrets) }),
          }
          state.retries += 1
          await clock.sleep(decision.delayMs, signal)
      }
      if (signal.aborted) return
    }
  }

  return { stream }
}

/** One request, from its plan to its end; a failure: it could not be written. */
async function* exchange(
  config: ModelClientConfig,
  { request, model, wire, open, isWhole, attempt: count }: Exchanged,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, { sent: ModelRequestPlan; result: AttemptResult } | ModelFailure, undefined> {
  const { platform, limits, ledger } = config
  const { clock, identity } = platform
  const { maxTokens } = request
  const live = liveSettings(request, config)
  const plan = wire.plan(model, { ...live, ...(maxTokens === undefined ? {} : { maxTokens }) })
  const sent = isWhole && !config.whole ? planWithoutStream(plan) : plan
  let written = write(open, { request, plan: sent, streamed: !isWhole })
  if ('kind' in written) return written
  const beforeRequest = request.watch?.beforeRequest
  if (beforeRequest) {
    const planned = written
    const about = { model, attempt: count, secrets: open.secrets }
    const watched = await raceWithAbort(signal, stopped, () => beforeRequest(planned, about, signal))
    if (watched === 'aborted') return { sent, result: { type: 'aborted' } }
    if ('kind' in watched) return watched
    written = { ...written, ...watched }
  }
  const { body } = written
  const leave = config.traffic && (await config.traffic.enter(model, signal))
  if (signal.aborted) {
    leave?.(0)
    return { sent, result: { type: 'aborted' } }
  }
  const started = clock.monotonic()
  const entry = ledger.open(model, sent.longContext)
  const result = yield* attemptRequest(
    {
      http: platform.http,
      clock,
      wire,
      written,
      network: config.network,
      timeoutMs: limits.timeoutMs,
      silence: { idleMs: limits.streamIdleMs, quietMs: limits.streamPingOnlyMs },
      model: sent.model,
      newId: () => `msg_${identity.hex(24)}`,
      announce: !isWhole,
      partial: request.partial,
      announced: entry.announce,
      account(told, ok, answered) {
        const estimate = estimateUsage(told, lengthOf(body), answered)
        const usage = atSpeed(sent, estimate ?? told)
        leave?.(usage.input_tokens + usage.output_tokens)
        entry.close(usage, Math.round(clock.monotonic() - started), ok, estimate !== undefined)
        request.onUsage?.(usage)
      },
    },
    signal,
  )
  return { sent, result }
}

type Exchanged = {
  request: EngineRequest
  model: string
  wire: ModelApiAdapter
  open: OpenModelApi
  /** Ask for the answer in one piece. */
  isWhole: boolean
  /** The how manieth exchange for this answer it is. */
  attempt: number
}

function write(open: OpenModelApi, asked: PlannedRequest): WrittenRequest | ModelFailure {
  try {
    return open.write(asked)
  } catch (error) {
    return unsendableFailure(error)
  }
}

/** What was asked for is paid for, whether or not an endpoint repeats it. */
function atSpeed({ fast }: ModelRequestPlan, usage: Usage): Usage {
  return fast && usage.speed == null ? { ...usage, speed: 'fast' } : usage
}

/** Failures after which another model is asked, if there is one; it is also asked where this one wants a longer wait. */
const SWITCH_AFTER = 3
const LONGEST_WAIT_MS = 10_000

function isOver(
  { retries, whole }: Progress,
  hadContent: boolean,
  delayMs: number,
  failure: ModelFailure,
  { switchOn }: EngineRequest,
): boolean {
  const reason = fallbackReason(failure)
  // What was begun is finished first: it was shown already.
  if (whole || hadContent || reason === undefined || reason === 'overloaded' || !switchOn?.includes(reason))
    return false
  return retries + 1 >= SWITCH_AFTER || delayMs > LONGEST_WAIT_MS
}

function againAtOnce({ status, code }: ModelFailure, maxRetries: number): Extract<ModelEvent, { type: 'retry' }> {
  return { type: 'retry', attempt: 1, maxRetries, delayMs: 0, status, error: code }
}

function lengthOf(body: readonly BodyPiece[]): number {
  return body.reduce((sum, piece) => sum + piece.length, 0)
}

/** The session's, as far as the request does not say otherwise. */
function liveSettings(
  { plain, withoutThinking, effort }: EngineRequest,
  { settings }: ModelClientConfig,
): ModelRequestSettings | undefined {
  if (plain) return PLAIN
  const live = settings?.()
  return withoutThinking || effort
    ? { ...live, ...(withoutThinking ? PLAIN : {}), ...(effort ? { effort } : {}) }
    : live
}

function waitNote(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000)
  return `The API asks to wait ${seconds} s before the next request; Kedge waits ${MAX_RETRY_AFTER_MS / 1000} s at most.`
}

const stopped = () => 'aborted' as const
