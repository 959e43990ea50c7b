/** The OpenAPI document, made from the same table as the routes. Pure. */
import { VERSION } from '../../platform/version.js'
import { type ApiExamples, OPENAPI_EXAMPLES } from './api-examples.js'
import type { ApiJsonSchema } from './json-schemas.js'
import { OPENAPI_SCHEMAS } from './openapi-schemas.js'
import { createPathParameterSchema, listPathParamNames, needsBody, type Operation } from './operation.js'
import { PROBLEMS, type ProblemCode } from './problems.js'

/** What every operation may answer, whatever it is. */
const COMMON: readonly ProblemCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden_scope',
  'forbidden_host',
  'too_many_failures',
  'internal',
]
const ABOUT_TOKENS: readonly ProblemCode[] = ['unauthorized', 'forbidden_scope', 'too_many_failures']
const OF_SESSIONS: readonly ProblemCode[] = ['session_not_found', 'forbidden_session', 'session_in_use']
const OF_BODIES: readonly ProblemCode[] = ['invalid_json', 'too_large', 'unsupported_media_type']

export function openApiDocument(operations: readonly Operation[]): ApiJsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = { ...path, [operation.method]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kedge server',
      version: VERSION,
      description: 'Agent sessions over HTTP. Errors are application/problem+json with a `code` and a `fix`.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [], key: [] }],
    paths,
    components: {
      schemas: OPENAPI_SCHEMAS,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'kedge_session',
          description:
            'For browsers. The name ends with _PORT if the address has a port, and begins with __Host- over TLS.',
        },
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Kedge-Key',
          description: 'The key that the web app sent when it signed in.',
        },
      },
    },
  }
}

function describe(operation: Operation): ApiJsonSchema {
  const { id, summary, tag, scope, path, query, body, bodyType, answer } = operation
  const { body: sent, answer: received } = OPENAPI_EXAMPLES[id] ?? {}
  const parameters = [
    ...listPathParamNames(path).map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: createPathParameterSchema(name),
    })),
    ...Object.entries(query).map(([name, { json, isOptional }]) => ({
      name,
      in: 'query',
      required: !isOptional,
      schema: json,
      ...(json['type'] === 'array' ? { style: 'form', explode: false } : {}),
    })),
  ]
  const type = answer.type ?? 'application/json'
  const content =
    answer.json || answer.type
      ? { content: { [type]: { schema: answer.json ?? { type: 'string' }, ...examplesOf(received) } } }
      : {}
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(scope === 'none' ? { security: [] } : { 'x-scope': scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(bodyType ? { requestBody: { required: true, content: { [bodyType]: { schema: { type: 'string' } } } } } : {}),
    ...(body ? { requestBody: { required: needsBody(operation), content: jsonContent(body.json, sent) } } : {}),
    responses: {
      [answer.status]: { description: summary, ...content },
      ...(answer.orEmpty ? { [answer.orEmpty]: { description: 'Accepted; there is no response body.' } } : {}),
      ...problemsOf(operation),
    },
  }
}

function jsonContent(schema: ApiJsonSchema, examples: ApiExamples | undefined): ApiJsonSchema {
  return { 'application/json': { schema, ...examplesOf(examples) } }
}

function examplesOf(examples: ApiExamples | undefined): { examples?: ApiJsonSchema } {
  if (!examples) return {}
  return { examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) }
}

/** By status: several codes may share one. */
function problemsOf({ path, body, bodyType, problems, scope }: Operation): ApiJsonSchema {
  const codes = [
    ...COMMON.filter((code) => scope !== 'none' || !ABOUT_TOKENS.includes(code)),
    ...(path.includes('{session}') ? OF_SESSIONS : []),
    ...(body || bodyType ? OF_BODIES : []),
    ...problems,
  ]
  const responses: Record<string, { description: string; content: unknown }> = {}
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  for (const code of new Set(codes)) {
    const [status] = PROBLEMS[code]
    const known = responses[status]
    responses[status] = { description: known ? `${known.description}, ${code}` : code, content }
  }
  return responses
}
