/** Parts of the page that are loaded when they are first shown. */
import { type Signal, signal } from '@preact/signals'
import type { ComponentType } from 'preact'

export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const part: Signal<ComponentType<P> | undefined> = signal(undefined)
  let isAsked = false
  return function Later(props: P) {
    if (!isAsked) {
      isAsked = true
      load().then(
        (loaded) => {
          part.value = loaded
        },
        () => {
          // Next time it is asked for again.
          isAsked = false
        },
      )
    }
    const Part = part.value
    return Part ? <Part {...props} /> : null
  }
}
