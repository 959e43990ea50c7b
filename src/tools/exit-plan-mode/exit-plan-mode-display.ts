/** How people see a plan that waits for approval. */
import { defineDisplay, showPlannedFieldAsChange } from '../tool-display.js'

export const exitPlanModeDisplay = defineDisplay({
  name: 'ExitPlanMode',
  kind: 'switch_mode',
  body: 'plan',
  shownAs: 'request',
  editedField: 'plan',
  label: () => 'Plan',
  subject: () => '',
  question: () => 'Approve this plan?',
  planned: (call) => showPlannedFieldAsChange(call, 'plan'),
})
