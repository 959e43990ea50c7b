/** Lists anew what a server says has changed; a change that is announced meanwhile makes it look once more. */
import { messageOf } from '../../protocol/thrown.js'
import type { ListedKind, ListKind } from './list-offer.js'

export type RefreshPorts = {
  /** Undefined when there is nobody to ask. */
  list(kind: ListKind): Promise<ListedKind> | undefined
  /** False once the connection that the change was announced on is gone. */
  isCurrent(): boolean
  onFound(found: ListedKind): void
}

/** One for each connection that was made. */
export function createListRefresher({ list, isCurrent, onFound }: RefreshPorts) {
  const running = new Map<ListKind, { again: boolean; done: Promise<void> }>()
  const look = async (kind: ListKind) => {
    const found = await list(kind)?.catch((problem: unknown) => ({
      kind,
      part: {},
      notes: [messageOf(problem)],
      freshMs: 0,
    }))
    if (found && isCurrent()) onFound(found)
  }
  return async (kind: ListKind): Promise<void> => {
    const under = running.get(kind)
    if (under) {
      under.again = true
      return under.done
    }
    const state = { again: true, done: Promise.resolve() }
    running.set(kind, state)
    state.done = (async () => {
      while (state.again && isCurrent()) {
        state.again = false
        await look(kind)
      }
      running.delete(kind)
    })()
    return state.done
  }
}
