/** How people see questions of the model. */
import { defineDisplay } from '../tool-display.js'

export const askUserQuestionDisplay = defineDisplay({
  name: 'AskUserQuestion',
  kind: 'other',
  body: 'answers',
  shownAs: 'request',
  label: () => 'Questions',
  subject: () => '',
  question: () => 'Answer these questions?',
})
