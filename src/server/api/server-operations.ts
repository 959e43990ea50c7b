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
  responseObjectSchema,
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
      summary: "Returns the token's scopes and limits.",
      answer: responseObjectSchema({
        id: textSchema(),
        name: textSchema(),
        scopes: listSchema(textSchema()),
        sessions: optionalSchema(listSchema(textSchema())),
        folders: listSchema(textSchema({ description: 'The folders in which sessions can work.' })),
        isCluster: optionalSchema(
          booleanSchema({
            description:
              'Whether workers run the sessions. Operations that need their files or agents return `not_on_cluster`.',
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
      summary: "Exchanges the token for a cookie. The cookie works only with the web app's key.",
      body: objectSchema({
        key: textSchema({
          pattern: PAGE_KEY_PATTERN,
          description: 'A key that the web app creates, keeps, and sends with every request as X-Kedge-Key.',
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
      summary: 'Signs out: deletes the cookie.',
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
      summary: 'Lists answers, changes, and deletions with their authors, latest first.',
      query: { limit: optionalSchema(integerSchema({ minimum: 1, maximum: 1000 })) },
      answer: responseObjectSchema({ lines: listSchema(schemaRef('AuditLine')) }),
      run: async ({ query: { limit = 100 } }, { server }) => ({ lines: server.audit.latest(limit) }),
    }),
    defineOperation({
      id: 'getOpenApi',
      method: 'get',
      path: '/v1/openapi.json',
      tag,
      scope: 'none',
      summary: 'Returns this API as an OpenAPI 3.1 document. Needs no token.',
      answer: responseObjectSchema({ openapi: textSchema() }, { description: 'An OpenAPI 3.1 document.' }),
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
      summary: 'Shows this API as a page. Needs no token.',
      run: async () => new Response(docsPage(all()), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    }),
  ]
}
