/** How people see a page that the model fetches. */
import { type DisplayedCall, defineDisplay, inputText } from '../tool-display.js'

export const webFetchDisplay = defineDisplay({
  name: 'WebFetch',
  kind: 'fetch',
  body: 'page',
  editedField: 'url',
  label: () => 'Fetch',
  subject: (call) => inputText(call, 'url'),
  title: (call) => `Fetch ${inputText(call, 'url') || 'a page'}`,
  question: (call, preview) => `Fetch ${preview?.type === 'address' ? preview.host : hostOf(call) || 'a page'}?`,
})

function hostOf(call: DisplayedCall): string {
  const url = inputText(call, 'url')
  return URL.canParse(url) ? new URL(url).host : url
}
