/** `kedge/elements`: the ready-made parts of the web app as custom elements. Importing it defines them. */
import { defineElements } from './define-elements.js'
import type {
  KedgeElementEvents,
  KedgeInboxElement,
  KedgeRequestElement,
  KedgeSessionElement,
} from './element-types.js'

export { createClient } from '../../src/client/public-client.js'
export type * from './element-types.js'

declare global {
  interface HTMLElementTagNameMap {
    'kedge-session': KedgeSessionElement
    'kedge-request': KedgeRequestElement
    'kedge-inbox': KedgeInboxElement
  }
  interface GlobalEventHandlersEventMap extends KedgeElementEvents {}
}

defineElements()
