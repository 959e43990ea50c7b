/** How people see a search on the web. */
import { defineDisplay, inputText } from '../tool-display.js'

export const webSearchDisplay = defineDisplay({
  name: 'WebSearch',
  kind: 'fetch',
  body: 'page',
  editedField: 'query',
  label: () => 'Search the web',
  subject: (call) => inputText(call, 'query'),
  title: (call) => `Search the web for ${inputText(call, 'query') || 'something'}`,
  question: (call) => `Search the web for “${inputText(call, 'query')}”?`,
})
