/** The server itself: your identity, the audit log, the available operations. */

import { createPageKeyCookieHeader, PAGE_KEY_PATTERN, readPageKeyCookie } from '../access/page-keys.js'
import { schemaRef } from './api-schemas.js'
import { docsPage } from './docs-page.js'
import {
  booleanSchema,
  integerSchema,
  listSchema,
  objectSchema,
  optionalSchema,
  responseObject,
  textSchema,
} from './json-schemas.js'
import { defineOperation, type Operation } from './operation.js'
import { TOKEN_OPERATIONS } from './token-operations.js'

const tag = 'Server'

/** `all` returns the whole operation table, which these are part of. */
export function serverOperations(all: () => readonly Operation[]): Operation[] {
  return [
    defineOperation({
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
        sessions: optionalSchema(listSchema(textSchema())),
        folders: listSchema(textSchema({ description: 'Sessions work in these and below.' })),
        isCluster: optionalSchema(
          booleanSchema({
            description: 'Workers run the sessions: what needs their files or agents is `not_on_cluster`.',
          }),
        ),
      }),
      run: async (_, { server, caller }) => ({
        ...caller,
        folders: server.roots.all,
        ...(server.agents ? {} : { isCluster: true }),
      }),
    }),
    defineOperation({
      id: 'login',
      method: 'post',
      path: '/v1/login',
      tag,
      scope: 'read',
      summary: 'Exchanges the token for a cookie: for browsers. It is worth nothing without the key of the page.',
      body: objectSchema({
        key: textSchema({
          pattern: PAGE_KEY_PATTERN,
          description: 'The page makes it up, keeps it, and sends it with every request in the header X-Kedge-Key.',
        }),
      }),
      async run({ body: { key } }, { server, caller, request: { headers } }) {
        const { value, seconds } = server.tokens.makeCookie(caller, key)
        await server.tokens.saved()
        const cookie = createPageKeyCookieHeader(headers, value, seconds)
        return new Response(null, { status: 204, headers: { 'set-cookie': cookie } })
      },
    }),
    defineOperation({
      id: 'logout',
      method: 'post',
      path: '/v1/logout',
      tag,
      scope: 'read',
      summary: 'Forgets the cookie.',
      async run(_, { server, request }) {
        const value = readPageKeyCookie(request.headers)
        if (value !== undefined) server.tokens.dropCookie(value)
        await server.tokens.saved()
        const cookie = createPageKeyCookieHeader(request.headers, '', 0)
        return new Response(null, { status: 204, headers: { 'set-cookie': cookie } })
      },
    }),
    ...TOKEN_OPERATIONS,
    defineOperation({
      id: 'readAudit',
      method: 'get',
      path: '/v1/audit',
      tag,
      scope: 'admin',
      summary: 'Who answered, changed or deleted what, the latest first.',
      query: { limit: optionalSchema(integerSchema({ minimum: 1, maximum: 1000 })) },
      answer: responseObject({ lines: listSchema(schemaRef('AuditLine')) }),
      run: async ({ query: { limit = 100 } }, { server }) => ({ lines: server.audit.latest(limit) }),
    }),
    defineOperation({
      id: 'getOpenApi',
      method: 'get',
      path: '/v1/openapi.json',
      tag,
      scope: 'none',
      summary: 'This API, as an OpenAPI 3.1 document. Needs no token.',
      answer: responseObject({ openapi: textSchema() }, { description: 'An OpenAPI 3.1 document.' }),
      // It is large, and most callers never ask for it.
      run: async () => (await import('./open-api.js')).openApiDocument(all()),
    }),
    defineOperation({
      id: 'getDocs',
      method: 'get',
      path: '/v1/docs',
      tag,
      scope: 'none',
      type: 'text/html',
      summary: 'The same, to read. Needs no token.',
      run: async () => new Response(docsPage(all()), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    }),
  ]
}
