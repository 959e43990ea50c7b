/** What the API sends, as named schemas of its document. Types of the library are in `GENERATED_API_TYPE_SCHEMAS`. */
import { TOKEN_SCOPES } from '../access/access-tokens.js'
import { UNIVERSAL_OPENAPI_SCHEMAS } from '../universal/universal-schemas.js'
import { modeSchema, SESSION_STATUSES, schemaRef, uuidSchema } from './api-schemas.js'
import { GENERATED_API_TYPE_SCHEMAS } from './api-type-schemas.generated.js'
import {
  type ApiJsonSchema,
  anyOfSchema,
  booleanSchema,
  choiceSchema,
  constSchema,
  createUnionSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  numberSchema,
  optionalSchema,
  recordSchema,
  responseObjectSchema,
  textSchema,
  typedSchema,
} from './json-schemas.js'
import { PROBLEMS } from './problems.js'

const when = textSchema({ format: 'date-time' })
const someObject = typedSchema<Record<string, unknown>>({ type: 'object' })

/** Every kind of entry, and what its `data` is. */
const ENTRIES = {
  message: ['MessageEntry', 'SDKMessage', 'A message of the agent, as it is.'],
  ask: ['AskEntry', 'Ask', 'A request waits for an answer.'],
  answered: ['AnsweredEntry', 'RequestAnswer', 'A request was answered.'],
  withdrawn: ['WithdrawnEntry', 'RequestWithdrawal', 'A request no longer needs an answer; it counts as denied.'],
  prompt: ['PromptEntry', 'PromptChange', "A prompt's progress."],
  state: ['StateEntry', 'StateChange', 'A change of the session itself.'],
} as const

function createEntrySchemas(): Record<string, ApiJsonSchema> {
  return Object.fromEntries(
    Object.entries(ENTRIES).map(([kind, [name, data, description]]) => [
      name,
      responseObjectSchema(
        {
          session: uuidSchema,
          seq: integerSchema({ minimum: 1, description: "The entry's number in its session: from 1, without gaps." }),
          at: when,
          kind: constSchema(kind),
          data: schemaRef(data),
          all: optionalSchema(
            integerSchema({ description: "The entry's number in the stream over all sessions; only there." }),
          ),
        },
        { description },
      ).json,
    ]),
  )
}

const entryNames = Object.fromEntries(Object.entries(ENTRIES).map(([kind, [name]]) => [kind, name]))

const sessionJson = responseObjectSchema({
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
  seq: integerSchema({ description: 'The number of the last log entry.' }),
  waiting: integerSchema(),
  asks: integerSchema(),
  error: optionalSchema(longTextSchema()),
  lastTurn: optionalSchema(
    choiceSchema(['failed'], { description: '`failed`: the last turn ended with an error that no user caused.' }),
  ),
})

export const OPENAPI_SCHEMAS: Record<string, ApiJsonSchema> = {
  ...GENERATED_API_TYPE_SCHEMAS,
  ...UNIVERSAL_OPENAPI_SCHEMAS,
  ...createEntrySchemas(),
  Session: sessionJson.json,
  SessionPage: responseObjectSchema({
    sessions: listSchema(schemaRef('Session')),
    next: optionalSchema(textSchema()),
    last: integerSchema({ description: 'The stream over all sessions continues after this number.' }),
  }).json,
  RequestAnswer: responseObjectSchema({ ask: textSchema(), answer: schemaRef('AskAnswer'), by: schemaRef('Person') })
    .json,
  RequestWithdrawal: responseObjectSchema({ ask: textSchema(), reason: longTextSchema() }).json,
  Entry: createUnionSchema('kind', entryNames, 'One numbered item of a log. `kind` says what `data` is.'),
  Delta: responseObjectSchema(
    {
      session: uuidSchema,
      seq: integerSchema({ description: 'The number of the entry before it.' }),
      at: when,
      kind: constSchema('delta'),
      data: schemaRef('SdkDeltaMessage'),
    },
    { description: 'A piece of unfinished text or output. The finished content follows as an entry.' },
  ).json,
  LogItem: createUnionSchema(
    'kind',
    { ...entryNames, delta: 'Delta' },
    'The `data` of one server-sent event, as JSON: `event` is its `kind`, `id` its number. A delta has no `id`.',
  ),
  Log: responseObjectSchema({ entries: listSchema(schemaRef('Entry')), last: integerSchema() }).json,
  Receipt: responseObjectSchema({ id: textSchema(), seq: integerSchema(), repeated: booleanSchema() }).json,
  Undone: responseObjectSchema({
    files: listSchema(textSchema()),
    insertions: integerSchema(),
    deletions: integerSchema(),
    messages: integerSchema(),
  }).json,
  Change: responseObjectSchema({
    seq: integerSchema({ description: 'The number of the entry that reported it.' }),
    path: textSchema(),
    isNew: booleanSchema(),
    hunks: listSchema(schemaRef('Hunk')),
  }).json,
  Hunk: responseObjectSchema({
    oldStart: integerSchema(),
    oldLines: integerSchema(),
    newStart: integerSchema(),
    newLines: integerSchema(),
    lines: listSchema(longTextSchema(), { description: 'Each begins with a space, `+`, or `-`.' }),
  }).json,
  Task: responseObjectSchema({
    id: textSchema(),
    type: optionalSchema(textSchema()),
    description: longTextSchema(),
    status: textSchema(),
    summary: optionalSchema(longTextSchema()),
    toolUseId: optionalSchema(textSchema()),
    since: textSchema(),
  }).json,
  Token: responseObjectSchema({
    id: textSchema(),
    name: textSchema(),
    scopes: listSchema(choiceSchema(TOKEN_SCOPES)),
    sessions: optionalSchema(listSchema(textSchema())),
    created: when,
    expires: optionalSchema(when),
  }).json,
  AuditLine: responseObjectSchema({
    at: when,
    token: textSchema(),
    name: textSchema(),
    operation: textSchema(),
    session: optionalSchema(textSchema()),
    what: optionalSchema(textSchema()),
    status: integerSchema(),
  }).json,
  JsonRpcMessage: responseObjectSchema(
    {
      jsonrpc: constSchema('2.0'),
      id: optionalSchema(typedSchema<string | number | null>({ type: ['string', 'number', 'null'] })),
      method: optionalSchema(textSchema()),
      params: optionalSchema(someObject),
      result: optionalSchema(typedSchema<unknown>({ description: 'The result, as the method defines it.' })),
      error: optionalSchema(responseObjectSchema({ code: integerSchema(), message: longTextSchema() })),
    },
    { description: 'A message of the Agent Client Protocol: agentclientprotocol.com has them all.' },
  ).json,
  ExportLine: {
    description: 'One line of an exported session.',
    anyOf: [
      responseObjectSchema({ kedge: constSchema('session'), version: integerSchema(), session: schemaRef('Session') })
        .json,
      responseObjectSchema({ line: someObject, subpath: optionalSchema(textSchema()) }).json,
      responseObjectSchema({ entry: schemaRef('Entry') }).json,
      responseObjectSchema({ end: recordSchema(integerSchema()) }).json,
    ],
  },
  Problem: responseObjectSchema({
    type: textSchema(),
    title: textSchema(),
    status: integerSchema(),
    detail: longTextSchema(),
    // Clients must accept codes that are added later.
    code: anyOfSchema(choiceSchema(Object.keys(PROBLEMS)), textSchema()),
    fix: longTextSchema(),
    by: optionalSchema(schemaRef('Person')),
    reason: optionalSchema(longTextSchema({ description: 'Why a request was withdrawn.' })),
    last: optionalSchema(integerSchema({ description: 'With `after_unknown`: the last number of the log.' })),
    request: optionalSchema(textSchema({ description: 'The id of this HTTP request in the server log.' })),
  }).json,
}
