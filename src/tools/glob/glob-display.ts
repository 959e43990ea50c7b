/** How people see a search for file names. */
import { describeMatchCount } from '../search/count-matches.js'
import { defineDisplay, inputPath, inputText } from '../tool-display.js'

export const globDisplay = defineDisplay({
  name: 'Glob',
  kind: 'search',
  body: 'matches',
  label: () => 'Find',
  subject: (call) => {
    const path = inputPath(call, 'path')
    return `${inputText(call, 'pattern') || 'files'}${path === '' ? '' : ` in ${path}`}`
  },
  question: (call) => `Find files in ${inputPath(call, 'path') || 'the working directory'}?`,
  outcome: describeMatchCount,
})
