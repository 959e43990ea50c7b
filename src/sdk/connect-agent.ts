/** Which agent a query talks to: one behind the caller's transport, a program, or the one in this process. */
import { ConfigurationError } from '../errors.js'
import { toArgv } from '../protocol/option-table/to-argv.js'
import type { Options } from '../protocol/options.js'
import {
  type AgentConnection,
  type AgentConnectionKind,
  connectInProcess,
  type HostProcessDefaults,
  replaceConnectionChannel,
} from './agent-connection.js'
import { connectAgentLater } from './connect-later.js'
import { agentProcessEnvironment, planAgentProcess, startAgentProcess } from './start-agent-process.js'
import { checkTransportOptions } from './transport-options.js'

/** Throws at once what can be known to be wrong before anything has started. */
export function connectAgent(options: Options, caller: HostProcessDefaults): AgentConnection {
  if (options.transport !== undefined) return connectElsewhere(options.transport, options, caller)
  const plan = planAgentProcess(options, caller)
  if (plan && options.isolation === 'in-process') {
    throw new ConfigurationError(
      'isolation',
      "isolation 'in-process' can't be combined with an executable or a spawn function.",
    )
  }
  checkWorkspace(options.workspace, plan !== undefined)
  const { sessionStore: store } = options
  if (!store) return connectLocally(options, caller)
  if (plan && !plan.own) {
    throw new ConfigurationError(
      'sessionStore',
      "sessionStore needs Kedge's own agent: other programs can't be given a session.",
      'unsupported_option',
    )
  }
  const kind: AgentConnectionKind = plan ? { own: plan.own, kind: 'process' } : { own: true, kind: 'in-process' }
  const connect = (chosen: Options) => connectLocally(chosen, caller)
  return connectAgentLater(async (stop) => {
    const { connectWithStore } = await import('./session-store.js')
    return connectWithStore({ options, store, caller, connect, between: replaceConnectionChannel }, stop)
  }, kind)
}

function connectElsewhere(
  transport: NonNullable<Options['transport']>,
  options: Options,
  caller: HostProcessDefaults,
): AgentConnection {
  checkTransportOptions(options)
  const start = { args: toArgv(options), cwd: caller.cwd, env: agentProcessEnvironment(options, caller, false) }
  return connectAgentLater(
    async (abandoned) => {
      const { connectTransport } = await import('./connect-transport.js')
      return connectTransport(transport, start, abandoned)
    },
    { own: false, kind: 'transport' },
  )
}

function connectLocally(options: Options, caller: HostProcessDefaults): AgentConnection {
  const plan = planAgentProcess(options, caller)
  if (!plan) return connectInProcess(options, caller)
  return connectAgentLater(() => startAgentProcess(plan), { own: plan.own, kind: 'process' })
}

function checkWorkspace(workspace: unknown, isProcess: boolean): void {
  if (workspace === undefined) return
  if (typeof workspace !== 'function') {
    throw new ConfigurationError('workspace', 'workspace must be a function that returns a workspace.')
  }
  if (!isProcess) return
  throw new ConfigurationError(
    'workspace',
    "workspace needs an agent in this process: it can't be combined with isolation 'process', an executable or a spawn function.",
    'unsupported_option',
  )
}
