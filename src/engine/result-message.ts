/** Builds the message that answers the calls of one model answer. */
import type { ContentBlockParam } from '../protocol/content.js'
import type { CallResult } from './finished-call.js'

/**
 * Results come first, as the API demands, then what tools and hooks add. Words of the user are blocks of their own, behind all
 * of it: inside a result nobody could tell them from what a command printed.
 */
export function toolResultBlocks(
  results: readonly CallResult[],
  beside: readonly string[],
  folded: readonly ContentBlockParam[],
): ContentBlockParam[] {
  const texts = [...results.flatMap(({ follow }) => follow ?? []), ...beside]
  return [...results.map(({ block }) => block), ...texts.map((text) => ({ type: 'text' as const, text })), ...folded]
}
