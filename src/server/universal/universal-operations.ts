/** The universal API, under /universal: its paths and bodies, over the same hub. docs/server-clients.md has the table. */
import { randomUUID } from 'node:crypto'
import { PERMISSION_MODES } from '../../protocol/permission-modes.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Ask } from '../../protocol/session-log/ask-types.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { EFFORTS, freeObjectSchema, modelNameSchema, schemaRef, titleSchema } from '../api/api-schemas.js'
import { answerAsk } from '../api/ask-operations.js'
import {
  booleanSchema,
  choiceSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  objectSchema,
  optionalSchema,
  responseObjectSchema,
  textSchema,
} from '../api/json-schemas.js'
import { defineOperation, type Operation, type OperationContext } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'
import { addAttachmentsToPrompt, attachmentSchema } from '../api/prompt-operations.js'
import { checkCallerMaySetMode } from '../api/session-operations.js'
import { lastEventId, openEventReader, sseResponse } from '../events/event-streams.js'
import { personOfCaller } from '../server-context.js'
import { readUniversalAgentName, UNIVERSAL_AGENT_MODES, UNIVERSAL_AGENT_OPERATIONS } from './universal-agents.js'
import { toPermissionAnswer, toQuestionAnswer } from './universal-asks.js'
import { getUniversalSessionName, sessionIdForUniversalName } from './universal-names.js'

const tag = 'Universal'
const type = 'text/event-stream'
const NOT_FOUND = ['session_not_found', 'forbidden_session', 'session_in_use'] as const

const PERMISSIONS = ['bypass', ...PERMISSION_MODES] as const
const event = schemaRef('UniversalEvent')
const offset = optionalSchema(integerSchema({ minimum: 0, description: 'The last sequence number you received.' }))
const include_raw = optionalSchema(
  booleanSchema({ description: 'Whether to include the log entry behind each event.' }),
)
const message = objectSchema({
  message: longTextSchema({ minLength: 1 }),
  attachments: optionalSchema(listSchema(attachmentSchema, { maxItems: 50 })),
})

export const UNIVERSAL_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'universalGetHealth',
    method: 'get',
    path: '/universal/v1/health',
    tag,
    scope: 'read',
    summary: 'Returns whether the server is up.',
    answer: responseObjectSchema({ status: textSchema() }),
    run: async () => ({ status: 'ok' }),
  }),
  ...UNIVERSAL_AGENT_OPERATIONS,
  defineOperation({
    id: 'universalListSessions',
    method: 'get',
    path: '/universal/v1/sessions',
    tag,
    scope: 'read',
    summary: 'Lists the latest 500 sessions.',
    answer: responseObjectSchema({ sessions: listSchema(freeObjectSchema) }),
    async run(_, { server, caller }) {
      const { sessions } = await server.hub.list({ limit: 500, where: (info) => server.isFor(caller, info) })
      const rows = []
      for (const info of sessions) {
        const { id, cwd, mode = 'default', model: used, effort, status, lastActivity, title: given } = info
        const sessionId = getUniversalSessionName(info)
        const eventCount = await server.universal.count({ session: id, name: sessionId }, info.seq)
        rows.push({
          sessionId,
          nativeSessionId: id,
          agent: used === 'practice' ? 'mock' : 'claude',
          eventCount,
          agentMode: mode === 'plan' ? 'plan' : 'build',
          permissionMode: mode,
          model: used ?? null,
          variant: effort ?? null,
          ended: status === 'done' || status === 'error',
          title: given ?? null,
          directory: cwd,
          updatedAt: lastActivity,
        })
      }
      return { sessions: rows }
    },
  }),
  defineOperation({
    id: 'universalCreateSession',
    method: 'post',
    path: '/universal/v1/sessions/{name}',
    tag,
    scope: 'prompt',
    summary: 'Creates a session with your name for it.',
    isFinal: false,
    body: objectSchema({
      agent: textSchema({ minLength: 1, maxLength: 100 }),
      agentMode: optionalSchema(choiceSchema(UNIVERSAL_AGENT_MODES.map(({ id }) => id))),
      permissionMode: optionalSchema(choiceSchema(PERMISSIONS)),
      model: optionalSchema(modelNameSchema),
      variant: optionalSchema(choiceSchema(EFFORTS)),
      agentVersion: optionalSchema(textSchema({ description: 'No effect, because there is one version.' })),
      title: optionalSchema(titleSchema),
      directory: optionalSchema(
        textSchema({ minLength: 1, description: 'Default: the first `--root` of the server.' }),
      ),
    }),
    answer: responseObjectSchema({
      healthy: booleanSchema(),
      error: optionalSchema(freeObjectSchema),
      nativeSessionId: optionalSchema(textSchema()),
    }),
    problems: [...NOT_FOUND, 'unsupported_agent', 'invalid_folder', 'too_many_sessions', 'draining'],
    async run({ params: { name }, body }, { server, caller }) {
      if (caller.sessions) throw new HttpProblem('forbidden_session', 'The token is for sessions that exist.')
      const agent = readUniversalAgentName(body.agent)
      const mode = modeOf(body)
      checkCallerMaySetMode(caller, mode)
      const cwd = server.folder(body.directory ?? server.roots.first)
      await server.makeRoom()
      const wanted = agent === 'mock' ? 'practice' : body.model
      const info = await server.hub.create({
        id: sessionIdForUniversalName(name),
        cwd,
        title: body.title ?? name,
        ...(mode ? { mode } : {}),
        ...(wanted === undefined ? {} : { model: wanted }),
        ...(body.variant === undefined ? {} : { effort: body.variant }),
      })
      server.noteNew(info)
      return { healthy: true, nativeSessionId: info.id }
    },
  }),
  defineOperation({
    id: 'universalReadEvents',
    method: 'get',
    path: '/universal/v1/sessions/{name}/events',
    tag,
    scope: 'read',
    summary: 'Lists the events after an offset.',
    query: { offset, limit: optionalSchema(integerSchema({ minimum: 1, maximum: 10_000 })), include_raw },
    problems: NOT_FOUND,
    answer: responseObjectSchema({ events: listSchema(event), hasMore: booleanSchema() }),
    async run({ params, query: { offset: after = 0, limit = 1000, include_raw: raw = false } }, context) {
      const names = await at(params.name, context)
      return context.server.universal.page(names, after, limit, raw)
    },
  }),
  defineOperation({
    id: 'universalFollow',
    method: 'get',
    path: '/universal/v1/sessions/{name}/events/sse',
    tag,
    type,
    answer: event,
    scope: 'read',
    problems: [...NOT_FOUND, 'too_many_readers'],
    summary: 'Streams the events after an offset, then new ones.',
    query: { offset, include_raw },
    async run({ params, query: { offset: given = 0, include_raw: includeRaw = false } }, context) {
      const names = await at(params.name, context)
      return stream(names, { after: lastEventId(context.request) ?? given, includeRaw }, context)
    },
  }),
  defineOperation({
    id: 'universalSendMessage',
    method: 'post',
    path: '/universal/v1/sessions/{name}/messages',
    tag,
    scope: 'prompt',
    problems: [...NOT_FOUND, 'draining'],
    isFinal: false,
    body: message,
    summary: 'Sends a message. Its effects are events.',
    async run({ params, body }, context) {
      const { session } = await at(params.name, context)
      await prompt(session, body, context)
    },
  }),
  defineOperation({
    id: 'universalStreamMessage',
    method: 'post',
    path: '/universal/v1/sessions/{name}/messages/stream',
    tag,
    type,
    answer: event,
    scope: 'prompt',
    problems: [...NOT_FOUND, 'too_many_readers', 'draining'],
    isFinal: false,
    body: message,
    summary: 'Sends a message, and streams the events of its turn.',
    query: { include_raw },
    async run({ params, query: { include_raw: includeRaw = false }, body }, context) {
      const names = await at(params.name, context)
      const after = await context.server.universal.last(names)
      const id = randomUUID()
      const isLast = ({ kind, data }: LogItem) =>
        kind === 'prompt' && 'id' in data && data.id === id && data.change !== 'started'
      const response = await stream(names, { after, includeRaw, isLast }, context)
      await prompt(names.session, body, context, id)
      return response
    },
  }),
  defineOperation({
    id: 'universalReplyPermission',
    method: 'post',
    path: '/universal/v1/sessions/{name}/permissions/{ask}/reply',
    tag,
    scope: 'answer',
    summary: 'Answers a permission request.',
    body: objectSchema({ reply: choiceSchema(['once', 'always', 'reject']), message: optionalSchema(textSchema()) }),
    problems: [
      ...NOT_FOUND,
      'ask_not_found',
      'already_answered',
      'ask_withdrawn',
      'invalid_answer',
      'forbidden_update',
    ],
    async run({ params, body }, context) {
      const ask = await openAskOf(params, context)
      if (ask.kind !== 'permission')
        throw new HttpProblem('ask_not_found', `${params.ask} is a question, not a permission request.`)
      await answerAsk(ask, toPermissionAnswer(ask, body.reply, body.message), context)
    },
  }),
  defineOperation({
    id: 'universalReplyQuestion',
    method: 'post',
    path: '/universal/v1/sessions/{name}/questions/{ask}/reply',
    tag,
    scope: 'answer',
    summary: 'Answers questions, with a list of answers for each.',
    body: objectSchema({ answers: listSchema(listSchema(textSchema(), { maxItems: 50 }), { maxItems: 50 }) }),
    problems: [...NOT_FOUND, 'ask_not_found', 'already_answered', 'ask_withdrawn', 'invalid_answer'],
    async run({ params, body }, context) {
      const ask = await openAskOf(params, context)
      if (ask.kind === 'permission')
        throw new HttpProblem('ask_not_found', `${params.ask} is a permission request, not a question.`)
      await answerAsk(ask, toQuestionAnswer(ask, body.answers), context)
    },
  }),
  defineOperation({
    id: 'universalRejectQuestion',
    method: 'post',
    path: '/universal/v1/sessions/{name}/questions/{ask}/reject',
    tag,
    scope: 'answer',
    summary: 'Declines to answer questions.',
    problems: [...NOT_FOUND, 'ask_not_found', 'already_answered', 'ask_withdrawn'],
    async run({ params }, context) {
      await answerAsk(await openAskOf(params, context), { kind: 'deny' }, context)
    },
  }),
  defineOperation({
    id: 'universalTerminate',
    method: 'post',
    path: '/universal/v1/sessions/{name}/terminate',
    tag,
    scope: 'prompt',
    problems: NOT_FOUND,
    summary: 'Closes the session. The next message continues it.',
    async run({ params }, context) {
      const { session } = await at(params.name, context)
      await context.server.hub.close(session)
    },
  }),
]

function modeOf(given: {
  agentMode?: string
  permissionMode?: (typeof PERMISSIONS)[number]
}): PermissionMode | undefined {
  const { agentMode, permissionMode } = given
  if (permissionMode === 'bypass') return 'bypassPermissions'
  if (agentMode === 'plan' && (permissionMode ?? 'default') === 'default') return 'plan'
  return permissionMode
}

/** The session of a name, for this caller. */
async function at(name: string, { server, caller }: OperationContext) {
  const session = sessionIdForUniversalName(name)
  await server.use(caller, session)
  return { session, name }
}

type Following = { after: number; includeRaw: boolean; isLast?: (item: LogItem) => boolean }

async function stream(names: { session: string; name: string }, how: Following, { server, caller }: OperationContext) {
  const reader = await openEventReader(server, { caller, session: names.session, after: 0, deltas: true })
  return sseResponse(server, reader, server.universal.follow(names, { ...how, signal: reader.signal }))
}

type Message = { message: string; attachments?: { name: string; mediaType: string; data: string }[] }

async function prompt(
  session: string,
  given: Message,
  { server, caller }: OperationContext,
  id: string = randomUUID(),
) {
  const content = addAttachmentsToPrompt(given.message, given.attachments ?? [])
  await server.hub.send(session, { id, content, by: personOfCaller(caller) })
}

async function openAskOf(params: { name: string; ask: string }, context: OperationContext): Promise<Ask> {
  const { session } = await at(params.name, context)
  const ask = (await context.server.hub.asks({ session })).find(({ id }) => id === params.ask)
  if (!ask) throw new HttpProblem('ask_not_found', `This session has no open request ${params.ask}.`)
  return ask
}
