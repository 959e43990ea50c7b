/**
 * The Messages API behind a cloud's door: the same messages and events, with the cloud's addresses, signatures and errors. A door
 * says what is its own.
 */

import type { ModelFailure } from '../../engine/ports.js'
import { NOT_LOGGED_IN_PREFIX } from '../../protocol/shown/fix-words.js'
import type { ClassifiedFailure, FailedHttpResponse } from '../client/failure.js'
import type { BodyPiece, ModelApiAdapter, TokenCountBodyBuilder } from '../client/model-api-adapter.js'
import { readServerEvents } from '../client/read-sse.js'
import { type ModelRequestPlan, planRequest } from '../client/request-plan.js'
import { createBodyWriter } from '../messages-api/body.js'
import type { ModelEnvironment } from '../messages-api/client-environment.js'
import { apiUserId, requestHeaders, secretsToRedact } from '../messages-api/headers.js'
import { createRefusedFeatures } from '../messages-api/refusals.js'

/** A way to a cloud's model API: where requests go, and who pays for them. */
export type CloudAccess = {
  /** Once per answer: finds who pays. */
  open(signal: AbortSignal): Promise<OpenedCloudAccess | { ok: false; reason: string }>
  /** What the cloud does not take is left out. */
  adapt(plan: ModelRequestPlan): ModelRequestPlan
  events(contentType: string, chunks: AsyncIterable<string>): AsyncIterable<readonly unknown[]> | undefined
  trouble(response: FailedHttpResponse): ClassifiedFailure
  /** The credential was refused. True: there may be another one now. */
  refused(failure: ModelFailure): boolean
  /** More room for output than this is asked for only where somebody says so. */
  usualMaxTokens?: number
}

export type OpenedCloudAccess = {
  ok: true
  secrets: readonly string[]
  /** In which form a request goes out. */
  form(plan: ModelRequestPlan, streamed: boolean): CloudRequestShape
}

export type CloudRequestShape = {
  url: URL
  /** The body up to the messages; absent: as the vendor has it. */
  head?: string
  /** The body says that the answer is to be streamed. */
  saysStream: boolean
  /** Instead of ours where they have the same name; undefined: not sent. */
  headers: Readonly<Record<string, string | undefined>>
  isBinary?: boolean
  /** Further headers, that depend on all there is. `url`: where it is another one. */
  sign?(
    headers: Readonly<Record<string, string>>,
    body: readonly BodyPiece[],
    url?: URL,
  ): Readonly<Record<string, string>>
  /** Where tokens are counted, from the body of a request; absent: nowhere. */
  count?:
    | {
        url: URL
        body(written: readonly BodyPiece[], bodies: TokenCountBodyBuilder): readonly BodyPiece[]
        field: string
      }
    | undefined
}

export type CloudApiAdapterConfig = {
  environment: ModelEnvironment
  /** For people. */
  title: string
  version: string
  userId: string
  sessionId: string
}

export function createCloudApiAdapter(door: CloudAccess, config: CloudApiAdapterConfig): ModelApiAdapter {
  const { environment, title } = config
  const userId = apiUserId(config.userId, config.sessionId)
  const refusals = createRefusedFeatures()
  const limits = { ...environment, maxOutputTokens: environment.maxOutputTokens ?? door.usualMaxTokens ?? null }
  const customBetas = (environment.customHeaders['anthropic-beta'] ?? '')
    .split(',')
    .flatMap((beta) => beta.trim() || [])
  // Tool references are only known to work at the vendor's own API.
  let writer = createBodyWriter({ withoutReferences: true })
  return {
    async open(signal) {
      const open = await door.open(signal)
      const custom = secretsToRedact(null, environment.customHeaders)
      if (!open.ok) return { ok: false, failure: withoutCredential(title, open.reason), secrets: custom }
      return {
        ok: true,
        secrets: [...open.secrets, ...custom],
        write({ request, plan, streamed }) {
          const form = open.form(plan, streamed)
          const body = writer.write(request, plan, userId, streamed && form.saysStream, form.head)
          const headers = merged(requestHeaders(config.version, null, plan.betas, environment), form.headers)
          return {
            url: form.url,
            headers: { ...headers, ...form.sign?.(headers, body) },
            body,
            ...(form.isBinary ? { isBinary: true } : {}),
          }
        },
        count({ request, plan }, bodies) {
          const { count, ...form } = open.form(plan, false)
          if (!count) return undefined
          const body = count.body(writer.write(request, plan, userId, false, form.head), bodies)
          const headers = merged(requestHeaders(config.version, null, plan.betas, environment), form.headers)
          const signed = form.sign?.(headers, body, count.url)
          return { written: { url: count.url, headers: { ...headers, ...signed }, body }, field: count.field }
        },
      }
    },
    plan(model, settings) {
      // Faster answers are sold by the vendor alone. Betas are the body's at some doors, wherever they come from.
      const asked = { ...settings, fast: false, betas: [...(settings.betas ?? []), ...customBetas] }
      return refusals.without(door.adapt(planRequest(model, asked, limits)))
    },
    events: door.events,
    message: (answer) => answer,
    trouble: door.trouble,
    learn(refusal, sent, messages) {
      const learned = refusals.learn(refusal, sent, messages)
      if (learned === 'signed thinking') writer = createBodyWriter({ withoutReferences: true, withoutThinking: true })
      return learned !== undefined
    },
    credentialRefused: door.refused,
  }
}

/** Returns the request body for counting tokens, from the body of the message request. */
export function tokenCountBody(written: readonly BodyPiece[], { messages }: TokenCountBodyBuilder): string[] {
  return messages(written)
}

/** Server-sent events, as the vendor streams. */
export function readVendorEvents(contentType: string, chunks: AsyncIterable<string>) {
  return contentType === 'text/event-stream' ? readServerEvents(chunks) : undefined
}

const BETAS_OF_THE_VENDOR = ['adaptive-thinking-2026-01-28', 'fast-mode-2026-02-01', 'task-budgets-2026-03-13']

/** Betas that clouds do not know are refused by them, with the request. */
export function withoutVendorBetas(plan: ModelRequestPlan): ModelRequestPlan {
  const betas = plan.betas.filter((beta) => !BETAS_OF_THE_VENDOR.includes(beta))
  return { ...plan, betas, taskBudget: null }
}

function merged(
  ours: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...ours, ...own })) if (value !== undefined) headers[name] = value
  return headers
}

function withoutCredential(title: string, reason: string): ModelFailure {
  return {
    kind: 'authentication_failed',
    code: 'not_authenticated',
    text: `${NOT_LOGGED_IN_PREFIX}No credential for ${title} was found\n${reason}`,
    status: null,
  }
}
