/** Across sessions: look for what was said, take one from a file, and what is set for one, and by whom. */
import { personOf } from '../server-context.js'
import { freeObject, ref, uuid } from './api-schemas.js'
import { importFrom } from './import-session.js'
import {
  anything,
  choice,
  flag,
  integer,
  listSchema,
  longText,
  optional,
  responseObject,
  textSchema,
} from './json-schemas.js'
import { type Operation, operation } from './operation.js'
import { settingsInForce } from './settings-in-force.js'

const hit = responseObject({
  session: uuid,
  title: optional(longText()),
  cwd: textSchema(),
  seq: integer({ description: 'Of the entry in the log.' }),
  message: textSchema({ description: 'The uuid of the message, or the id of the prompt.' }),
  by: choice(['user', 'assistant', 'tool']),
  at: textSchema(),
  snippet: longText(),
  start: integer(),
  length: integer(),
})

/** Maximum size of a whole import, as a multiple of `maxBody`. */
const WHOLE = 50

export const FIND_OPERATIONS: Operation[] = [
  operation({
    id: 'listHits',
    method: 'get',
    path: '/v1/search',
    tag: 'Sessions',
    scope: 'read',
    summary:
      'Looks for a text in all that was said, the latest sessions first. Go on with `next`, also when no hits came.',
    query: {
      text: textSchema({ minLength: 1, maxLength: 200, description: 'Whatever its case.' }),
      session: optional(uuid),
      cwd: optional(textSchema()),
      archived: optional(flag()),
      limit: optional(integer({ minimum: 1, maximum: 100 })),
      cursor: optional(textSchema({ maxLength: 100, description: '`next` of the page before.' })),
    },
    answer: responseObject({ hits: listSchema(hit), next: optional(textSchema()) }),
    run: ({ query }, { server, caller }) =>
      server.hub.search({ ...query, where: (info) => server.isFor(caller, info) }),
  }),
  operation({
    id: 'importSession',
    isLocal: true,
    method: 'post',
    path: '/v1/sessions/import',
    tag: 'Sessions',
    scope: 'admin',
    summary: 'Takes a session from a file that `exportSession` gave, here or elsewhere, under its own id.',
    isFinal: false,
    bodyType: 'application/x-ndjson',
    query: { cwd: optional(textSchema({ description: 'The folder it is to work in here, if not the one it had.' })) },
    answer: ref('Session'),
    status: 201,
    problems: ['invalid_import', 'invalid_folder', 'session_in_use', 'too_many_sessions', 'draining'],
    async run({ query }, { server, caller, request }) {
      await server.makeRoom()
      let importing: string | undefined
      try {
        const info = await importFrom(request, {
          hub: server.hub,
          by: personOf(caller),
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
  operation({
    id: 'getSettings',
    isLocal: true,
    method: 'get',
    path: '/v1/sessions/{session}/settings',
    tag: 'Agent',
    scope: 'read',
    summary: 'The settings that apply, and where each comes from, what counts most first.',
    answer: responseObject({
      settings: listSchema(
        responseObject({
          key: textSchema(),
          value: anything(),
          from: listSchema(responseObject({ source: textSchema(), file: optional(textSchema()) })),
        }),
      ),
      layers: listSchema(
        responseObject({ source: textSchema(), file: optional(textSchema()), keys: listSchema(textSchema()) }),
      ),
      problems: listSchema(freeObject),
      isTrusted: flag(),
    }),
    run: async ({ params }, { server }) =>
      settingsInForce(await server.hub.info(params.session), server.options, (cwd) => server.hub.folderTrust(cwd)),
  }),
]
