/** Tokens for others: listed, made, and revoked. */

import { TOKEN_SCOPES } from '../access/access-tokens.js'
import { ref, uuid } from './api-schemas.js'
import { choice, given, integer, listSchema, object, optional, responseObject, textSchema } from './json-schemas.js'
import { type Operation, operation } from './operation.js'
import { HttpProblem } from './problems.js'

const tag = 'Server'

export const TOKEN_OPERATIONS: Operation[] = [
  operation({
    id: 'listTokens',
    method: 'get',
    path: '/v1/tokens',
    tag,
    scope: 'admin',
    summary: 'Tokens that were made for others. What they are is never told again.',
    answer: responseObject({ tokens: listSchema(ref('Token')) }),
    run: async (_, { server }) => ({ tokens: server.tokens.list() }),
  }),
  operation({
    id: 'createToken',
    method: 'post',
    path: '/v1/tokens',
    tag,
    scope: 'admin',
    summary: 'A token for somebody else, who may do less: some scopes, some sessions, for a while.',
    body: object({
      name: textSchema({ minLength: 1, maxLength: 100 }),
      scopes: listSchema(choice(TOKEN_SCOPES), { minItems: 1, maxItems: TOKEN_SCOPES.length, uniqueItems: true }),
      sessions: optional(listSchema(uuid, { minItems: 1, maxItems: 100 })),
      expiresInSeconds: optional(integer({ minimum: 1, maximum: 366 * 24 * 60 * 60 })),
    }),
    answer: given({ allOf: [ref('Token').json, responseObject({ token: textSchema() }).json] }),
    status: 201,
    async run({ body: { expiresInSeconds: seconds, ...wanted } }, { server }) {
      if (wanted.sessions && wanted.scopes.includes('admin'))
        throw new HttpProblem('invalid_request', 'A token for some sessions can not have the scope admin.')
      const expires = seconds === undefined ? {} : { expires: new Date(Date.now() + seconds * 1000).toISOString() }
      const made = server.tokens.make({ ...wanted, ...expires })
      await server.tokens.saved()
      if (!made) throw new HttpProblem('invalid_request', 'There are too many tokens: revoke some.')
      return made
    },
  }),
  operation({
    id: 'revokeToken',
    method: 'delete',
    path: '/v1/tokens/{token}',
    tag,
    scope: 'admin',
    summary: 'It is no good any more; streams that were opened with it end.',
    problems: ['token_not_found'],
    async run({ params }, { server }) {
      if (!server.tokens.revoke(params.token)) throw new HttpProblem('token_not_found', 'There is no such token.')
      await server.tokens.saved()
      server.readers.cutOff(params.token)
      server.push.dropToken(params.token)
    },
  }),
]
