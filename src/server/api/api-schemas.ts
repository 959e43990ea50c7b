/** What the API sends and takes, as schemas. Requests have them in full; answers refer to them by name. */
import type { AskAnswer } from '../../hub/ask-types.js'
import { PERMISSION_MODES } from '../../protocol/permission-modes.js'
import type { PermissionMode, PermissionUpdate } from '../../protocol/permission-types.js'
import {
  type ApiJsonSchema,
  anything,
  choice,
  exactly,
  flag,
  given,
  integer,
  listSchema,
  longText,
  nullable,
  number,
  object,
  oneOf,
  optional,
  recordSchema,
  responseObject,
  type TypedSchema,
  textSchema,
} from './json-schemas.js'

export const STATUSES = ['running', 'needs-you', 'idle', 'done', 'error'] as const
export const EFFORTS = ['low', 'medium', 'high', 'max'] as const
export const mode = given<PermissionMode>({ type: 'string', enum: [...PERMISSION_MODES] })
export const effort = choice(EFFORTS)
export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'
export const uuid = textSchema({ pattern: UUID_PATTERN })
export const title = textSchema({ minLength: 1, maxLength: 500 })
export const model = textSchema({ minLength: 1, maxLength: 200 })
/** Ids of prompts and the like, made by callers. */
export const ownId = textSchema({ minLength: 1, maxLength: 200 })
export const freeObject = given<Record<string, unknown>>({ type: 'object' })

const hash = optional(textSchema({ description: 'Of the input the answer is about: another one is refused.' }))
const updates = given<PermissionUpdate[]>({
  type: 'array',
  items: { type: 'object', required: ['type', 'destination'] },
  maxItems: 100,
  description: 'Rules to keep: the `update` of suggestions of the ask.',
})
const answerSchemas = [
  object({ kind: exactly('allow'), hash, input: optional(freeObject), updates: optional(updates) }),
  object({ kind: exactly('deny'), hash, message: optional(textSchema()), stop: optional(flag()) }),
  object({
    kind: exactly('answers'),
    hash,
    answers: recordSchema(oneOf(textSchema(), listSchema(textSchema(), { maxItems: 50 }))),
    notes: optional(recordSchema(textSchema())),
  }),
  object({ kind: exactly('approve'), hash, mode: optional(mode), plan: optional(longText({ maxLength: 1_000_000 })) }),
  object({ kind: exactly('revise'), hash, comments: textSchema() }),
  object({
    kind: exactly('elicitation'),
    hash,
    action: choice(['accept', 'decline', 'cancel']),
    content: optional(freeObject),
  }),
]
export const answer: TypedSchema<AskAnswer> = given<AskAnswer>({ anyOf: answerSchemas.map(({ json }) => json) })

const person = responseObject({ name: textSchema(), interface: optional(textSchema()) })
const any = (description: string): TypedSchema<unknown> => anything({ description })
const when = textSchema({ format: 'date-time' })

const sessionJson = responseObject({
  id: uuid,
  cwd: textSchema(),
  status: choice(STATUSES),
  title: optional(longText()),
  mode: optional(mode),
  model: optional(textSchema()),
  effort: optional(textSchema()),
  archived: flag(),
  costUsd: number(),
  lastActivity: number({ description: 'Milliseconds since 1970.' }),
  isOpen: flag(),
  seq: integer({ description: 'Of the last entry in its log.' }),
  waiting: integer(),
  asks: integer(),
  error: optional(longText()),
})
const askJson = responseObject({
  id: textSchema(),
  session: uuid,
  kind: choice(['permission', 'question', 'plan', 'elicitation']),
  agent: listSchema(textSchema()),
  asker: optional(responseObject({ type: textSchema(), name: optional(textSchema()), job: longText() })),
  tool: optional(responseObject({ name: textSchema(), input: freeObject, hash: textSchema(), useId: textSchema() })),
  elicitation: optional(freeObject),
  preview: optional(freeObject),
  why: responseObject({
    layer: textSchema(),
    text: longText(),
    rule: optional(longText()),
    source: optional(longText()),
  }),
  suggestions: listSchema(responseObject({ update: freeObject, rule: longText(), scope: textSchema() })),
  since: when,
})
const entryJson = responseObject({
  session: textSchema(),
  seq: integer({ description: 'From 1, without gaps, in each session.' }),
  at: textSchema(),
  kind: choice(['message', 'ask', 'answered', 'withdrawn', 'prompt', 'state']),
  data: any('Of a message: the message of the agent as it is (schema/ of the package has them all).'),
  all: optional(integer({ description: 'Only in the stream over all sessions: its number there.' })),
})
const promptJson = responseObject({
  id: textSchema(),
  content: any('A text, or blocks as the Messages API has them.'),
  when: choice(['queue', 'steer']),
  by: optional(person),
})

export const COMPONENTS: Record<string, ApiJsonSchema> = {
  Session: sessionJson.json,
  SessionPage: responseObject({
    sessions: listSchema(ref('Session')),
    next: optional(textSchema()),
    last: integer({ description: 'The stream over all sessions goes on after this number.' }),
  }).json,
  Ask: askJson.json,
  Entry: entryJson.json,
  Log: responseObject({ entries: listSchema(ref('Entry')), last: integer() }).json,
  Prompt: promptJson.json,
  Receipt: responseObject({ id: textSchema(), seq: integer(), repeated: flag() }).json,
  Undone: responseObject({
    files: listSchema(textSchema()),
    insertions: integer(),
    deletions: integer(),
    messages: integer(),
  }).json,
  Task: responseObject({
    id: textSchema(),
    type: optional(textSchema()),
    description: longText(),
    status: textSchema(),
    summary: optional(longText()),
    toolUseId: optional(textSchema()),
    since: textSchema(),
  }).json,
  Token: responseObject({
    id: textSchema(),
    name: textSchema(),
    scopes: listSchema(textSchema()),
    sessions: optional(listSchema(textSchema())),
    created: when,
    expires: optional(when),
  }).json,
  AuditLine: responseObject({
    at: when,
    token: textSchema(),
    name: textSchema(),
    operation: textSchema(),
    session: optional(textSchema()),
    what: optional(textSchema()),
    status: integer(),
  }).json,
  Problem: responseObject({
    type: textSchema(),
    title: textSchema(),
    status: integer(),
    detail: longText(),
    code: textSchema(),
    fix: longText(),
  }).json,
}

/** Refers to the schema of an answer by its name in `COMPONENTS`. */
export function ref(name: string): TypedSchema<unknown> {
  return given<unknown>({ $ref: `#/components/schemas/${name}` })
}

export { nullable }
