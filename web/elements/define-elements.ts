/** Makes the elements known to the browser. */
import { InboxElement } from './inbox-element.js'
import { RequestElement } from './request-element.js'
import { SessionElement } from './session-element.js'

const ELEMENTS = { 'kedge-session': SessionElement, 'kedge-request': RequestElement, 'kedge-inbox': InboxElement }

/** A page can load the module twice, from two places: the first one counts. A server has no elements. */
export function defineElements(): void {
  const registry: CustomElementRegistry | undefined = globalThis.customElements
  if (!registry) return
  for (const [name, element] of Object.entries(ELEMENTS)) if (!registry.get(name)) registry.define(name, element)
}
