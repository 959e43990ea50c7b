/** How people see a message to a teammate. */
import { type DisplayedCall, defineDisplay, inputText } from '../tool-display.js'

const first = (call: DisplayedCall, ...fields: string[]) =>
  fields.map((field) => inputText(call, field)).find((text) => text !== '') ?? ''

export const sendMessageDisplay = defineDisplay({
  name: 'SendMessage',
  kind: 'other',
  editedField: 'content',
  label: () => 'Message',
  subject: (call) => `→ ${first(call, 'recipient', 'to')}: ${first(call, 'summary', 'content', 'message')}`,
  title: (call) => `Message to ${first(call, 'recipient', 'to') || 'a teammate'}`,
  question: (call) => `Send this message to ${first(call, 'recipient', 'to') || 'a teammate'}?`,
})
