/** How people see a search in files. */
import { describeMatchCount } from '../search/count-matches.js'
import { type DisplayedCall, defineDisplay, inputPath, inputText } from '../tool-display.js'

const subject = (call: DisplayedCall) => {
  const path = inputPath(call, 'path')
  return `${inputText(call, 'pattern') || 'text'}${path === '' ? '' : ` in ${path}`}`
}

export const grepDisplay = defineDisplay({
  name: 'Grep',
  kind: 'search',
  body: 'matches',
  label: () => 'Search',
  subject,
  title: (call) => `Search for ${subject(call)}`,
  question: (call) => `Search in ${inputPath(call, 'path') || 'the working directory'}?`,
  outcome: describeMatchCount,
})
