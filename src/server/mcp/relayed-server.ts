/** A server of the official library in front of a server object: the library speaks every revision of the protocol, the object answers. */
import { type RequestStateCodec, Server, type ServerContext } from '@modelcontextprotocol/server'
import { isObject } from '../../protocol/json.js'
import { connectToInstance, type RequestListener, type ServedMcpServer } from './served-instance.js'

/** Requests that go on to the object; it decides which of them it knows. */
const TOOLS = ['tools/list', 'tools/call'] as const
const RESOURCES = ['resources/list', 'resources/templates/list', 'resources/read'] as const
const SUBSCRIPTIONS = ['resources/subscribe', 'resources/unsubscribe'] as const
const PROMPTS = ['prompts/list', 'prompts/get'] as const
/** Where handlers find what the client can do, whatever its revision. */
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
/** A person answers these. */
const ANSWER_MS = 24 * 60 * 60 * 1000

export type RelayOptions = {
  /** Seals what an object wants to have back with the next round: a client could change it. */
  states: RequestStateCodec<{ state: string }>
}

export async function createRelayedServer(served: ServedMcpServer, { states }: RelayOptions): Promise<Server> {
  let server: Server | undefined
  const link = await connectToInstance(served, ({ method, params }) => {
    if (method !== undefined) void server?.notification({ method, ...(params ? { params } : {}) }).catch(() => {})
  })
  const { serverInfo, capabilities, instructions } = link.greeting
  const offered: Record<string, unknown> = isObject(capabilities) ? capabilities : {}
  const info = isObject(serverInfo) ? serverInfo : {}
  const made = new Server(
    { name: String(info['name']), version: String(info['version']) },
    {
      capabilities: offered,
      ...(typeof instructions === 'string' ? { instructions } : {}),
      requestState: { verify: states.verify },
    },
  )
  server = made
  made.onclose = () => link.close()
  const relay = async (method: string, given: Record<string, unknown> | undefined, context: ServerContext) => {
    const { inputResponses, requestState } = context.mcpReq
    const sealed = requestState<{ state: string }>()
    const params = {
      ...given,
      _meta: { ...context.mcpReq._meta, [CAPABILITIES]: capabilitiesOf(context, made) },
      ...(inputResponses ? { inputResponses } : {}),
      ...(isObject(sealed) && typeof sealed.state === 'string' ? { requestState: sealed.state } : {}),
    }
    const result = await link.request(method, params, listenerOf(context))
    const { requestState: state } = result
    if (result['resultType'] !== 'input_required' || typeof state !== 'string') return result
    return { ...result, requestState: await states.mint({ state }, context) }
  }
  const methods = [
    ...('tools' in offered ? TOOLS : []),
    ...('resources' in offered ? RESOURCES : []),
    ...(isObject(offered['resources']) && offered['resources']['subscribe'] === true ? SUBSCRIPTIONS : []),
    ...('prompts' in offered ? PROMPTS : []),
    ...('completions' in offered ? (['completion/complete'] as const) : []),
  ]
  for (const method of methods)
    made.setRequestHandler(method, (request, context) => relay(method, { ...request.params }, context))
  return made
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

function capabilitiesOf({ mcpReq }: ServerContext, server: Server): object {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope }
  const declared = envelope[CAPABILITIES]
  return isObject(declared) ? declared : (server.getClientCapabilities() ?? {})
}

function listenerOf({ mcpReq }: ServerContext): RequestListener {
  return {
    signal: mcpReq.signal,
    notify({ method = '', params }) {
      if (method === 'notifications/message') {
        const level = LEVELS.find((known) => known === params?.['level']) ?? 'info'
        const { logger } = params ?? {}
        // Only what the client wants to have logged.
        void mcpReq.log(level, params?.['data'], typeof logger === 'string' ? logger : undefined).catch(() => {})
        return
      }
      // A client that is gone hears nothing any more.
      void mcpReq.notify({ method, ...(params ? { params } : {}) }).catch(() => {})
    },
    async ask(method, params) {
      const options = { timeout: ANSWER_MS, signal: mcpReq.signal }
      switch (method) {
        case 'elicitation/create':
        case 'sampling/createMessage':
        case 'roots/list':
          return { ...(await mcpReq.send({ method, ...(params ? { params } : {}) }, options)) }
        default:
          throw new Error(`A client can't be asked for ${method}.`)
      }
    },
  }
}
