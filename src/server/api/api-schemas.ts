/** What the API sends and takes, as schemas. Requests have them in full; answers refer to them by name. */
import type { Answer } from '../../hub/ask-types.js'
import { PERMISSION_MODES } from '../../protocol/permission-modes.js'
import type { PermissionMode, PermissionUpdate } from '../../protocol/permission-types.js'
import {
  answerObject,
  anything,
  choice,
  exactly,
  flag,
  given,
  integer,
  type JsonSchema,
  list,
  longText,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type Schema,
  text,
} from './json-schemas.js'

export const STATUSES = ['running', 'needs-you', 'idle', 'done', 'error'] as const
export const EFFORTS = ['low', 'medium', 'high', 'max'] as const
export const mode = given<PermissionMode>({ type: 'string', enum: [...PERMISSION_MODES] })
export const effort = choice(EFFORTS)
export const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'
export const uuid = text({ pattern: UUID })
export const title = text({ minLength: 1, maxLength: 500 })
export const model = text({ minLength: 1, maxLength: 200 })
/** Of prompts and the like, made by callers. */
export const ownId = text({ minLength: 1, maxLength: 200 })
export const freeObject = given<Record<string, unknown>>({ type: 'object' })

const hash = optional(text({ description: 'Of the input the answer is about: another one is refused.' }))
const updates = given<PermissionUpdate[]>({
  type: 'array',
  items: { type: 'object', required: ['type', 'destination'] },
  maxItems: 100,
  description: 'Rules to keep: the `update` of suggestions of the ask.',
})
const answerSchemas = [
  object({ kind: exactly('allow'), hash, input: optional(freeObject), updates: optional(updates) }),
  object({ kind: exactly('deny'), hash, message: optional(text()), stop: optional(flag()) }),
  object({
    ...{ kind: exactly('answers'), hash },
    answers: record(oneOf(text(), list(text(), { maxItems: 50 }))),
    notes: optional(record(text())),
  }),
  object({ kind: exactly('approve'), hash, mode: optional(mode), plan: optional(longText({ maxLength: 1_000_000 })) }),
  object({ kind: exactly('revise'), hash, comments: text() }),
  object({
    ...{ kind: exactly('elicitation'), hash },
    action: choice(['accept', 'decline', 'cancel']),
    content: optional(freeObject),
  }),
]
export const answer: Schema<Answer> = given<Answer>({ anyOf: answerSchemas.map(({ json }) => json) })

const person = answerObject({ name: text(), face: optional(text()) })
const any = (description: string): Schema<unknown> => anything({ description })
const when = text({ format: 'date-time' })

const sessionJson = answerObject({
  id: uuid,
  cwd: text(),
  status: choice(STATUSES),
  title: optional(longText()),
  mode: optional(mode),
  model: optional(text()),
  effort: optional(text()),
  archived: flag(),
  costUsd: number(),
  lastActivity: number({ description: 'Milliseconds since 1970.' }),
  isOpen: flag(),
  seq: integer({ description: 'Of the last entry in its log.' }),
  waiting: integer(),
  asks: integer(),
  error: optional(longText()),
})
const askJson = answerObject({
  id: text(),
  session: uuid,
  kind: choice(['permission', 'question', 'plan', 'elicitation']),
  agent: list(text()),
  asker: optional(answerObject({ type: text(), name: optional(text()), job: longText() })),
  tool: optional(answerObject({ name: text(), input: freeObject, hash: text(), useId: text() })),
  elicitation: optional(freeObject),
  preview: optional(freeObject),
  why: answerObject({ layer: text(), text: longText(), rule: optional(longText()), source: optional(longText()) }),
  suggestions: list(answerObject({ update: freeObject, rule: longText(), scope: text() })),
  since: when,
})
const entryJson = answerObject({
  session: text(),
  seq: integer({ description: 'From 1, without gaps, in each session.' }),
  at: text(),
  kind: choice(['message', 'ask', 'answered', 'withdrawn', 'prompt', 'state']),
  data: any('Of a message: the message of the agent as it is (schema/ of the package has them all).'),
  all: optional(integer({ description: 'Only in the stream over all sessions: its number there.' })),
})
const promptJson = answerObject({
  id: text(),
  content: any('A text, or blocks as the Messages API has them.'),
  when: choice(['queue', 'steer']),
  by: optional(person),
})

export const COMPONENTS: Record<string, JsonSchema> = {
  Session: sessionJson.json,
  SessionPage: answerObject({
    sessions: list(ref('Session')),
    next: optional(text()),
    last: integer({ description: 'The stream over all sessions goes on after this number.' }),
  }).json,
  Ask: askJson.json,
  Entry: entryJson.json,
  Log: answerObject({ entries: list(ref('Entry')), last: integer() }).json,
  Prompt: promptJson.json,
  Receipt: answerObject({ id: text(), seq: integer(), repeated: flag() }).json,
  Undone: answerObject({ files: list(text()), insertions: integer(), deletions: integer(), messages: integer() }).json,
  Task: answerObject({
    ...{ id: text(), type: optional(text()), description: longText(), status: text() },
    ...{ summary: optional(longText()), toolUseId: optional(text()), since: text() },
  }).json,
  Token: answerObject({
    ...{ id: text(), name: text(), scopes: list(text()), sessions: optional(list(text())) },
    ...{ created: when, expires: optional(when) },
  }).json,
  AuditLine: answerObject({
    ...{ at: when, token: text(), name: text(), operation: text() },
    ...{ session: optional(text()), what: optional(text()), status: integer() },
  }).json,
  Problem: answerObject({
    ...{ type: text(), title: text(), status: integer(), detail: longText(), code: text(), fix: longText() },
  }).json,
}

/** Of an answer: one of `COMPONENTS`. */
export function ref(name: string): Schema<unknown> {
  return given<unknown>({ $ref: `#/components/schemas/${name}` })
}

export { nullable }
