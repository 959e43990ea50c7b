/** Sessions of this process. */

import { rewindAsRequested } from '../../hub/rewind.js'
import type { SessionInfo } from '../../hub/session-types.js'
import type { LocalHub } from '../../hub/sessions.js'
import type { Person } from '../../protocol/session-log/ask-types.js'
import type { SessionBackend, SessionClient } from './session-client.js'

const BY: Person = { name: 'terminal', interface: 'terminal' }

export type HubBackendPorts = {
  hub: LocalHub
  /** The end of a file; undefined: it can't be read. */
  tailOf(path: string): string | undefined
}

export function createHubBackend({ hub, tailOf }: HubBackendPorts): SessionBackend {
  const client = ({ id, cwd }: SessionInfo): SessionClient => ({
    id,
    cwd,
    info: () => hub.info(id),
    read: (after, signal) => hub.read(id, { after, signal }),
    send: async (prompt) => void (await hub.send(id, { ...prompt, by: BY })),
    removePrompt: (prompt) => hub.removePrompt(id, prompt, BY),
    interrupt: (scope) => hub.interrupt(id, scope),
    answer: (ask, answer) => hub.answer(id, ask, answer, BY),
    change: async (change) => void (await hub.change(id, { ...change, by: BY })),
    rewind: (to) => rewindAsRequested(hub, hub, id, to),
    stored: async () => ({ messages: await hub.messages(id), isWhole: true }),
    commands: async () => (await hub.agent(id)).supportedCommands(),
    models: async () => (await hub.agent(id)).supportedModels(),
    agents: async () => (await hub.agent(id)).supportedAgents(),
    context: async () => (await hub.agent(id)).getContextUsage(),
    ask: async (question) => (await hub.agent(id)).ask(question),
    reload: async () => (await hub.agent(id)).reload(),
    servers: async () => (await hub.agent(id)).mcpServerStatus(),
    reconnectServer: async (name) => (await hub.agent(id)).reconnectMcpServer(name),
    toggleServer: async (name, isOn) => (await hub.agent(id)).toggleMcpServer(name, isOn),
    background: async (call) => (await hub.agent(id)).backgroundTasks(call),
    // The agent reports the name; no other file is read.
    taskOutput: async (task, file) => (file?.endsWith(`/${task}.output`) ? (tailOf(file) ?? '') : ''),
  })
  return {
    isRemote: false,
    list: async () => (await hub.list({ limit: 500 })).sessions,
    create: async ({ cwd, settings }) => {
      const { permissionMode: mode, model, ...options } = settings
      return client(
        await hub.create({
          cwd,
          options: { reloadOnChange: true, ...options },
          ...(mode ? { mode } : {}),
          ...(model ? { model } : {}),
        }),
      )
    },
    async open(id, settings) {
      const { permissionMode: mode, model, ...options } = settings ?? {}
      const info = await hub.open(id, { reloadOnChange: true, ...options })
      if (mode || model) await hub.change(id, { ...(mode ? { mode } : {}), ...(model ? { model } : {}) })
      return client(info)
    },
    fork: async (id) => client(await hub.fork(id)),
    async use(id, settings) {
      const { permissionMode: _, model: __, ...options } = settings
      await hub.use(id, options)
    },
    folderTrust: (cwd) => hub.folderTrust(cwd),
    trustFolder: (cwd) => hub.trustFolder(cwd),
    forget: (id) => hub.delete(id),
    leave: (id) => hub.close(id),
    end: () => hub.end(),
  }
}
