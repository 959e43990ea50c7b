/** Tables of names, written as text: a long list stays readable, and a change to it is one changed line. */
export function wordList(text: string): string[] {
  return text.trim().split(/\s+/)
}
