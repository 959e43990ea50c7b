/** Texts of hooks go to the model and to people: long ones are cut, and say so. */

const MAX_TEXT = 100_000

export function truncateHookText(text: string): string {
  if (text.length <= MAX_TEXT) return text
  return `${text.slice(0, MAX_TEXT)}\n[cut: the hook sent ${text.length} characters]`
}
