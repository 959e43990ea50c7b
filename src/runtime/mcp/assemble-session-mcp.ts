/** MCP as the composition root takes it: the servers, the tools that go with them, and who answers permission questions. */
import type { EngineTool } from '../../engine/ports.js'
import { serverIdentity } from '../../mcp/server-identity.js'
import type { SessionMcpServer } from '../../mcp/servers.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import type {
  ConfigurationSourceSettings,
  PermissionSettings,
  SessionChoice,
  ToolSettings,
} from '../../protocol/option-table/start-settings.js'
import type { ToolSearchPort } from '../../tools/tool-search/tool-search.js'
import type { DiscoveredConfiguration, Frozen, SessionLocation } from '../configuration.js'
import type { MainThread } from '../conversation.js'
import { slashCommandsOf } from '../messages/init-message.js'
import type { HostAskPorts } from '../permission/ask-host.js'
import { type ApprovedToolsPorts, createApprovedMcpToolTracker } from './approved-tools.js'
import { connectMcpServers, type McpHost } from './connect-servers.js'
import { askPermissionThroughTool } from './permission-prompt-tool.js'
import { mcpResourceTools } from './session-resources.js'
import { createSessionMcp, type SessionMcp } from './session-servers.js'
import { usesKeptSignIns } from './session-sign-ins.js'
import type { SignInOffers } from './sign-in-offers.js'

export type McpSessionHost = McpHost & { stderr(text: string): void; askHost: HostAskPorts['askHost'] }

type McpSettings = Pick<PermissionSettings, 'promptTool'> &
  Pick<DiscoveredConfiguration, 'servers'> &
  Pick<ToolSettings, 'mcpWait' | 'awaitsInitialize' | 'hostGivesMcpTokens' | 'mcpSignIns'> &
  Frozen<Pick<ConfigurationSourceSettings, 'sources'>> &
  Pick<SessionChoice, 'persist'> &
  Pick<SessionLocation, 'configDir'>

/** `main` is there once the session is put together. */
export function assembleSessionMcp(
  main: () => MainThread,
  settings: McpSettings,
  permissions: Permissions,
  host: McpSessionHost,
) {
  const { promptTool, servers, mcpWait, awaitsInitialize, hostGivesMcpTokens } = settings
  const mcp = createSessionMcp({
    named: servers,
    waits: mcpWait,
    holds: awaitsInitialize,
    asksHostForTokens: hostGivesMcpTokens,
    open: (onChange, asksInBypass) => connectMcpServers(main(), host, host.stderr, { onChange, asksInBypass }),
    stderr: host.stderr,
  })
  const approved = createApprovedMcpToolTracker({
    ...rememberedTools(main, settings),
    definition: (tool) => mcp.definitions().find(({ definition }) => definition.name === tool)?.definition,
    identity: (tool) => identityOf(mcp.servers()?.ownerOf(tool)),
    report(text, tool, before, now) {
      host.stderr(`Warning: ${text}\n`)
      void main().emitter.inform(text, 'warning', { code: 'mcp_tool_changed', details: { tool, before, now } })
    },
  })
  const signIns = createSignInWatch()
  const offers = prepareSignInOffers(main, settings, host, mcp)
  const search: ToolSearchPort = {
    ready: (signal) => mcp.allSettled(signal),
    deferred: () => main().offer.searchable(),
    activate: (names) => main().offer.activate(names),
    takesReferences: () => main().model.endpoint().takesReferences === true,
  }
  return {
    mcp: {
      ...mcp,
      reconnect(name: string) {
        offers?.again(name)
        return mcp.reconnect(name)
      },
      async close() {
        offers?.close()
        await mcp.close()
      },
    },
    /** Bound like any other, offered only where a server has resources. */
    resourceTools: mcpResourceTools(mcp, permissions),
    search,
    askHost: promptTool === undefined ? host.askHost : askPermissionThroughTool(mcp, promptTool),
    find(name: string): EngineTool | undefined {
      const found = name.startsWith('mcp__') && main().offer.isAllowed(name) ? mcp.find(name) : undefined
      return found && approved.watch(found)
    },
    start: () =>
      mcp.start(() => {
        for (const { name: server, error = '', auth } of signIns.fresh(mcp.statuses())) {
          const details = { server, scopes: auth?.scopes?.join(' ') ?? null }
          void main().emitter.inform(`MCP server ${server}: ${error}`, 'warning', {
            code: 'mcp_needs_sign_in',
            details,
          })
        }
        offers?.look(mcp.statuses())
        void approved.look(mcp.definitions().map(({ definition }) => definition))
        main().offer.update()
        mcp.tellPrompts(() => main().emitter.commandsChanged(slashCommandsOf(main())))
      }),
  }
}

/** The program or address behind it: another one of the same name is another server. Those of the host are part of it. */
function identityOf(server: SessionMcpServer | undefined): string | undefined {
  const config = server?.connection.config
  if (!config || config.type === 'sdk') return undefined
  return serverIdentity(config)
}

/** Across sessions only where the user's own settings count, and something is kept at all. */
function rememberedTools(
  main: () => MainThread,
  { sources, persist, configDir }: McpSettings,
): Pick<ApprovedToolsPorts, 'load' | 'save'> {
  const parts = () => import('../../settings/settings-parts.js')
  const ports = () => {
    const { files, clock, identity } = main().shared.platform
    return { configDir, files, clock, uid: identity.uid }
  }
  if (!persist || !sources.includes('user')) return { load: async () => ({}), save: async () => {} }
  return {
    load: async () => (await parts()).readRememberedMcpTools(ports()),
    save: async (key, mark) => (await parts()).rememberMcpTool(key, mark, ports()),
  }
}

/** Servers that want a sign-in now and did not before: a host may show it to somebody, once. */
function createSignInWatch() {
  let waiting = new Set<string>()
  return {
    fresh(statuses: readonly McpServerStatus[]): McpServerStatus[] {
      const wanting = statuses.filter(({ status }) => status === 'needs-auth')
      const found = wanting.filter(({ name }) => !waiting.has(name))
      // One that is being connected again has not been told apart from one that still waits.
      const pending = statuses.filter(({ name, status }) => status === 'pending' && waiting.has(name))
      waiting = new Set([...wanting, ...pending].map(({ name }) => name))
      return found
    },
  }
}

/** Loaded with the first server that wants a sign-in. Undefined: nobody could be led, or nothing of it would be kept. */
function prepareSignInOffers(
  main: () => MainThread,
  settings: McpSettings,
  { askMcpSignIn }: McpSessionHost,
  mcp: SessionMcp,
) {
  if (!askMcpSignIn || !usesKeptSignIns(settings)) return undefined
  let loaded: Promise<SignInOffers> | undefined
  return {
    look(statuses: readonly McpServerStatus[]): void {
      if (!loaded && !statuses.some(({ status }) => status === 'needs-auth')) return
      loaded ??= import('./sign-in-offers.js').then(({ createSessionSignInOffers }) =>
        createSessionSignInOffers(main, askMcpSignIn, mcp),
      )
      void loaded.then((offers) => offers.look(mcp.statuses()))
    },
    again: (server: string) => void loaded?.then((offers) => offers.again(server)),
    close: () => void loaded?.then((offers) => offers.close()),
  }
}
