/** Completion during typing: commands after `/`, files after `@`. */

export type CompletionItem = { insert: string; label: string; detail: string }
/** `length`: how much before the cursor it replaces. */
export type CompletionMenu = { items: CompletionItem[]; chosen: number; length: number; kind: CompletionWord['kind'] }
export type CompletionWord = { kind: 'command' | 'file'; text: string }
export type CompletionSource = (word: CompletionWord) => CompletionItem[] | Promise<CompletionItem[]>

/** The word before the cursor, if it is one that can be completed. */
export function completionWordAt(text: string, at: number): CompletionWord | undefined {
  const before = text.slice(0, at)
  if (/^\/\S*$/.test(before)) return { kind: 'command', text: before }
  const [, word] = /(?:^|\s)(@(?:"[^"]*|[^\s"]*))$/.exec(before) ?? []
  return word === undefined ? undefined : { kind: 'file', text: word }
}

const MAX_ITEMS = 50

/** Those that have all letters in order, the best first: at the start, in one piece, short. */
export function rankByQuery<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  const wanted = query.toLowerCase()
  const scored = items.flatMap((item) => {
    const score = scoreOf(textOf(item).toLowerCase(), wanted)
    return score === undefined ? [] : [{ item, score }]
  })
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item)
}

/** Less is better. */
function scoreOf(text: string, wanted: string): number | undefined {
  if (wanted === '') return 0
  const at = text.indexOf(wanted)
  if (at >= 0) {
    const isWordStart = at === 0 || /[^a-z0-9]/.test(text.charAt(at - 1))
    return (isWordStart ? 0 : 1000) + Math.min(at, 400) + text.length / 1000
  }
  let from = 0
  let gaps = 0
  for (const letter of wanted) {
    const found = text.indexOf(letter, from)
    if (found < 0) return undefined
    gaps += found - from
    from = found + 1
  }
  return 5000 + gaps + text.length / 1000
}
