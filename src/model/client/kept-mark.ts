/** Begins what another API's answers left in thinking blocks. The Messages API would refuse it: no signature of its own has a colon. */
export const KEPT_MARK = 'kedge:'

export function isKept(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith(KEPT_MARK)
}
