/** The server itself: your identity, the audit log, the available operations. */

import { cookieOf, PAGE_KEY, setCookie } from '../access/page-keys.js'
import { ref } from './api-schemas.js'
import { docsPage } from './docs-page.js'
import { flag, integer, listSchema, object, optional, responseObject, textSchema } from './json-schemas.js'
import { openApiOf } from './open-api.js'
import { type Operation, operation } from './operation.js'
import { TOKEN_OPERATIONS } from './token-operations.js'

const tag = 'Server'

/** `all` returns the whole operation table, which these are part of. */
export function serverOperations(all: () => readonly Operation[]): Operation[] {
  return [
    operation({
      id: 'whoAmI',
      method: 'get',
      path: '/v1/me',
      tag,
      scope: 'read',
      summary: 'What the token is good for.',
      answer: responseObject({
        id: textSchema(),
        name: textSchema(),
        scopes: listSchema(textSchema()),
        sessions: optional(listSchema(textSchema())),
        folders: listSchema(textSchema({ description: 'Sessions work in these and below.' })),
        isCluster: optional(
          flag({ description: 'Workers run the sessions: what needs their files or agents is `not_on_cluster`.' }),
        ),
      }),
      run: async (_, { server, caller }) => ({
        ...caller,
        folders: server.roots.all,
        ...(server.roots.areElsewhere ? { isCluster: true } : {}),
      }),
    }),
    operation({
      id: 'login',
      method: 'post',
      path: '/v1/login',
      tag,
      scope: 'read',
      summary: 'Exchanges the token for a cookie: for browsers. It is worth nothing without the key of the page.',
      body: object({
        key: textSchema({
          pattern: PAGE_KEY,
          description: 'The page makes it up, keeps it, and sends it with every request in the header X-Kedge-Key.',
        }),
      }),
      async run({ body: { key } }, { server, caller, request: { headers } }) {
        const { value, seconds } = server.tokens.makeCookie(caller, key)
        await server.tokens.saved()
        const cookie = setCookie(headers, value, seconds)
        return new Response(null, { status: 204, headers: { 'set-cookie': cookie } })
      },
    }),
    operation({
      id: 'logout',
      method: 'post',
      path: '/v1/logout',
      tag,
      scope: 'read',
      summary: 'Forgets the cookie.',
      async run(_, { server, request }) {
        const value = cookieOf(request.headers)
        if (value !== undefined) server.tokens.dropCookie(value)
        await server.tokens.saved()
        const cookie = setCookie(request.headers, '', 0)
        return new Response(null, { status: 204, headers: { 'set-cookie': cookie } })
      },
    }),
    ...TOKEN_OPERATIONS,
    operation({
      id: 'readAudit',
      method: 'get',
      path: '/v1/audit',
      tag,
      scope: 'admin',
      summary: 'Who answered, changed or deleted what, the latest first.',
      query: { limit: optional(integer({ minimum: 1, maximum: 1000 })) },
      answer: responseObject({ lines: listSchema(ref('AuditLine')) }),
      run: async ({ query: { limit = 100 } }, { server }) => ({ lines: server.audit.latest(limit) }),
    }),
    operation({
      id: 'getOpenApi',
      method: 'get',
      path: '/v1/openapi.json',
      tag,
      scope: 'read',
      summary: 'This API, as an OpenAPI 3.1 document.',
      answer: responseObject({}),
      run: async () => openApiOf(all()),
    }),
    operation({
      id: 'getDocs',
      method: 'get',
      path: '/v1/docs',
      tag,
      scope: 'read',
      type: 'text/html',
      summary: 'The same, to read.',
      run: async () => new Response(docsPage(all()), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    }),
  ]
}
