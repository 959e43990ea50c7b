/**
 * The life of an element: it shows something while it is in a document and has what it needs, and starts over when an attribute
 * or property changes. An element that is moved is taken out and put in again at once, which changes nothing.
 */
import { type ComponentChild, h, render } from 'preact'
import { PageScopeContext, ROOT_MOVED_EVENT } from '../state/page-scope.js'
import { ElementFrame } from './element-frame.js'
import type { ElementScope } from './element-scope.js'
import { elementStyleSheet } from './element-style.js'
import type { KedgeElementProps } from './element-types.js'
import { type AcquiredClient, acquireClient, findOrCreateSharedClient, type SharedClient } from './shared-client.js'

/** What an element shows, and what ends it. */
export type ElementPart = { scope: ElementScope; content: ComponentChild; end(): void }

/** A server that renders pages has no elements: there the module can be imported, and does nothing. */
const BaseElement: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

export abstract class KedgeElement extends BaseElement implements KedgeElementProps {
  #token: KedgeElementProps['token']
  #client: KedgeElementProps['client']
  #isPlanned = false
  #current: { from: readonly unknown[]; end(): void } | undefined
  readonly #place = document.createElement('div')

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [elementStyleSheet()]
    this.#place.className = 'element'
    root.append(this.#place)
  }

  /** Attributes without which it shows nothing. */
  protected abstract readonly needed: readonly string[]
  /** Other attributes. */
  protected readonly optional: readonly string[] = []
  /** Shows what the element is for. */
  protected abstract show(shared: SharedClient, root: ShadowRoot): ElementPart

  connectedCallback(): void {
    for (const name of ['server', 'token', 'client', 'session', 'request', 'sessionLink']) this.#adopt(name)
    // It is shown already: it was moved.
    if (this.#current) this.#place.getRootNode().dispatchEvent(new Event(ROOT_MOVED_EVENT))
    this.#plan()
  }

  disconnectedCallback(): void {
    this.#plan()
  }

  attributeChangedCallback(): void {
    this.#plan()
  }

  get server(): string {
    return this.getAttribute('server') ?? ''
  }
  set server(address: string) {
    this.setAttribute('server', address)
  }

  get token(): KedgeElementProps['token'] {
    return this.#token
  }
  set token(token: KedgeElementProps['token']) {
    this.#token = token
    this.#plan()
  }

  get client(): KedgeElementProps['client'] {
    return this.#client
  }
  set client(client: KedgeElementProps['client']) {
    this.#client = client
    this.#plan()
  }

  /** A property that was set before the element was defined hides the one of the class. */
  #adopt(name: string): void {
    if (!Object.hasOwn(this, name)) return
    const value: unknown = Reflect.get(this, name)
    Reflect.deleteProperty(this, name)
    Reflect.set(this, name, value)
  }

  /** Several changes in a row are one. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      this.#update()
    })
  }

  #update(): void {
    const given = (name: string) => this.getAttribute(name) ?? ''
    const needed = this.needed.map(given)
    const isShown = this.isConnected && !needed.includes('')
    const address = this.#client ? [] : [this.server, this.#token]
    const from = isShown ? [this.#client, ...address, ...needed, ...this.optional.map(given)] : []
    const before = this.#current
    if (before && before.from.length === from.length && from.every((value, at) => value === before.from[at])) return
    // First the next client: it is often the same one.
    const acquired = isShown ? this.#acquire() : undefined
    before?.end()
    this.#current = acquired && { from, end: this.#begin(acquired) }
  }

  #acquire(): AcquiredClient {
    if (this.#client) return { client: this.#client, release: () => {} }
    return acquireClient({ server: this.server, token: this.#token })
  }

  #begin({ client, release }: AcquiredClient): () => void {
    const root = this.#place.getRootNode() as ShadowRoot // the constructor put it there
    const shared = findOrCreateSharedClient(client)
    const { scope, content, end } = this.show(shared, root)
    shared.loadCaller()
    const frame = h(ElementFrame, { toasts: scope.toasts }, content)
    render(h(PageScopeContext.Provider, { value: scope.page }, frame), this.#place)
    return () => {
      render(null, this.#place)
      for (const dialog of root.querySelectorAll('dialog')) dialog.close()
      end()
      release()
    }
  }
}
