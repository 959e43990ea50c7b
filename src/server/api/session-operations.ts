/** Sessions: begin, find, change, copy, go back, end. */
import { rewindAsRequested } from '../../hub/rewind.js'
import type { Effort, SessionInfo } from '../../hub/session-types.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { type Caller, hasScope, type TokenScope } from '../access/access-tokens.js'
import { personOfCaller } from '../server-context.js'
import {
  EFFORTS,
  effortSchema,
  modelNameSchema,
  modeSchema,
  nullableSchema,
  SESSION_STATUSES,
  schemaRef,
  titleSchema,
  uuidSchema,
} from './api-schemas.js'
import {
  booleanSchema,
  choiceSchema,
  integerSchema,
  listSchema,
  objectSchema,
  optionalSchema,
  textSchema,
} from './json-schemas.js'
import { defineOperation, type Operation } from './operation.js'
import { HttpProblem } from './problems.js'

const tag = 'Sessions'

/** A mode that asks less is an answer given ahead. */
export function checkCallerMaySetMode(caller: Caller, wanted: PermissionMode | undefined): void {
  if (wanted === undefined || wanted === 'default' || wanted === 'plan') return
  const scope: TokenScope = wanted === 'bypassPermissions' ? 'admin' : 'answer'
  if (!hasScope(caller, scope)) throw new HttpProblem('forbidden_scope', `The mode ${wanted} needs the scope ${scope}.`)
}

export const SESSION_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listSessions',
    method: 'get',
    path: '/v1/sessions',
    tag,
    scope: 'read',
    summary: 'Lists sessions, last changed first.',
    query: {
      cwd: optionalSchema(textSchema({ description: 'Only sessions in this folder.' })),
      status: optionalSchema(
        listSchema(choiceSchema(SESSION_STATUSES), { description: 'Separate several with commas.' }),
      ),
      archived: optionalSchema(booleanSchema()),
      text: optionalSchema(textSchema({ description: 'A part of the title; case is ignored.' })),
      limit: optionalSchema(integerSchema({ minimum: 1, maximum: 500 })),
      cursor: optionalSchema(textSchema({ description: '`next` of the previous page.' })),
    },
    answer: schemaRef('SessionPage'),
    async run({ query }, { server, caller }) {
      // Read before the list, so a client that follows from there misses nothing.
      const last = await server.hub.last()
      return { ...(await server.hub.list({ ...query, where: (info) => server.isFor(caller, info) })), last }
    },
  }),
  defineOperation({
    id: 'createSession',
    method: 'post',
    path: '/v1/sessions',
    tag,
    scope: 'prompt',
    isFinal: false,
    summary: 'Creates a session. Nothing runs before its first prompt.',
    body: objectSchema({
      cwd: textSchema({
        minLength: 1,
        description: 'An absolute path inside a `--root` of the server.',
      }),
      id: optionalSchema(uuidSchema),
      title: optionalSchema(titleSchema),
      mode: optionalSchema(modeSchema),
      model: optionalSchema(modelNameSchema),
      effort: optionalSchema(effortSchema),
    }),
    answer: schemaRef('Session'),
    status: 201,
    problems: ['invalid_folder', 'session_in_use', 'too_many_sessions', 'draining'],
    async run({ body }, { server, caller }) {
      if (caller.sessions) throw new HttpProblem('forbidden_session', 'The token is for sessions that exist.')
      checkCallerMaySetMode(caller, body.mode)
      const cwd = server.folder(body.cwd)
      await server.makeRoom()
      const info = await server.hub.create({ ...body, cwd })
      server.noteNew(info)
      return info
    },
  }),
  defineOperation({
    id: 'getSession',
    method: 'get',
    path: '/v1/sessions/{session}',
    tag,
    scope: 'read',
    summary: 'Returns a session and its state.',
    answer: schemaRef('Session'),
    run: ({ params }, { server }) => server.hub.info(params.session),
  }),
  defineOperation({
    id: 'changeSession',
    method: 'patch',
    path: '/v1/sessions/{session}',
    tag,
    scope: 'prompt',
    summary: 'Changes the title, permission mode, model, effort, or archived state.',
    body: objectSchema(
      {
        title: optionalSchema(nullableSchema(titleSchema)),
        mode: optionalSchema(modeSchema),
        model: optionalSchema(modelNameSchema),
        effort: optionalSchema(choiceSchema(EFFORTS)),
        archived: optionalSchema(booleanSchema()),
      },
      { minProperties: 1 },
    ),
    answer: schemaRef('Session'),
    problems: ['refused_by_agent'],
    async run({ params, body }, { server, caller }): Promise<SessionInfo> {
      checkCallerMaySetMode(caller, body.mode)
      const change: typeof body & { effort?: Effort } = body
      return server.hub.change(params.session, { ...change, by: personOfCaller(caller) })
    },
  }),
  defineOperation({
    id: 'deleteSession',
    method: 'delete',
    path: '/v1/sessions/{session}',
    tag,
    scope: 'admin',
    summary: 'Deletes a session and its files.',
    async run({ params }, { server }) {
      await server.hub.delete(params.session)
      server.noteGone(params.session)
    },
  }),
  defineOperation({
    id: 'closeSession',
    method: 'post',
    path: '/v1/sessions/{session}/close',
    tag,
    scope: 'prompt',
    summary: 'Closes a session. It stays stored; the next prompt continues it.',
    async run({ params }, { server }) {
      await server.hub.close(params.session)
    },
  }),
  defineOperation({
    id: 'forkSession',
    method: 'post',
    path: '/v1/sessions/{session}/fork',
    tag,
    scope: 'prompt',
    isFinal: false,
    summary: 'Copies a session, whole or up to a message.',
    body: objectSchema({ message: optionalSchema(uuidSchema) }),
    answer: schemaRef('Session'),
    status: 201,
    problems: ['message_not_found', 'too_many_sessions', 'draining'],
    async run({ params, body }, { server, caller }) {
      if (caller.sessions) throw new HttpProblem('forbidden_session', 'The token is for sessions that exist.')
      await server.makeRoom()
      const info = await server.hub.fork(
        params.session,
        body.message === undefined ? undefined : { message: body.message },
      )
      server.noteNew(info)
      return info
    },
  }),
  defineOperation({
    id: 'rewindSession',
    method: 'post',
    path: '/v1/sessions/{session}/rewind',
    tag,
    scope: 'prompt',
    summary: 'Rewinds files, the conversation, or both to before a user message. `dryRun` only returns the changes.',
    body: objectSchema({
      message: uuidSchema,
      what: choiceSchema(['files', 'conversation', 'both']),
      dryRun: optionalSchema(booleanSchema()),
    }),
    answer: schemaRef('Undone'),
    problems: ['message_not_found', 'refused_by_agent', 'agent_failed'],
    run: ({ params, body }, { server }) => rewindAsRequested(server.hub, server.agents, params.session, body),
  }),
  defineOperation({
    id: 'resumeQueue',
    method: 'post',
    path: '/v1/sessions/{session}/resume',
    tag,
    scope: 'prompt',
    isFinal: false,
    summary: 'Continues prompts that wait since a restart or an error.',
    problems: ['draining'],
    run: ({ params }, { server }) => server.hub.resumeTurn(params.session),
  }),
]
