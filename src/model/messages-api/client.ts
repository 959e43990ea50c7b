/** The model port over the Messages API: one answer per call, with retries and accounting inside. */
import type { ModelEvent, ModelFailure, ModelPort, ModelRequest } from '../../engine/ports.js'
import type { Network } from '../../platform/network/network.js'
import type { Platform } from '../../platform/platform.js'
import type { Usage } from '../../protocol/content.js'
import type { Ledger } from '../ledger.js'
import { resolveModel } from '../model-facts.js'
import type { RequestSettings } from '../provider.js'
import { estimateUsage } from '../usage.js'
import { type AttemptResult, attempt } from './attempt.js'
import { type BodyPiece, createBodyWriter } from './body.js'
import { endpoint, type ModelEnvironment } from './client-environment.js'
import type { Credential } from './credentials/credential.js'
import { notLoggedIn, redact, unsendable } from './failure.js'
import { apiUserId, carriesCredential, requestHeaders, secretsOf } from './headers.js'
import { createRefusals } from './refusals.js'
import { planRequest, planWhole, type RequestPlan } from './request-plan.js'
import { decideRetry, MAX_RETRY_AFTER_MS } from './retry.js'

export type ModelClientConfig = {
  platform: Pick<Platform, 'http' | 'clock' | 'identity'>
  environment: ModelEnvironment
  /** Asked once per answer, so that it may be found late or change. */
  credential(): Credential | Promise<Credential>
  /** The API refused it. */
  onCredentialRefused?(): void
  /** Ours, for the user agent. */
  version: string
  /** Any text that stays the same for a user; only a hash of it is sent. */
  userId: string
  sessionId(): string
  /** Read before each request. */
  settings?(): RequestSettings
  ledger: Ledger
  network?: Network | undefined
}

const PLAIN: RequestSettings = { thinking: { type: 'disabled' } }

/** What one answer goes through. */
type Progress = {
  /** Ask for the answer in one piece, because the announced one broke off. */
  whole: boolean
  retries: number
  overloadedAnswers: number
  malformedAnswers: number
}

export function createModelClient(config: ModelClientConfig): ModelPort {
  const { platform, environment, ledger } = config
  const { clock, identity } = platform
  const refusals = createRefusals()
  let writer = createBodyWriter()
  const url = endpoint(environment.baseUrl, '/v1/messages?beta=true')

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const credential = await untilAborted(config.credential(), signal)
    if (credential === 'aborted') return
    const usable = credential.kind === 'none' ? null : credential
    const secrets = secretsOf(usable, environment.customHeaders)
    const fail = (failure: ModelFailure): ModelEvent => {
      return { type: 'end', outcome: { ok: false, failure: { ...failure, text: redact(failure.text, secrets) } } }
    }
    if (credential.kind === 'none' && !carriesCredential(environment.customHeaders)) {
      yield fail(notLoggedIn(credential.explanation))
      return
    }

    const { maxTokens } = request
    const model = resolveModel(request.model, environment.aliases)
    const state: Progress = { whole: false, retries: 0, overloadedAnswers: 0, malformedAnswers: 0 }
    for (;;) {
      const live = liveSettings(request, config)
      const plan = planRequest(model, { ...live, ...(maxTokens === undefined ? {} : { maxTokens }) }, environment)
      const sent = refusals.without(state.whole ? planWhole(plan) : plan)
      const body = writeBody(request, sent, !state.whole)
      if (!Array.isArray(body)) {
        yield fail(body)
        return
      }
      const started = clock.monotonic()
      const entry = ledger.open(model, sent.longContext)
      const result: AttemptResult = yield* attempt(
        {
          http: platform.http,
          clock,
          url,
          headers: requestHeaders(config.version, usable, sent.betas, environment),
          body,
          timeoutMs: environment.timeoutMs,
          silence: { idleMs: environment.streamIdleMs, quietMs: environment.streamPingOnlyMs },
          network: config.network,
          model: sent.model,
          newId: () => `msg_${identity.hex(24)}`,
          announce: !state.whole,
          partial: request.partial,
          announced: entry.announce,
          account(told, ok, answered) {
            const estimate = estimateUsage(told, lengthOf(body), answered)
            const usage = atSpeed(sent, estimate ?? told)
            entry.close(usage, Math.round(clock.monotonic() - started), ok, estimate !== undefined)
            request.onUsage?.(usage)
          },
        },
        signal,
      )
      if (result.type === 'aborted') return
      if (result.type === 'message') {
        const { type: _, ...answer } = result
        yield { type: 'end', outcome: { ok: true, ...answer } }
        return
      }

      const { failure, retry, refusal } = result.trouble
      const learned = refusal === undefined ? undefined : refusals.learn(refusal, sent, request.messages)
      if (learned !== undefined) {
        if (learned === 'signed thinking') writer = createBodyWriter({ withoutThinking: true })
        yield againAtOnce(failure, environment.maxRetries)
        continue
      }
      if (failure.status === 401) config.onCredentialRefused?.()
      if (retry.overloaded) state.overloadedAnswers += 1
      if (retry.malformed) state.malformedAnswers += 1
      const decision = decideRetry(retry, {
        ...state,
        maxRetries: environment.maxRetries,
        overloadedLimit: request.overloadedLimit ?? Number.POSITIVE_INFINITY,
        owesRepeat: result.hadContent && !state.whole,
        random: Number.parseInt(identity.hex(8), 16) / 0xffff_ffff,
      })
      if (result.hadContent) state.whole = true
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
            type: 'retry',
            attempt: state.retries + 1,
            maxRetries: environment.maxRetries,
            delayMs: decision.delayMs,
            status: failure.status,
            error: failure.code,
          }
          state.retries += 1
          await clock.sleep(decision.delayMs, signal)
      }
      if (signal.aborted) return
    }
  }

  /** Only what no JSON can express fails here, such as nesting beyond the stack. */
  function writeBody(request: ModelRequest, plan: RequestPlan, streamed: boolean): BodyPiece[] | ModelFailure {
    try {
      return writer.write(request, plan, apiUserId(config.userId, config.sessionId()), streamed)
    } catch (error) {
      return unsendable(error instanceof Error ? error.message : 'unknown reason')
    }
  }

  return { stream }
}

/** What was asked for is paid for, whether or not an endpoint repeats it. */
function atSpeed({ fast }: RequestPlan, usage: Usage): Usage {
  return fast && usage.speed == null ? { ...usage, speed: 'fast' } : usage
}

function againAtOnce({ status, code }: ModelFailure, maxRetries: number): ModelEvent {
  return { type: 'retry', attempt: 1, maxRetries, delayMs: 0, status, error: code }
}

function lengthOf(body: readonly BodyPiece[]): number {
  return body.reduce((sum, piece) => sum + piece.length, 0)
}

/** The session's, as far as the request does not say otherwise. */
function liveSettings(
  { plain, withoutThinking, effort }: ModelRequest,
  { settings }: ModelClientConfig,
): RequestSettings | undefined {
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

function untilAborted<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  if (signal.aborted) return Promise.resolve('aborted')
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve('aborted')
    signal.addEventListener('abort', onAbort, { once: true })
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}
