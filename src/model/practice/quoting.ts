/** Takes quoted parts out of a text before it is read as a request, so that no word inside of them can be mistaken for one. */

export interface TextWithoutQuotes {
  /** The text with a mark in the place of every quoted part. */
  readonly text: string
  /** What a piece of `text` means: the inside of the quotes when it is one quoted part, else as it was typed. */
  literal(piece: string): string
  /** A piece of `text` as it was typed. */
  typed(piece: string): string
}

/** One mark; for use in patterns. */
export const QUOTE_MARK_PATTERN = '\uE000\\d+\uE001'

const FENCE = '```[^\\n`]*\\n(?<fence>[^]*?)```'
const PAIRS = [
  '`(?<tick>[^`]+)`',
  '"(?<double>[^"]*)"',
  '“(?<curly>[^“”]*)”',
  // Not the apostrophe of "don't".
  "(?<!\\w)'(?<single>[^'\\n]+)'(?!\\w)",
  '‘(?<curlySingle>[^‘’\\n]*)’',
]
/** The last part: someone may really type a character we use for marks. */
const QUOTES = new RegExp([FENCE, ...PAIRS, '[\uE000\uE001]'].join('|'), 'g')

/** Such a line announces everything below it: "create notes.txt with:" or "plan:". */
const ANNOUNCES = /\b(?:with|containing|says|saying|contents?|text|lines?|plan|steps|todos?)\b.*:\s*$/i
const LONGEST_ANNOUNCEMENT = 1000

export function takeOutQuotes(source: string): TextWithoutQuotes {
  const parts: { typed: string; inside: string }[] = []
  const mark = (typed: string, inside: string) => {
    parts.push({ typed, inside })
    return `\uE000${parts.length - 1}\uE001`
  }
  const marks = new RegExp(QUOTE_MARK_PATTERN, 'g')
  const onlyMark = new RegExp(`^\\s*${QUOTE_MARK_PATTERN}\\s*$`)
  const partOf = (found: string) => parts[Number(found.replace(/\D/g, ''))]
  const typed = (piece: string): string => piece.replace(marks, (found) => partOf(found)?.typed ?? found)
  const literal = (piece: string): string => {
    if (onlyMark.test(piece)) return partOf(piece)?.inside ?? piece
    return typed(piece).trim()
  }

  const marked = source.replace(QUOTES, (...match) => {
    // With named groups in the pattern, the last argument holds them.
    const groups = Object.values(match.at(-1) as Record<string, string | undefined>)
    return mark(match[0], groups.find((group) => group !== undefined) ?? match[0])
  })
  const lines = marked.split('\n')
  const announcing = lines.findIndex((line) => line.length <= LONGEST_ANNOUNCEMENT && ANNOUNCES.test(line))
  const below = announcing < 0 ? '' : lines.slice(announcing + 1).join('\n')
  if (below.trim() === '') return { text: marked, literal, typed }
  const kept = lines.slice(0, announcing + 1).join('\n')
  const inside = onlyMark.test(below) ? literal(below) : typed(below)
  return { text: `${kept.trimEnd()} ${mark(`\n${typed(below)}`, inside)}`, literal, typed }
}
