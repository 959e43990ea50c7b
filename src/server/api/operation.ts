/** One operation of the API: routing, checks, scopes and the OpenAPI document all come from such a row. */
import type { IncomingMessage } from 'node:http'
import type { Caller, TokenScope } from '../access/access-tokens.js'
import type { ServerContext } from '../server-context.js'
import { UUID_PATTERN } from './api-schemas.js'
import type { ApiJsonSchema, SchemaFields, TypedSchema, TypeOfSchemaFields } from './json-schemas.js'
import type { ProblemCode } from './problems.js'

export type OperationContext = { server: ServerContext; caller: Caller; request: IncomingMessage; requestId: string }
export type OperationInput = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }

type Answer = {
  status: 200 | 201 | 202 | 204
  /** Where it may also be that there is nothing to say. */
  orEmpty?: 202
  /** Schema of the body, if there is one; `type` if it isn't JSON. */
  json?: ApiJsonSchema
  type?: string
}

export type Operation = {
  id: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With `{names}`; `{session}` is checked for the caller before anything runs. */
  path: string
  summary: string
  tag: string
  /** `none`: it answers without a token, because what it says is the same for everyone. */
  scope: TokenScope | 'none'
  query: SchemaFields
  body: TypedSchema<unknown> | undefined
  /** The body is of this type, and read by `run` itself. */
  bodyType: string | undefined
  answer: Answer
  /** Beside those every operation may have. */
  problems: readonly ProblemCode[]
  /** Bytes; undefined: what the server allows. */
  maxBody: number | undefined
  /** Stays available while the server takes nothing new. */
  isFinal: boolean
  /** It looks at the disk of this machine, where sessions of a cluster have nothing. */
  isLocal: boolean
  run(input: OperationInput, context: OperationContext): Promise<unknown>
}

type Given<P extends string, Q extends SchemaFields, B> = Pick<
  Operation,
  'id' | 'method' | 'summary' | 'tag' | 'scope'
> & {
  path: P
  query?: Q
  body?: TypedSchema<B>
  bodyType?: string
  answer?: TypedSchema<unknown>
  status?: 200 | 201 | 202 | 204
  orEmpty?: 202
  type?: string
  problems?: readonly ProblemCode[]
  maxBody?: number
  isFinal?: boolean
  isLocal?: boolean
  run(
    input: { params: ParamsOf<P>; query: TypeOfSchemaFields<Q>; body: B },
    context: OperationContext,
  ): Promise<unknown>
}

type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & ParamsOf<Rest>
  : Record<never, never>

export function defineOperation<const P extends string, Q extends SchemaFields = Record<never, never>, B = undefined>(
  given: Given<P, Q, B>,
): Operation {
  const {
    query,
    body,
    bodyType,
    answer,
    orEmpty,
    type,
    problems = [],
    maxBody,
    isFinal = true,
    isLocal = false,
    run,
    ...same
  } = given
  const status = given.status ?? (answer || type ? 200 : 204)
  return {
    ...same,
    query: query ?? {},
    body,
    bodyType,
    answer: {
      status,
      ...(orEmpty ? { orEmpty } : {}),
      ...(answer ? { json: answer.json } : {}),
      ...(type ? { type } : {}),
    },
    problems: isLocal ? [...problems, 'not_on_cluster'] : problems,
    maxBody,
    isFinal,
    isLocal,
    // What comes in was checked against the schemas that these types are made from.
    run: (input, context) => run(input as { params: ParamsOf<P>; query: TypeOfSchemaFields<Q>; body: B }, context),
  }
}

/** Names in a path. */
export function listPathParamNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** A body that may be empty may be left out. */
export function needsBody({ body }: Operation): boolean {
  return (
    body !== undefined &&
    (body.json['required'] !== undefined || body.json['type'] !== 'object' || 'minProperties' in body.json)
  )
}

/** Returns the schema of a path parameter. */
export function createPathParameterSchema(name: string): ApiJsonSchema {
  if (name === 'session') return { type: 'string', pattern: UUID_PATTERN }
  return { type: 'string', minLength: 1, maxLength: 200 }
}
