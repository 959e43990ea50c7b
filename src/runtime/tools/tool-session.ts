/** The state that the tools of one session share; says when the shell has moved. */
import type { ToolSession } from '../../tools/tool.js'

export function createToolSession(cwd: string, onMoved: (from: string, to: string) => void): ToolSession {
  let shellCwd = cwd
  return {
    readFiles: new Map(),
    destinations: new WeakMap(),
    todos: [],
    get shellCwd() {
      return shellCwd
    },
    set shellCwd(to) {
      const from = shellCwd
      shellCwd = to
      if (to !== from) onMoved(from, to)
    },
  }
}
