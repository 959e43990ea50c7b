/** What the API sends and takes, as schemas. Requests have them in full; answers refer to them by name. */
import type { AskAnswer } from '../../hub/ask-types.js'
import { PERMISSION_MODES } from '../../protocol/permission-modes.js'
import type { PermissionMode, PermissionUpdate } from '../../protocol/permission-types.js'
import {
  type ApiJsonSchema,
  anyOfSchema,
  anySchema,
  booleanSchema,
  choiceSchema,
  constSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  nullableSchema,
  numberSchema,
  objectSchema,
  optionalSchema,
  recordSchema,
  responseObject,
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

const hash = optionalSchema(textSchema({ description: 'Of the input the answer is about: another one is refused.' }))
const updates = typedSchema<PermissionUpdate[]>({
  type: 'array',
  items: { type: 'object', required: ['type', 'destination'] },
  maxItems: 100,
  description: 'Rules to keep: the `update` of suggestions of the ask.',
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
]
export const answerSchema: TypedSchema<AskAnswer> = typedSchema<AskAnswer>({
  anyOf: answerSchemas.map(({ json }) => json),
})

const person = responseObject({ name: textSchema(), interface: optionalSchema(textSchema()) })
const any = (description: string): TypedSchema<unknown> => anySchema({ description })
const when = textSchema({ format: 'date-time' })

const sessionJson = responseObject({
  id: uuidSchema,
  cwd: textSchema(),
  status: choiceSchema(SESSION_STATUSES),
  title: optionalSchema(longTextSchema()),
  mode: optionalSchema(modeSchema),
  model: optionalSchema(textSchema()),
  effort: optionalSchema(textSchema()),
  archived: booleanSchema(),
  costUsd: numberSchema(),
  lastActivity: numberSchema({ description: 'Milliseconds since 1970.' }),
  isOpen: booleanSchema(),
  seq: integerSchema({ description: 'Of the last entry in its log.' }),
  waiting: integerSchema(),
  asks: integerSchema(),
  error: optionalSchema(longTextSchema()),
})
const askJson = responseObject({
  id: textSchema(),
  session: uuidSchema,
  kind: choiceSchema(['permission', 'question', 'plan', 'elicitation']),
  agent: listSchema(textSchema()),
  asker: optionalSchema(
    responseObject({ type: textSchema(), name: optionalSchema(textSchema()), job: longTextSchema() }),
  ),
  tool: optionalSchema(
    responseObject({ name: textSchema(), input: freeObjectSchema, hash: textSchema(), useId: textSchema() }),
  ),
  elicitation: optionalSchema(freeObjectSchema),
  preview: optionalSchema(freeObjectSchema),
  why: responseObject({
    layer: textSchema(),
    text: longTextSchema(),
    rule: optionalSchema(longTextSchema()),
    source: optionalSchema(longTextSchema()),
  }),
  suggestions: listSchema(responseObject({ update: freeObjectSchema, rule: longTextSchema(), scope: textSchema() })),
  since: when,
})
const entryJson = responseObject({
  session: textSchema(),
  seq: integerSchema({ description: 'From 1, without gaps, in each session.' }),
  at: textSchema(),
  kind: choiceSchema(['message', 'ask', 'answered', 'withdrawn', 'prompt', 'state']),
  data: any('Of a message: the message of the agent as it is (schema/ of the package has them all).'),
  all: optionalSchema(integerSchema({ description: 'Only in the stream over all sessions: its number there.' })),
})
const promptJson = responseObject({
  id: textSchema(),
  content: any('A text, or blocks as the Messages API has them.'),
  when: choiceSchema(['queue', 'steer']),
  by: optionalSchema(person),
})

export const COMPONENTS: Record<string, ApiJsonSchema> = {
  Session: sessionJson.json,
  SessionPage: responseObject({
    sessions: listSchema(schemaRef('Session')),
    next: optionalSchema(textSchema()),
    last: integerSchema({ description: 'The stream over all sessions goes on after this number.' }),
  }).json,
  Ask: askJson.json,
  Entry: entryJson.json,
  Log: responseObject({ entries: listSchema(schemaRef('Entry')), last: integerSchema() }).json,
  Prompt: promptJson.json,
  Receipt: responseObject({ id: textSchema(), seq: integerSchema(), repeated: booleanSchema() }).json,
  Undone: responseObject({
    files: listSchema(textSchema()),
    insertions: integerSchema(),
    deletions: integerSchema(),
    messages: integerSchema(),
  }).json,
  Task: responseObject({
    id: textSchema(),
    type: optionalSchema(textSchema()),
    description: longTextSchema(),
    status: textSchema(),
    summary: optionalSchema(longTextSchema()),
    toolUseId: optionalSchema(textSchema()),
    since: textSchema(),
  }).json,
  Token: responseObject({
    id: textSchema(),
    name: textSchema(),
    scopes: listSchema(textSchema()),
    sessions: optionalSchema(listSchema(textSchema())),
    created: when,
    expires: optionalSchema(when),
  }).json,
  AuditLine: responseObject({
    at: when,
    token: textSchema(),
    name: textSchema(),
    operation: textSchema(),
    session: optionalSchema(textSchema()),
    what: optionalSchema(textSchema()),
    status: integerSchema(),
  }).json,
  Problem: responseObject({
    type: textSchema(),
    title: textSchema(),
    status: integerSchema(),
    detail: longTextSchema(),
    code: textSchema(),
    fix: longTextSchema(),
  }).json,
}

/** Refers to the schema of an answer by its name in `COMPONENTS`. */
export function schemaRef(name: string): TypedSchema<unknown> {
  return typedSchema<unknown>({ $ref: `#/components/schemas/${name}` })
}

export { nullableSchema }
