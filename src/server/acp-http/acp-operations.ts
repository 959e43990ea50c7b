/**
 * The Agent Client Protocol over HTTP: one message a POST, answers with it, everything else as server-sent events. By the code of
 * `kedge acp`. A client can have programs started and credentials set, so it needs a token for everything.
 */
import { freeObjectSchema, schemaRef } from '../api/api-schemas.js'
import { choiceSchema, listSchema, optionalSchema, responseObjectSchema, typedSchema } from '../api/json-schemas.js'
import { defineOperation, type Operation, type OperationContext } from '../api/operation.js'
import { lastEventId, sseResponse } from '../events/event-streams.js'

const tag = 'ACP'
const envelope = typedSchema<Record<string, unknown>>({
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, id: {}, method: { type: 'string', minLength: 1, maxLength: 200 } },
  required: ['jsonrpc'],
})

const POST_PROBLEMS = [
  'connection_not_found',
  'too_many_connections',
  'session_not_found',
  'invalid_folder',
  'too_many_sessions',
  'request_timeout',
  'draining',
] as const

/** Under a prefix; clients of others look for it under theirs. */
export function acpOperations(prefix: string, idOf: (id: string) => string): Operation[] {
  return [
    defineOperation({
      id: idOf('listAcp'),
      method: 'get',
      path: `${prefix}/acp`,
      tag,
      scope: 'admin',
      summary: 'Lists connected clients.',
      answer: responseObjectSchema({ servers: listSchema(freeObjectSchema) }),
      run: async (_, { server }) => ({ servers: server.acp.list() }),
    }),
    defineOperation({
      id: idOf('postAcp'),
      method: 'post',
      path: `${prefix}/acp/{connection}`,
      tag,
      scope: 'admin',
      isFinal: false,
      summary: 'Sends a JSON-RPC message, `initialize` first. Returns 200 with the response, or 202 if there is none.',
      query: { agent: optionalSchema(choiceSchema(['claude', 'kedge', 'mock'])) },
      body: envelope,
      answer: schemaRef('JsonRpcMessage'),
      orEmpty: 202,
      problems: POST_PROBLEMS,
      async run({ params, query: { agent = 'claude' }, body }, { server, caller, request }) {
        const left = new AbortController()
        const { socket } = request
        const leave = () => left.abort()
        socket.once('close', leave)
        try {
          const answer = await server.acp.post(pathParam(params), agent, body, caller, left.signal)
          return answer ?? new Response(null, { status: 202 })
        } finally {
          socket.off('close', leave)
        }
      },
    }),
    defineOperation({
      id: idOf('followAcp'),
      method: 'get',
      path: `${prefix}/acp/{connection}`,
      tag,
      scope: 'admin',
      type: 'text/event-stream',
      answer: schemaRef('JsonRpcMessage'),
      summary:
        'Streams messages of the agent. To resume, send the last `id` as Last-Event-ID. Only the latest stream receives them.',
      problems: ['connection_not_found', 'after_unknown', 'too_many_readers'],
      run: async ({ params }, context) => follow(pathParam(params), context),
    }),
    defineOperation({
      id: idOf('removeAcp'),
      method: 'delete',
      path: `${prefix}/acp/{connection}`,
      tag,
      scope: 'admin',
      summary: 'Closes the connection and keeps its sessions.',
      run: async ({ params }, { server }) => server.acp.remove(pathParam(params)),
    }),
  ]
}

/** The prefix is not known to the types. */
function pathParam(params: Record<string, string>): string {
  return params['connection'] ?? ''
}

async function follow(id: string, { server, caller, request }: OperationContext): Promise<Response> {
  const after = lastEventId(request) ?? 0
  const connection = server.acp.at(id)
  connection.check(after)
  const reader = server.readers.open(caller, `acp ${id}`)
  return sseResponse(server, reader, connection.read(after, reader.signal))
}
