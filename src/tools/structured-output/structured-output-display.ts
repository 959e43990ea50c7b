/** How people see an answer in the shape that the host asked for. */
import { defineDisplay } from '../tool-display.js'

export const structuredOutputDisplay = defineDisplay({
  name: 'StructuredOutput',
  kind: 'other',
  body: 'input',
  opens: 'always',
  label: () => 'Structured output',
  subject: () => '',
})
