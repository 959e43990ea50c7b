/** Connects MCP servers with the session they belong to: its processes, its files, its host. */
import type { McpServers, McpServersPorts } from '../../mcp/servers.js'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import { TRANSCRIPT_VERSION } from '../../sessions/write-transcript.js'
import { commandEnvironment } from '../../tools/bash/command-environment.js'
import type { Conversation } from '../conversation.js'
import type { ServerRequestPorts } from './server-requests.js'
import { createSessionSignIns, type GiveMcpToken } from './session-sign-ins.js'
import type { AskMcpSignIn } from './sign-in-offers.js'

/** What servers need of the host. */
export type McpHost = {
  /** Hands a message to a server that lives in the host; resolves with its answer. */
  sendMcp(server: string, message: JSONRPCMessage, signal?: AbortSignal): Promise<unknown>
  /** Undefined: there is nobody to ask. */
  elicit?: ServerRequestPorts['askHost']
  /** Gives a token for a server; undefined: the host has none for any. */
  giveMcpToken?: GiveMcpToken | undefined
  /** Leads its user through a sign-in; undefined: it can't. */
  askMcpSignIn?: AskMcpSignIn | undefined
}

/** MCP Apps: where no frame can be shown, users see the text of the result. */
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }

export async function connectMcpServers(
  conversation: Conversation,
  host: McpHost,
  stderr: (text: string) => void,
  { onChange, asksInBypass }: Pick<McpServersPorts, 'onChange' | 'asksInBypass'>,
): Promise<McpServers> {
  const { createRemoteTransport, createMcpServers, readLimits, runHeadersHelper } = await import('../../mcp/open.js')
  const { createServerLogReporter, mcpLogLevel } = await import('./server-logs.js')
  const { settings, platform, live } = conversation.shared
  const { cwd } = settings
  const { env } = live
  const variables = commandEnvironment(env, cwd)
  const signIns = await createSessionSignIns(conversation.shared, host.giveMcpToken)
  return createMcpServers({
    platform,
    cwd,
    variables,
    limits: readLimits(env),
    serverLists: settings.serverLists ?? { allowed: undefined, denied: [] },
    clientInfo: { name: 'claude-code', version: TRANSCRIPT_VERSION },
    sendToHost: host.sendMcp,
    openRemote: (name, config) =>
      createRemoteTransport(config, {
        clock: platform.clock,
        load: () => import('../../mcp/transports/official-client.js'),
        helpHeaders: (command) =>
          runHeadersHelper(command, { name, url: config.url, cwd, env: variables, processes: platform.processes }),
        network: platform.network,
        ...signIns.portsOf(name, config),
      }),
    isSignedIn: signIns.isSignedIn,
    capabilities: ({ type, sampling }) => ({
      ...(type === 'sdk' ? {} : { roots: {}, elicitation: { form: {}, url: {} }, extensions: APPS }),
      ...(sampling ? { sampling: { tools: {} } } : {}),
    }),
    onRequest: async (server, config, method, params, signal, origin) =>
      (await import('./server-requests.js')).answerServerRequest(
        server,
        method,
        params,
        { conversation, askHost: host.elicit, mayAskModel: config?.sampling === true, origin },
        signal,
      ),
    onChange,
    asksInBypass,
    logLevel: mcpLogLevel(conversation),
    onLog: createServerLogReporter(conversation),
    onPageDone: (server, elicitationId) => conversation.emitter.elicitationComplete(server, elicitationId),
    note: (text) => stderr(`Warning: ${text}\n`),
    tools: {
      async keep(content, extension) {
        const path = await conversation.shared.background.keptFile(`mcp-${platform.identity.hex(12)}.${extension}`)
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
        return platform.files.create(path, bytes, 0o600).then(
          () => path,
          () => undefined,
        )
      },
      adoptTask: async (task) => {
        const { adoptMcpCall } = await import('./background-calls.js')
        return adoptMcpCall(task, conversation.shared.background, platform.files)
      },
      async checkOutput(schema, value) {
        const { compileOutputSchema } = await import('../../tools/structured-output/output-schema.js')
        const compiled = await compileOutputSchema(schema)
        // A schema that nobody can read says nothing against the value.
        return compiled.ok ? compiled.schema.problems(value) : []
      },
    },
  })
}
