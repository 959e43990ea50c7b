/** Events of the universal API, as named schemas of the API document. */
import {
  type ApiJsonSchema,
  choiceSchema,
  constSchema,
  createUnionSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  nullableSchema,
  optionalSchema,
  responseObjectSchema,
  type SchemaFields,
  textSchema,
  typedSchema,
} from '../api/json-schemas.js'
import type { UniversalEventType } from './universal-events.js'

const item = responseObjectSchema({
  item_id: textSchema(),
  native_item_id: nullableSchema(textSchema()),
  parent_id: nullableSchema(textSchema()),
  kind: choiceSchema(['message', 'tool_call', 'tool_result', 'system', 'status']),
  role: choiceSchema(['user', 'assistant', 'system', 'tool']),
  status: choiceSchema(['in_progress', 'completed', 'failed']),
  content: listSchema(typedSchema({ $ref: '#/components/schemas/UniversalPart' })),
})
const itemRef = typedSchema({ $ref: '#/components/schemas/UniversalItem' })
const someObject = typedSchema<Record<string, unknown>>({ type: 'object' })
const started = { metadata: someObject }
const turn = { phase: choiceSchema(['started', 'ended']), turn_id: textSchema(), metadata: someObject }
const permission = { permission_id: textSchema(), action: textSchema(), status: textSchema(), metadata: someObject }
const question = {
  question_id: textSchema(),
  prompt: longTextSchema(),
  options: listSchema(textSchema()),
  status: textSchema(),
}

const DATA: Record<UniversalEventType, SchemaFields> = {
  'session.started': started,
  'session.ended': { reason: textSchema(), terminated_by: textSchema(), message: nullableSchema(longTextSchema()) },
  'turn.started': turn,
  'turn.ended': turn,
  'item.started': { item: itemRef },
  'item.delta': {
    item_id: textSchema(),
    native_item_id: nullableSchema(textSchema()),
    delta: longTextSchema(),
  },
  'item.completed': { item: itemRef },
  'permission.requested': permission,
  'permission.resolved': permission,
  'question.requested': question,
  'question.resolved': { ...question, response: nullableSchema(longTextSchema()) },
  error: { message: longTextSchema(), code: nullableSchema(textSchema()) },
}

const PARTS: readonly SchemaFields[] = [
  { type: constSchema('text'), text: longTextSchema() },
  { type: constSchema('json'), json: typedSchema({ description: 'Content without another form.' }) },
  { type: constSchema('tool_call'), name: textSchema(), arguments: longTextSchema(), call_id: textSchema() },
  { type: constSchema('tool_result'), call_id: textSchema(), output: longTextSchema() },
  {
    type: constSchema('file_ref'),
    path: textSchema(),
    action: choiceSchema(['read', 'write', 'patch']),
    diff: nullableSchema(longTextSchema()),
  },
  { type: constSchema('image'), path: longTextSchema(), mime: nullableSchema(textSchema()) },
  { type: constSchema('reasoning'), text: longTextSchema(), visibility: choiceSchema(['public', 'private']) },
  { type: constSchema('status'), label: textSchema(), detail: nullableSchema(longTextSchema()) },
]

/** The `data` of the log item that an event was made from. */
const RAW = ['SDKMessage', 'Ask', 'RequestAnswer', 'RequestWithdrawal', 'PromptChange', 'StateChange']

/** The name of the schema of one type of event: `UniversalItemDelta`. */
function schemaNameOf(type: string): string {
  return `Universal${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
}

function eventSchema(type: string, data: SchemaFields): ApiJsonSchema {
  return responseObjectSchema({
    event_id: textSchema(),
    sequence: integerSchema(),
    time: textSchema(),
    session_id: textSchema(),
    native_session_id: textSchema(),
    source: choiceSchema(['agent', 'daemon']),
    synthetic: typedSchema<boolean>({ type: 'boolean' }),
    type: constSchema(type),
    data: responseObjectSchema(data),
    raw: optionalSchema(typedSchema({ anyOf: RAW.map((name) => ({ $ref: `#/components/schemas/${name}` })) })),
  }).json
}

export const UNIVERSAL_OPENAPI_SCHEMAS: Record<string, ApiJsonSchema> = {
  UniversalPart: { anyOf: PARTS.map((fields) => responseObjectSchema(fields).json) },
  UniversalItem: item.json,
  ...Object.fromEntries(Object.entries(DATA).map(([type, data]) => [schemaNameOf(type), eventSchema(type, data)])),
  UniversalEvent: createUnionSchema(
    'type',
    Object.fromEntries(Object.keys(DATA).map((type) => [type, schemaNameOf(type)])),
    'One event of the universal API: the `data` of a server-sent event, as JSON.',
  ),
}
