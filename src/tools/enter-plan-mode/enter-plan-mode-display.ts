/** How people see the wish to plan before anything is changed. */
import { defineDisplay } from '../tool-display.js'

export const enterPlanModeDisplay = defineDisplay({
  name: 'EnterPlanMode',
  kind: 'switch_mode',
  shownAs: 'request',
  label: () => 'Plan first',
  subject: () => '',
  question: () => 'Plan before changing anything?',
})
