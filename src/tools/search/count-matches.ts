/** Counts what Glob or Grep found. */
import { countText, type DisplayedResult, fieldOf, lineCount } from '../tool-display.js'

/** Returns `3 results` or `nothing found`, from the output that hosts receive or else from the text that the model reads. */
export function describeMatchCount({ text, output }: DisplayedResult): string {
  const counted = fieldOf(output, 'numFiles') || fieldOf(output, 'numMatches')
  const listed = /^No (?:files|matches)/i.test(text) ? 0 : lineCount(text.trim())
  const count = typeof counted === 'number' && counted > 0 ? counted : listed
  return count === 0 ? 'nothing found' : countText(count, 'result', 'results')
}
