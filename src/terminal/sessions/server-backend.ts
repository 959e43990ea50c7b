/** Sessions of a server, by the client of its API: `kedge attach`. */
import { createClient } from '../../client/create-client.js'
import type { SessionInfo } from '../../hub/session-types.js'
import type { Ask } from '../../protocol/session-log/ask-types.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import type { SessionBackend, SessionClient } from './session-client.js'

export type ServerAddress = { url: string; token: string }

export function createServerBackend(place: ServerAddress): SessionBackend {
  const server = createClient(place)
  let asked: Promise<boolean> | undefined
  const isAdmin = () => {
    asked ??= server.me().then(
      ({ scopes }) => scopes.includes('admin'),
      () => {
        asked = undefined
        return true
      },
    )
    return asked
  }
  const asOffered = async (item: LogItem): Promise<LogItem> =>
    item.kind === 'ask' && !(await isAdmin()) ? { ...item, data: forSession(item.data) } : item

  const attach = ({ id, cwd }: SessionInfo): SessionClient => {
    const session = server.session(id)
    return {
      id,
      cwd,
      info: () => session.info(),
      async *read(after, signal) {
        for await (const item of session.read({ after, signal })) yield await asOffered(item)
      },
      async send({ by: _, ...prompt }) {
        await session.send(prompt)
      },
      removePrompt: (prompt) => session.removePrompt(prompt),
      interrupt: (scope) => session.interrupt(scope),
      answer: (ask, answer) => session.answer(ask, answer),
      async change(change) {
        await session.change(change)
      },
      rewind: (to) => session.rewind(to),
      stored: async () => ({ messages: (await session.earlier()).messages, isWhole: false }),
      commands: () => session.commands(),
      models: () => session.models(),
      agents: () => session.agents(),
      context: () => session.context(),
      ask: (question) => session.askAside(question),
      reload: () => session.reload(),
      servers: () => session.mcpServers(),
      reconnectServer: (name) => session.reconnectMcpServer(name),
      toggleServer: (name, isOn) => session.toggleMcpServer(name, isOn),
      background: (call) => session.moveToBackground(call),
      taskOutput: (task) => session.taskOutput(task),
    }
  }
  return {
    isRemote: true,
    list: async () => (await server.list({ limit: 500 })).sessions,
    create: async ({ cwd, settings: { permissionMode: mode, model } }) =>
      attach(await server.create({ cwd, ...(mode ? { mode } : {}), ...(model ? { model } : {}) })),
    open: async (id) => attach(await server.open(id)),
    fork: async (id) => attach(await server.fork(id)),
    // The server says what its agents are like, and whom it trusts.
    async use() {},
    folderTrust: async () => ({ isTrusted: true, brings: [], withheld: [], changed: [] }),
    trustFolder: async () => ({ isRemembered: true }),
    async forget() {},
    async leave() {},
    end: () => server.end(),
  }
}

/** The server takes rules from a lesser token for the session only, so that is what the card offers. */
function forSession(ask: Ask): Ask {
  const suggestions = ask.suggestions.map(({ update, rule }) => ({
    update: { ...update, destination: 'session' as const },
    rule,
    scope: 'session' as const,
  }))
  return { ...ask, suggestions }
}
