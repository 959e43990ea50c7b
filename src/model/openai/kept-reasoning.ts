/**
 * What a service wants back as it gave it, and no other can read: encrypted reasoning, signatures of calls, the phase of a text. It
 * travels in the history as a signature of thinking, or as thinking without a text, under a mark of ours, and goes back only to
 * the service and the model it came from.
 */
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { OTHER_API_SIGNATURE_PREFIX } from '../client/other-api-signature.js'
import { parseJson } from '../client/parse-json.js'

/** Reasoning of another service that is sent back with the next request. */
export type KeptReasoning =
  /** An item of the Responses API. */
  | { type: 'reasoning'; item: JsonObject }
  | { type: 'phase'; phase: string }
  /** Thinking that came with a Chat answer; `details`: to be given back unchanged. */
  | { type: 'thinking'; field: string; details?: unknown }
  /** Further keys of calls, by the id of the call. */
  | { type: 'calls'; extra: Readonly<Record<string, JsonObject>> }

/** The service and model that kept reasoning belongs to. */
export type ReasoningOwner = { service: string; model: string }

export function encodeKeptReasoning({ service, model }: ReasoningOwner, kept: KeptReasoning): string {
  return OTHER_API_SIGNATURE_PREFIX + JSON.stringify({ service, model, kept })
}

/** Reads reasoning that was kept in a thinking block. Undefined: it is not for this service and model. */
export function decodeKeptReasoning(
  block: ContentBlockParam,
  { service, model }: ReasoningOwner,
): KeptReasoning | undefined {
  const text = textOf(block)
  if (!text?.startsWith(OTHER_API_SIGNATURE_PREFIX)) return undefined
  const value = parseJson(text.slice(OTHER_API_SIGNATURE_PREFIX.length))
  if (!isObject(value) || value['service'] !== service || value['model'] !== model) return undefined
  // Written by us; a damaged one has no known type and is passed over.
  return isObject(value['kept']) ? (value['kept'] as KeptReasoning) : undefined
}

function textOf(block: ContentBlockParam): string | undefined {
  if (block.type === 'thinking') return block.signature
  return block.type === 'redacted_thinking' ? block.data : undefined
}
