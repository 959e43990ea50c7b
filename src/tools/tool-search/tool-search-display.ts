/** How people see a search for further tools. */
import { defineDisplay, inputText } from '../tool-display.js'

export const toolSearchDisplay = defineDisplay({
  name: 'ToolSearch',
  kind: 'search',
  label: () => 'Find tools',
  subject: (call) => inputText(call, 'query'),
})
