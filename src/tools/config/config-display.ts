/** How people see a setting that the model reads or changes. */
import { defineDisplay, inputText } from '../tool-display.js'

export const configDisplay = defineDisplay({
  name: 'Config',
  kind: 'other',
  label: () => 'Setting',
  subject: (call) => inputText(call, 'setting'),
  question: (call) => `Change the setting ${inputText(call, 'setting')}`.trim().concat('?'),
})
