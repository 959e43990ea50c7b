/** Lists anew what a server says has changed; a change that is announced meanwhile makes it look once more. */
import { messageOf } from '../protocol/thrown.js'
import type { ServerToolsAndResources } from './handshake.js'
import type { ListedEntries } from './server-lists.js'

export type ListKind = 'tools' | 'prompts' | 'resources'

export type RefreshPorts = {
  /** Undefined when there is nobody to ask. */
  list(kind: ListKind): Promise<ListedEntries<Partial<ServerToolsAndResources>>> | undefined
  /** False once the connection that the change was announced on is gone. */
  isCurrent(): boolean
  onFound(parts: readonly Partial<ServerToolsAndResources>[], notes: readonly string[]): void
}

/** One for each connection that was made. */
export function createListRefresher({ list, isCurrent, onFound }: RefreshPorts) {
  const running = new Map<ListKind, { again: boolean }>()
  const refresh = async (kind: ListKind) => {
    const found = await list(kind)?.catch((problem: unknown) => ({ entries: [], notes: [messageOf(problem)] }))
    if (found && isCurrent()) onFound(found.entries, found.notes)
  }
  return async (kind: ListKind): Promise<void> => {
    const under = running.get(kind)
    if (under) {
      under.again = true
      return
    }
    const state = { again: false }
    running.set(kind, state)
    do {
      state.again = false
      await refresh(kind)
    } while (state.again && isCurrent())
    running.delete(kind)
  }
}
