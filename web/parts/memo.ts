/** A component that is drawn again only when it is given something else. */
import { Component, type ComponentChildren, type FunctionComponent, h } from 'preact'

export function memo<P extends object>(inner: FunctionComponent<P>): new () => Component<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = new Map<string, unknown>(Object.entries(this.props))
      return Object.entries(next).some(([name, value]) => before.get(name) !== value)
    }
    override render(props: P): ComponentChildren {
      return h(inner, props)
    }
  }
}
