/**
 * How one API is spoken. The client retries, accounts and assembles answers; a wire says what is sent for a request, and hands on
 * what comes back as events of the Messages API, which is what the whole agent speaks.
 */
import type { EngineRequest, ModelFailure } from '../../engine/ports.js'
import type { MessageParam } from '../../protocol/content.js'
import type { JsonObject } from '../../protocol/json.js'
import type { ModelRequestSettings } from '../request-settings.js'
import type { ClassifiedFailure, FailedHttpResponse } from './failure.js'
import type { ModelRequestPlan } from './request-plan.js'

export interface ModelApiAdapter {
  /** Finds who pays: once per answer, and again after a refusal. `model` is for the text of a failure. */
  open(signal: AbortSignal, model?: string): Promise<OpenModelApi | UnavailableModelApi>
  plan(model: string, settings: ModelRequestSettings): ModelRequestPlan
  /** Batches of Messages events out of a body of this type, one batch per chunk; undefined: that isn't a stream of this API. */
  events(contentType: string, chunks: AsyncIterable<string>): AsyncIterable<readonly unknown[]> | undefined
  /** A whole answer, parsed, as a message of the Messages API. */
  message(answer: unknown): unknown
  /** What a response says whose status isn't a success. */
  trouble(response: FailedHttpResponse): ClassifiedFailure
  /** Takes note of what the API did not want. True: ask again at once, without it. */
  learn(refusal: string, sent: ModelRequestPlan, messages: readonly MessageParam[]): boolean
  /** The API refused the credential. True: there may be another one now, ask once more. */
  credentialRefused?(failure: ModelFailure): boolean
}

export type OpenModelApi = {
  ok: true
  /** What must not be seen in any text, should a server echo it. */
  secrets: readonly string[]
  /** Throws only for what no JSON can express. */
  write(asked: PlannedRequest): WrittenRequest
  /** What has the API count the tokens of a request, and the field that says how many; undefined: it does not offer that. */
  count?(asked: PlannedRequest, bodies: TokenCountBodyBuilder): { written: WrittenRequest; field: string } | undefined
}

/** What a body for counting is made with; handed in, because it is loaded only where somebody counts. */
export type TokenCountBodyBuilder = {
  /** The fields of a body that have these names, and further ones. */
  some(body: readonly BodyPiece[], names: readonly string[], more?: JsonObject): string[]
  /** As the Messages API wants it. */
  messages(body: readonly BodyPiece[], more?: JsonObject): string[]
  text(body: readonly BodyPiece[]): string
}
export type UnavailableModelApi = { ok: false; failure: ModelFailure; secrets: readonly string[] }

export type PlannedRequest = {
  request: EngineRequest
  plan: ModelRequestPlan
  streamed: boolean
}

export type BodyPiece = string | Uint8Array

export type WrittenRequest = {
  url: URL
  headers: Readonly<Record<string, string>>
  body: readonly BodyPiece[]
  /** The answer isn't text: `events` gets a character per byte. */
  isBinary?: boolean
}
