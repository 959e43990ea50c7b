/** How people see a skill that the model loads. */
import { type DisplayedCall, defineDisplay, inputText } from '../tool-display.js'

const subject = (call: DisplayedCall) => inputText(call, 'skill') || inputText(call, 'command')

export const skillDisplay = defineDisplay({
  name: 'Skill',
  kind: 'read',
  subject,
  question: (call) => `Use the skill ${subject(call)}`.trim().concat('?'),
  outcome: ({ isError }) => (isError ? undefined : 'loaded'),
})
