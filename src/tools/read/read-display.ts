/** How people see a file that the model reads. */
import {
  countText,
  type DisplayedCall,
  defineDisplay,
  fieldOf,
  inputPath,
  inputText,
  lineCount,
} from '../tool-display.js'

export const readDisplay = defineDisplay({
  name: 'Read',
  kind: 'read',
  body: 'lines',
  subject: (call) => inputPath(call, 'file_path'),
  title: (call) => `Read ${inputPath(call, 'file_path') || 'a file'}${range(call)}`,
  question: (call) => `Read ${inputPath(call, 'file_path') || 'a file'}?`,
  file: (call) => ({ path: inputText(call, 'file_path'), ...firstLine(call) }),
  outcome: ({ text, output }) => {
    const content = fieldOf(fieldOf(output, 'file'), 'content')
    return countText(lineCount(typeof content === 'string' ? content : text), 'line', 'lines')
  },
})

function range({ input: { offset, limit } }: DisplayedCall): string {
  if (typeof offset !== 'number' && typeof limit !== 'number') return ''
  const first = typeof offset === 'number' ? offset : 1
  return typeof limit === 'number' ? ` (lines ${first} to ${first + limit - 1})` : ` (from line ${first})`
}

function firstLine({ input: { offset } }: DisplayedCall): { line?: number } {
  return typeof offset === 'number' && Number.isInteger(offset) && offset >= 1 ? { line: offset } : {}
}
