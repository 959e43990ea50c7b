/** What waits for a person: the inbox over all sessions, and answers. */

import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { checkTokenCoversAnswer } from '../access/answer-limits.js'
import { personOfCaller } from '../server-context.js'
import { answerSchema, schemaRef, uuidSchema } from './api-schemas.js'
import { integerSchema, listSchema, optionalSchema, responseObjectSchema, textSchema } from './json-schemas.js'
import { defineOperation, type Operation, type OperationContext } from './operation.js'
import { HttpProblem } from './problems.js'
import { checkCallerMaySetMode } from './session-operations.js'

const tag = 'Asks'

export const ASK_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listAsks',
    method: 'get',
    path: '/v1/asks',
    tag,
    scope: 'read',
    summary: 'Lists open requests of all sessions, oldest first, in pages.',
    query: {
      session: optionalSchema(uuidSchema),
      limit: optionalSchema(
        integerSchema({ minimum: 1, maximum: 500, description: 'Requests per page. Default: 200.' }),
      ),
      cursor: optionalSchema(textSchema({ maxLength: 200, description: '`next` of the previous page.' })),
    },
    answer: responseObjectSchema({ asks: listSchema(schemaRef('Ask')), next: optionalSchema(textSchema()) }),
    async run({ query }, { server, caller }) {
      if (query.session !== undefined) await server.use(caller, query.session)
      const among = caller.sessions ? { among: caller.sessions } : {}
      const { asks, ...more } = await server.hub.listAsks({ ...query, ...among })
      const seen = await Promise.all(asks.map((ask) => server.maySee(caller, ask.session)))
      return { asks: asks.filter((_, n) => seen[n]), ...more }
    },
  }),
  defineOperation({
    id: 'getAsk',
    method: 'get',
    path: '/v1/sessions/{session}/asks/{ask}',
    tag,
    scope: 'read',
    summary: 'Returns an open request.',
    answer: schemaRef('Ask'),
    problems: ['ask_not_found'],
    async run({ params }, { server }) {
      const ask = (await server.hub.asks({ session: params.session })).find(({ id }) => id === params.ask)
      if (!ask) throw new HttpProblem('ask_not_found', `This session has no open request ${params.ask}.`)
      return ask
    },
  }),
  defineOperation({
    id: 'answerAsk',
    method: 'post',
    path: '/v1/sessions/{session}/asks/{ask}/answer',
    tag,
    scope: 'answer',
    summary: 'Answers a request. The first answer wins; later ones get 409, and `by` names the person who answered.',
    body: answerSchema,
    problems: ['ask_not_found', 'already_answered', 'ask_withdrawn', 'invalid_answer', 'forbidden_update'],
    run: ({ params, body }, context) => answerAsk({ session: params.session, id: params.ask }, body, context),
  }),
]

/** Answers a request for a caller. Throws if the caller can't give this answer, or another person answered first. */
export async function answerAsk(
  { session, id }: Pick<Ask, 'session' | 'id'>,
  given: AskAnswer,
  { server, caller }: Pick<OperationContext, 'caller'> & { server: Pick<OperationContext['server'], 'hub'> },
): Promise<void> {
  for (const mode of modesIn(given)) checkCallerMaySetMode(caller, mode)
  const told = await server.hub.answer(session, id, given, personOfCaller(caller), (ask) =>
    checkTokenCoversAnswer(caller, ask, given),
  )
  if (told === 'accepted') return
  const by = told.already
  if (by === 'withdrawn') throw new HttpProblem('ask_withdrawn', 'The request was withdrawn before it was answered.')
  throw new HttpProblem('already_answered', `${by.name} answered this request first.`, { by })
}

/** An answer may change the mode for what follows. */
function modesIn(given: AskAnswer): PermissionMode[] {
  if (given.kind === 'approve') return given.mode ? [given.mode] : []
  if (given.kind !== 'allow') return []
  return (given.updates ?? []).flatMap((update) => (update.type === 'setMode' ? [update.mode] : []))
}
