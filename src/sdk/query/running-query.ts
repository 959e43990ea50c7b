/** A running query: the handle its caller holds, put together from what reads, writes, answers and ends. */
import { KedgeError } from '../../errors.js'
import type { SDKControlInitializeResponse } from '../../protocol/control.js'
import { serversForInitialize } from '../../protocol/option-table/sdk-servers.js'
import type { Options } from '../../protocol/options.js'
import type { Query } from '../../protocol/query.js'
import type { AgentConnection } from '../agent-connection.js'
import { requireServersApplied } from '../mcp/server-delivery.js'
import type { QueryTrace } from '../telemetry/query-trace.js'
import { createTransportSetupRequests } from '../transport-options.js'
import { createInputEndTracker } from './agent-input.js'
import { createAgentOutput } from './agent-output.js'
import { controlMethods } from './control-methods.js'
import { createHostSide, type QueryHostSide } from './host-side.js'
import { initializeRequest } from './initialize.js'
import { createQueryInput, type QueryPrompt } from './query-input.js'
import { createQueryShutdown } from './query-shutdown.js'

export type QuerySetup = {
  connection: AgentConnection
  options: Options
  prompt: QueryPrompt | null
  trace?: QueryTrace | undefined
  /** These messages are for the trace only. */
  hides?: ((message: object) => boolean) | undefined
}

/** A query that was started without its prompt gets it with `give`. */
export type PromptableQuery = Query & { give(prompt: QueryPrompt): void }

export function createQuery({ connection, options, prompt, trace, hides }: QuerySetup): PromptableQuery {
  const { channel } = connection
  let mistake: Error | undefined
  const host: QueryHostSide = createHostSide({
    options,
    channel,
    sessionId: () => output.sessionId,
    onMistake(error) {
      mistake ??= error
      options.stderr?.(`${error.message}\n`)
    },
  })
  const { peer, mcp } = host
  const inputEnd = createInputEndTracker({
    reportsState: connection.own,
    hasCallbacks: host.hasCallbacks,
    openRequests: peer.openRequests,
    end: () => void endInput(),
    letGo: () => end.letGo(),
  })
  const output = createAgentOutput({ peer, input: inputEnd, trace, hides })
  const end = createQueryShutdown({
    connection,
    host,
    output,
    input: inputEnd,
    trace,
    abort: options.abortController?.signal,
    mistake: () => mistake,
  })
  const input = createQueryInput({
    channel,
    input: inputEnd,
    isClosing: () => end.isClosing,
    onMistake: (error) => (mistake ??= error),
  })

  /** Our agent is asked to end, so that SessionEnd hooks still reach us; others see the end of their stdin. */
  const endInput = async () => {
    const isOurs = connection.own || (connection.kind === 'transport' && output.isOurs)
    if (isOurs && host.hooks?.SessionEnd) await peer.request({ subtype: 'end_session' }).catch(() => {})
    channel.end()
  }

  const closed = end.untilClosed()
  // Ends are reported through the iterator; nobody has to listen here.
  closed.catch(() => {})
  const initialized = initialize(connection, options, host)
  // An answer of the agent is its own business; but a request that never left (it isn't JSON) means no hooks and no limits.
  initialized.catch((error) => error instanceof KedgeError || end.shutDown(error))
  if (trace) initialized.then(({ account }) => trace.served(account?.apiProvider)).catch(() => {})
  // One that is refused must not continue under other terms.
  for (const request of createTransportSetupRequests(options)) peer.request(request).catch(end.shutDown)
  const sendsServers = serversForInitialize(options) !== undefined
  if (sendsServers) initialized.then(requireServersApplied).catch(end.shutDown)
  const give = (given: QueryPrompt) => {
    // Another program might begin the turn without them; ours takes one after the other.
    if (!sendsServers || connection.own) input.give(given)
    else initialized.then(() => input.give(given)).catch(() => {})
  }
  if (prompt !== null && prompt !== undefined) give(prompt)

  /** A question of the caller wakes a reader that waits for unread messages to be taken: the answer may be behind them. */
  const requests = {
    request(request: object) {
      const answer = peer.request(request)
      output.wake()
      return answer
    },
  }
  const running: PromptableQuery = {
    give,
    ...controlMethods(requests, initialized, mcp, output, async () => initialize(connection, options, host)),
    get pid() {
      return connection.pid
    },
    closed: closed.then(() => {}),
    send: input.send,
    streamInput: input.stream,
    endInput: inputEnd.finish,
    compact: (instructions = '') => input.send(`/compact ${instructions}`.trim()),
    close: () => end.shutDown(),
    next: output.next,
    async return() {
      end.shutDown()
      return { value: undefined, done: true }
    },
    async throw(error) {
      end.shutDown()
      throw error
    },
    [Symbol.asyncIterator]() {
      return running
    },
    async [Symbol.asyncDispose]() {
      end.shutDown()
      await closed
    },
  }
  return running
}

async function initialize(
  { own }: AgentConnection,
  options: Options,
  { peer, mcp, hooks }: QueryHostSide,
): Promise<SDKControlInitializeResponse> {
  // Older agents shake hands with in-process servers in any case.
  const inProcess = { hooks, sdkMcpServers: mcp.names(), sdkMcpServerManifests: own ? mcp.manifests() : undefined }
  const answer: unknown = await peer.request(initializeRequest(options, { ...inProcess, own }))
  return answer as SDKControlInitializeResponse // the agent's answer has this shape by protocol
}
