/** How people see the start of a team. */
import { defineDisplay, inputText } from '../tool-display.js'

export const teamCreateDisplay = defineDisplay({
  name: 'TeamCreate',
  kind: 'think',
  label: () => 'Create team',
  subject: (call) => inputText(call, 'team_name'),
  question: (call) => `Create the team ${inputText(call, 'team_name')}`.trim().concat('?'),
})
