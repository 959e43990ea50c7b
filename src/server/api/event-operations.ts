/** Events as server-sent events; the same paths take WebSockets. */

import { eventStreamResponse, lastEventId, openEventReader } from '../events/event-streams.js'
import { schemaRef } from './api-schemas.js'
import { booleanSchema, integerSchema, optionalSchema } from './json-schemas.js'
import { defineOperation, type Operation, type OperationContext } from './operation.js'

const tag = 'Events'
const type = 'text/event-stream'
const problems = ['after_unknown', 'too_many_readers'] as const
const after = optionalSchema(
  integerSchema({
    minimum: 0,
    description: 'The last number you received. The header Last-Event-ID overrides it.',
  }),
)

export const EVENT_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'followSession',
    method: 'get',
    path: '/v1/sessions/{session}/events',
    tag,
    scope: 'read',
    type,
    answer: schemaRef('LogItem'),
    problems,
    summary: "Streams all entries after a number, then new ones. `id` is the entry's number; deltas have none.",
    query: {
      after,
      deltas: optionalSchema(
        booleanSchema({ description: 'Whether to stream unfinished text and output. Default: true.' }),
      ),
    },
    run: ({ params, query }, context) =>
      follow({ session: params.session, after: query.after, deltas: query.deltas ?? true }, context),
  }),
  defineOperation({
    id: 'followAll',
    method: 'get',
    path: '/v1/events',
    tag,
    scope: 'read',
    type,
    answer: schemaRef('Entry'),
    problems,
    summary: 'Streams the entries of all sessions, with their own numbers and without deltas.',
    query: { after },
    run: ({ query }, context) => follow({ session: undefined, after: query.after, deltas: false }, context),
  }),
]

type Wanted = { session: string | undefined; after: number | undefined; deltas: boolean }

async function follow({ session, after: given = 0, deltas }: Wanted, { server, caller, request }: OperationContext) {
  const wanted = { caller, session, after: lastEventId(request) ?? given, deltas }
  return eventStreamResponse(server, wanted, await openEventReader(server, wanted))
}
