/** Begins what another API's answers left in thinking blocks. The Messages API would refuse it: no signature of its own has a colon. */
export const CACHE_MARKER = 'kedge:'

export function hasCacheMarker(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith(CACHE_MARKER)
}
