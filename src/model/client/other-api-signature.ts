/** Begins what another API's answers left in thinking blocks. The Messages API would refuse it: no signature of its own has a colon. */
export const OTHER_API_SIGNATURE_PREFIX = 'kedge:'

export function hasOtherApiSignature(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith(OTHER_API_SIGNATURE_PREFIX)
}
