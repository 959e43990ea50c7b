/** Across sessions: look for what was said, take one from a file, and what is set for one, and by whom. */
import { requireLocalAgents } from '../../hub/sessions.js'
import { personOfCaller } from '../server-context.js'
import { schemaRef, uuidSchema } from './api-schemas.js'
import { importSession } from './import-session.js'
import {
  anySchema,
  booleanSchema,
  choiceSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  optionalSchema,
  responseObjectSchema,
  textSchema,
} from './json-schemas.js'
import { defineOperation, type Operation } from './operation.js'
import { effectiveSettings } from './settings-in-force.js'

const hit = responseObjectSchema({
  session: uuidSchema,
  title: optionalSchema(longTextSchema()),
  cwd: textSchema(),
  seq: integerSchema({ description: 'The number of the log entry.' }),
  message: textSchema({ description: 'The uuid of the message, or the id of the prompt.' }),
  role: choiceSchema(['user', 'assistant', 'tool']),
  at: textSchema(),
  snippet: longTextSchema(),
  start: integerSchema(),
  length: integerSchema(),
})

/** Maximum size of a whole import, as a multiple of `maxBody`. */
const WHOLE = 50

export const SEARCH_IMPORT_AND_SETTINGS_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listHits',
    method: 'get',
    path: '/v1/search',
    tag: 'Sessions',
    scope: 'read',
    summary: 'Searches all conversations, latest sessions first. Continue with `next`, even if a page has no hits.',
    query: {
      text: textSchema({ minLength: 1, maxLength: 200, description: 'Case is ignored.' }),
      session: optionalSchema(uuidSchema),
      cwd: optionalSchema(textSchema()),
      archived: optionalSchema(booleanSchema()),
      limit: optionalSchema(integerSchema({ minimum: 1, maximum: 100 })),
      cursor: optionalSchema(textSchema({ maxLength: 100, description: '`next` of the previous page.' })),
    },
    answer: responseObjectSchema({ hits: listSchema(hit), next: optionalSchema(textSchema()) }),
    run: ({ query }, { server, caller }) =>
      server.hub.search({ ...query, where: (info) => server.isFor(caller, info) }),
  }),
  defineOperation({
    id: 'importSession',
    isLocal: true,
    method: 'post',
    path: '/v1/sessions/import',
    tag: 'Sessions',
    scope: 'admin',
    summary: 'Imports a session from an `exportSession` file, under the same id.',
    isFinal: false,
    bodyType: 'application/x-ndjson',
    query: {
      cwd: optionalSchema(textSchema({ description: "The session's new folder. Default: the folder it had." })),
    },
    answer: schemaRef('Session'),
    status: 201,
    problems: ['invalid_import', 'invalid_folder', 'session_in_use', 'too_many_sessions', 'draining'],
    async run({ query }, { server, caller, request }) {
      await server.makeRoom()
      let importing: string | undefined
      try {
        const info = await importSession(request, {
          hub: server.hub,
          by: personOfCaller(caller),
          limits: { line: server.maxBody, whole: WHOLE * server.maxBody },
          async folderFor({ id, cwd }) {
            const folder = server.folder(query.cwd ?? cwd)
            await server.hub.mustBeFree(id)
            importing = id
            server.noteImported(id, Number.MAX_SAFE_INTEGER)
            return folder
          },
        })
        server.noteImported(info.id, info.seq)
        server.noteNew(info)
        return info
      } catch (error) {
        if (importing !== undefined) server.noteImported(importing, 0)
        throw error
      }
    },
  }),
  defineOperation({
    id: 'getSettings',
    isLocal: true,
    method: 'get',
    path: '/v1/sessions/{session}/settings',
    tag: 'Agent',
    scope: 'read',
    summary: "Lists the session's settings with their sources, strongest first.",
    answer: responseObjectSchema({
      settings: listSchema(
        responseObjectSchema({
          key: textSchema(),
          value: anySchema({ description: 'The value, as in a settings file.' }),
          from: listSchema(responseObjectSchema({ source: textSchema(), file: optionalSchema(textSchema()) })),
        }),
      ),
      layers: listSchema(
        responseObjectSchema({
          source: textSchema(),
          file: optionalSchema(textSchema()),
          keys: listSchema(textSchema()),
        }),
      ),
      problems: listSchema(
        responseObjectSchema({ severity: textSchema(), message: longTextSchema(), file: textSchema() }),
      ),
      isTrusted: booleanSchema(),
    }),
    run: async ({ params }, { server }) =>
      effectiveSettings(await server.hub.info(params.session), server.options, (cwd) =>
        requireLocalAgents(server.agents).folderTrust(cwd),
      ),
  }),
]
