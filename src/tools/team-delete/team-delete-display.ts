/** How people see the end of a team. */
import { defineDisplay } from '../tool-display.js'

export const teamDeleteDisplay = defineDisplay({
  name: 'TeamDelete',
  kind: 'think',
  label: () => 'Delete team',
  subject: () => '',
  question: () => 'Delete the team?',
})
