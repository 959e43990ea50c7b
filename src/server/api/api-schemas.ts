/** What the API sends and takes, as schemas. Requests have them in full; answers refer to them by name. */

import { PERMISSION_MODES } from '../../protocol/permission-modes.js'
import type { PermissionMode, PermissionUpdate } from '../../protocol/permission-types.js'
import type { AskAnswer } from '../../protocol/session-log/ask-types.js'
import {
  anyOfSchema,
  booleanSchema,
  choiceSchema,
  constSchema,
  listSchema,
  longTextSchema,
  nullableSchema,
  objectSchema,
  optionalSchema,
  recordSchema,
  type TypedSchema,
  textSchema,
  typedSchema,
} from './json-schemas.js'

export const SESSION_STATUSES = ['running', 'needs-you', 'idle', 'done', 'error'] as const
export const EFFORTS = ['low', 'medium', 'high', 'max'] as const
export const modeSchema = typedSchema<PermissionMode>({ type: 'string', enum: [...PERMISSION_MODES] })
export const effortSchema = choiceSchema(EFFORTS)
export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'
export const uuidSchema = textSchema({ pattern: UUID_PATTERN })
export const titleSchema = textSchema({ minLength: 1, maxLength: 500 })
export const modelNameSchema = textSchema({ minLength: 1, maxLength: 200 })
/** Ids of prompts and the like, made by callers. */
export const callerChosenIdSchema = textSchema({ minLength: 1, maxLength: 200 })
export const freeObjectSchema = typedSchema<Record<string, unknown>>({ type: 'object' })

const hash = optionalSchema(
  textSchema({ description: 'The hash of the input that the answer is about. A different input is rejected.' }),
)
const updates = typedSchema<PermissionUpdate[]>({
  type: 'array',
  items: { type: 'object', required: ['type', 'destination'] },
  maxItems: 100,
  description: "Rules to add: the `update` of the request's suggestions.",
})
const answerSchemas = [
  objectSchema({
    kind: constSchema('allow'),
    hash,
    input: optionalSchema(freeObjectSchema),
    updates: optionalSchema(updates),
  }),
  objectSchema({
    kind: constSchema('deny'),
    hash,
    message: optionalSchema(textSchema()),
    stop: optionalSchema(booleanSchema()),
  }),
  objectSchema({
    kind: constSchema('answers'),
    hash,
    answers: recordSchema(anyOfSchema(textSchema(), listSchema(textSchema(), { maxItems: 50 }))),
    notes: optionalSchema(recordSchema(textSchema())),
  }),
  objectSchema({
    kind: constSchema('approve'),
    hash,
    mode: optionalSchema(modeSchema),
    plan: optionalSchema(longTextSchema({ maxLength: 1_000_000 })),
  }),
  objectSchema({ kind: constSchema('revise'), hash, comments: textSchema() }),
  objectSchema({
    kind: constSchema('elicitation'),
    hash,
    action: choiceSchema(['accept', 'decline', 'cancel']),
    content: optionalSchema(freeObjectSchema),
  }),
  objectSchema({
    kind: constSchema('sign-in'),
    hash,
    action: choiceSchema(['start', 'finish', 'cancel']),
    method: optionalSchema(choiceSchema(['browser', 'device'])),
    callback: optionalSchema(textSchema({ maxLength: 20_000 })),
  }),
]
export const answerSchema: TypedSchema<AskAnswer> = typedSchema<AskAnswer>({
  anyOf: answerSchemas.map(({ json }) => json),
})

/** Refers to a schema of the API document by its name. */
export function schemaRef(name: string): TypedSchema<unknown> {
  return typedSchema<unknown>({ $ref: `#/components/schemas/${name}` })
}

export { nullableSchema }
