/** The state that the tools of one session share; says when the shell has moved. */
import type { ToolSession } from '../../tools/tool.js'

export function createToolSession(cwd: string, onMoved: (from: string, to: string) => void): ToolSession {
  return new SharedState(cwd, onMoved)
}

/** A class because every conversation has one: an object with accessors of its own takes three times the room. */
class SharedState implements ToolSession {
  readonly readFiles: ToolSession['readFiles'] = new Map()
  readonly destinations: ToolSession['destinations'] = new WeakMap()
  todos: ToolSession['todos'] = []
  #shellCwd: string
  readonly #onMoved: (from: string, to: string) => void

  constructor(cwd: string, onMoved: (from: string, to: string) => void) {
    this.#shellCwd = cwd
    this.#onMoved = onMoved
  }

  get shellCwd(): string {
    return this.#shellCwd
  }

  set shellCwd(to: string) {
    const from = this.#shellCwd
    this.#shellCwd = to
    if (to !== from) this.#onMoved(from, to)
  }
}
