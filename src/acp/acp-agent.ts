/** The agent as editors see it: every method of the protocol, for one client. It decides nothing; the hub does. */
import { type AgentApp, agent, type InitializeResponse, methods } from '@agentclientprotocol/sdk/unstable'
import { VERSION } from '../platform/version.js'
import { type AcpClientAbilities, readAcpClientAbilities } from './acp-client.js'
import { type AcpAgentPorts, AcpSessions } from './acp-sessions.js'
import { ModelCredentials } from './credentials.js'
import {
  rewindParamsParser,
  setServersParamsParser,
  steerParamsParser,
  stopTaskParamsParser,
} from './extension-params.js'
import { createInvalidParamsError, toRequestError } from './request-errors.js'
import {
  forkSessionParamsParser,
  initializeParamsParser,
  loadSessionParamsParser,
  newSessionParamsParser,
  resumeSessionParamsParser,
} from './session-params.js'

const PROTOCOL = 1

/** The sessions of the client, once it has introduced itself. */
type At = () => AcpSessions

export function createAcpAgent(ports: AcpAgentPorts): AgentApp {
  const credentials = new ModelCredentials(ports.env)
  let sessions: AcpSessions | undefined
  ports.signal?.addEventListener('abort', () => sessions?.leave(), { once: true })
  const at: At = () => {
    if (!sessions) throw createInvalidParamsError('Send initialize first.')
    return sessions
  }
  const app = agent({ name: 'kedge' }).onRequest(
    methods.agent.initialize,
    initializeParamsParser,
    handle(({ params, client: context }) => {
      const client = readAcpClientAbilities(params)
      sessions?.leave()
      sessions = new AcpSessions({ ...ports, context, client, credentials })
      return initialized(client, credentials)
    }),
  )
  return onExtensions(onPrompts(onSessions(onCredentials(app, at), at), at), at)
}

/** Turns Kedge's errors into errors of the protocol. */
function handle<Context, Response>(work: (context: Context) => Response | Promise<Response>) {
  return async (context: Context): Promise<Response> => {
    try {
      return await work(context)
    } catch (error) {
      throw toRequestError(error)
    }
  }
}

function onCredentials(app: AgentApp, at: At): AgentApp {
  const { authenticate, logout, auth, providers } = methods.agent
  return app
    .onRequest(
      authenticate,
      handle(({ params }) => at().accounts.authenticate(params.methodId)),
    )
    .onRequest(
      logout,
      handle(() => at().accounts.logout()),
    )
    .onRequest(
      auth.status,
      handle(() => at().accounts.askAuthStatus()),
    )
    .onRequest(
      providers.list,
      handle(() => at().accounts.providers()),
    )
    .onRequest(
      providers.set,
      handle(({ params }) => at().accounts.setProvider(params)),
    )
    .onRequest(
      providers.disable,
      handle(({ params }) => at().accounts.disableProvider(params)),
    )
}

function onSessions(app: AgentApp, at: At): AgentApp {
  const { session } = methods.agent
  return app
    .onRequest(
      session.new,
      newSessionParamsParser,
      handle(({ params }) => at().create(params)),
    )
    .onRequest(
      session.load,
      loadSessionParamsParser,
      handle(({ params }) => at().load(params)),
    )
    .onRequest(
      session.resume,
      resumeSessionParamsParser,
      handle(({ params }) => at().resume(params)),
    )
    .onRequest(
      session.fork,
      forkSessionParamsParser,
      handle(({ params }) => at().fork(params)),
    )
    .onRequest(
      session.list,
      handle(({ params }) => at().list(params)),
    )
    .onRequest(
      session.delete,
      handle(({ params }) => at().delete(params.sessionId)),
    )
    .onRequest(
      session.close,
      handle(({ params }) => at().close(params.sessionId)),
    )
    .onRequest(
      session.archive,
      handle(({ params }) => at().archive(params.sessionId, true)),
    )
    .onRequest(
      session.unarchive,
      handle(({ params }) => at().archive(params.sessionId, false)),
    )
    .onRequest(
      session.status,
      handle(({ params }) => at().status(params.sessionId)),
    )
    .onRequest(
      session.setTitle,
      handle(({ params }) => at().setTitle(params.sessionId, params.title)),
    )
}

function onPrompts(app: AgentApp, at: At): AgentApp {
  const { session } = methods.agent
  return app
    .onRequest(
      session.setMode,
      handle(({ params }) => at().setMode(params.sessionId, params.modeId)),
    )
    .onRequest(
      session.setConfigOption,
      handle(({ params }) => at().setConfigOption(params)),
    )
    .onRequest(
      session.prompt,
      handle(({ params, signal }) => at().prompt(params, signal)),
    )
    .onNotification(session.cancel, ({ params }) => at().cancel(params.sessionId))
    .onNotification(methods.agent.mcp.message, ({ params }) => at().serverSays(params))
}

function onExtensions(app: AgentApp, at: At): AgentApp {
  return app
    .onRequest(
      '_session/steering',
      steerParamsParser,
      handle(({ params }) => at().steer(params)),
    )
    .onRequest(
      '_session/async_task/stop',
      stopTaskParamsParser,
      handle(({ params }) => at().stopTask(params)),
    )
    .onRequest(
      '_kedge/session/rewind',
      rewindParamsParser,
      handle(({ params }) => at().rewind(params)),
    )
    .onRequest(
      '_kedge/mcp/set_servers',
      setServersParamsParser,
      handle(({ params }) => at().setServers(params)),
    )
}

function initialized(client: AcpClientAbilities, credentials: ModelCredentials): InitializeResponse {
  return {
    protocolVersion: PROTOCOL,
    agentInfo: { name: 'kedge', title: 'Kedge', version: VERSION },
    authMethods: credentials.methods(client),
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true, acp: true },
      sessionCapabilities: {
        list: {},
        delete: {},
        resume: {},
        close: {},
        additionalDirectories: {},
        fork: {},
        archive: {},
        status: {},
        title: {},
        systemPrompt: { mode: { override: {} } },
      },
      auth: { logout: {}, status: {} },
      providers: {},
      _meta: {
        kedge: {
          rewind: { method: '_kedge/session/rewind' },
          setMcpServers: { method: '_kedge/mcp/set_servers' },
          liveOutput: true,
        },
        claudeCode: { promptQueueing: true },
      },
    },
    _meta: { steering: { supported: true } },
  }
}
