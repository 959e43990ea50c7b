/** Tokens for others: listed, made, and revoked. */

import { TOKEN_SCOPES } from '../access/access-tokens.js'
import { schemaRef, uuidSchema } from './api-schemas.js'
import {
  choiceSchema,
  integerSchema,
  listSchema,
  objectSchema,
  optionalSchema,
  responseObjectSchema,
  textSchema,
  typedSchema,
} from './json-schemas.js'
import { defineOperation, type Operation } from './operation.js'
import { HttpProblem } from './problems.js'

const tag = 'Server'

export const TOKEN_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listTokens',
    method: 'get',
    path: '/v1/tokens',
    tag,
    scope: 'admin',
    summary: 'Lists limited tokens, without their values.',
    answer: responseObjectSchema({ tokens: listSchema(schemaRef('Token')) }),
    run: async (_, { server }) => ({ tokens: server.tokens.list() }),
  }),
  defineOperation({
    id: 'createToken',
    method: 'post',
    path: '/v1/tokens',
    tag,
    scope: 'admin',
    summary:
      'Creates a limited token: some scopes, some sessions, for a limited time. Only this response contains its value.',
    body: objectSchema({
      name: textSchema({ minLength: 1, maxLength: 100 }),
      scopes: listSchema(choiceSchema(TOKEN_SCOPES), { minItems: 1, maxItems: TOKEN_SCOPES.length, uniqueItems: true }),
      sessions: optionalSchema(listSchema(uuidSchema, { minItems: 1, maxItems: 100 })),
      expiresInSeconds: optionalSchema(integerSchema({ minimum: 1, maximum: 366 * 24 * 60 * 60 })),
    }),
    answer: typedSchema({ allOf: [schemaRef('Token').json, responseObjectSchema({ token: textSchema() }).json] }),
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
  defineOperation({
    id: 'revokeToken',
    method: 'delete',
    path: '/v1/tokens/{token}',
    tag,
    scope: 'admin',
    summary: 'Revokes a token and ends its open streams.',
    problems: ['token_not_found'],
    async run({ params }, { server }) {
      if (!server.tokens.revoke(params.token)) throw new HttpProblem('token_not_found', 'There is no such token.')
      await server.tokens.saved()
      server.readers.cutOff(params.token)
      server.push.dropToken(params.token)
    },
  }),
]
