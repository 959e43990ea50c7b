/** As much of a document as text becomes: elements, attributes, text. What is written into it can be read as one line. */
export class TinyNode {
  readonly childNodes: TinyNode[] = []
  parentNode: TinyNode | null = null
  readonly nodeName: string
  constructor(nodeName: string) {
    this.nodeName = nodeName
  }

  appendChild<N extends TinyNode>(node: N): N {
    node.parentNode = this
    this.childNodes.push(node)
    return node
  }
  append(...parts: (TinyNode | string)[]): void {
    for (const part of parts) this.appendChild(typeof part === 'string' ? new TinyText(part) : part)
  }
  replaceChild(fresh: TinyNode, old: TinyNode): void {
    fresh.parentNode = this
    this.childNodes.splice(this.childNodes.indexOf(old), 1, fresh)
  }
  replaceChildren(...nodes: TinyNode[]): void {
    this.childNodes.splice(0)
    this.append(...nodes)
  }
  removeChild(old: TinyNode): void {
    this.childNodes.splice(this.childNodes.indexOf(old), 1)
  }
  get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join('')
  }
  set textContent(text: string) {
    this.childNodes.splice(0)
    this.append(text)
  }
}

class TinyText extends TinyNode {
  data: string
  constructor(data: string) {
    super('#text')
    this.data = data
  }
  override get textContent(): string {
    return this.data
  }
  appendData(more: string): void {
    this.data += more
  }
}

export class TinyElement extends TinyNode {
  readonly attributes = new Map<string, string>()
  readonly dataset: Record<string, string> = {}
  className = ''
  tabIndex = -1
  readonly localName: string
  constructor(localName: string) {
    super(localName.toUpperCase())
    this.localName = localName
  }
  get parentElement(): TinyNode | null {
    return this.parentNode
  }
  readonly classList = { contains: (name: string) => this.className.split(' ').includes(name) }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null
  }
}

/** Elements with what matters of them: `p(a strong(b))`, links with where they lead, classes with a dot. */
export function shapeOf(node: TinyNode): string {
  if (!(node instanceof TinyElement)) return node.textContent
  const href = node.attributes.get('href')
  const name = node.localName + (node.className === '' ? '' : `.${node.className.replaceAll(' ', '.')}`)
  return `${name}${href === undefined ? '' : `[${href}]`}(${node.childNodes.map(shapeOf).join('')})`
}

/** Into the document that `installPage` made. */
export function installTinyDocument(): void {
  Object.assign(globalThis, { HTMLElement: TinyElement, Text: TinyText })
  Object.assign(document, {
    createElement: (name: string) => new TinyElement(name),
    createTextNode: (text: string) => new TinyText(text),
  })
}
