/** The status line of the user's own making: a command of their settings, or of the folder's if they trust it. */

import { isObject } from '../../protocol/json.js'
import type { ViewFacts } from '../../view/view-items.js'
import type { TerminalMachine } from '../machine/machine-port.js'
import { commandOutputLines } from '../screen/terminal-safe-text.js'
import type { SessionClient } from '../sessions/session-client.js'
import { contextWindowOrDefault } from './status-row.js'

export type StatusLineCommandPorts = {
  machine: Pick<TerminalMachine, 'statusCommand' | 'runStatus' | 'after'>
  onChange(): void
}

const SOON_MS = 300

export class StatusLineCommand {
  readonly #ports: StatusLineCommandPorts
  #command: string | undefined
  #cancel: (() => void) | undefined
  text: string | undefined

  constructor(ports: StatusLineCommandPorts) {
    this.#ports = ports
  }

  use(cwd: string): void {
    void this.#ports.machine.statusCommand(cwd).then((command) => {
      this.#command = command
    })
  }

  changed(facts: ViewFacts, client: SessionClient | undefined): void {
    const command = this.#command
    if (command === undefined || this.#cancel || !client) return
    this.#cancel = this.#ports.machine.after(SOON_MS, () => {
      this.#cancel = undefined
      void this.#ports.machine
        .runStatus(command, client.cwd, JSON.stringify(described(facts, client)))
        .then((printed) => {
          const [line] = commandOutputLines(printed ?? '').filter((one) => one.trim() !== '')
          this.text = line
          this.#ports.onChange()
        })
    })
  }
}

/** What such commands read, as they know it. */
function described(facts: ViewFacts, { id, cwd }: SessionClient) {
  const { model = '', mode = 'default', costUsd, contextUsed } = facts
  return {
    hook_event_name: 'Status',
    session_id: id,
    cwd,
    model: { id: model, display_name: model },
    workspace: { current_dir: cwd, project_dir: cwd },
    cost: { total_cost_usd: costUsd },
    permission_mode: mode,
    context_window: { used_tokens: contextUsed, size: contextWindowOrDefault(facts) },
  }
}

/** The command of a settings file; undefined: it has none. */
export function readStatusLineCommand(settings: unknown): string | undefined {
  const line = isObject(settings) ? settings['statusLine'] : undefined
  if (!isObject(line) || line['type'] !== 'command') return undefined
  return typeof line['command'] === 'string' && line['command'] !== '' ? line['command'] : undefined
}
