/** The emitted JSON Schemas: up to date, whole, and true of the messages they describe. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  describeSchemaProblem,
  type SchemaDefinitions,
  type ValueSchema,
  validate,
} from '../../src/protocol/validate.js'
import { IS_ALL } from '../support/tier.js'

// This file runs from .build/test/contract.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

type SchemaFile = { $schema: string; $ref?: string; $defs: Record<string, ValueSchema> }

async function load(): Promise<Map<string, SchemaFile>> {
  const names = await readdir(`${root}schema`)
  const read = async (name: string): Promise<[string, SchemaFile]> => [
    name,
    JSON.parse(await readFile(`${root}schema/${name}`, 'utf8')),
  ]
  return new Map(await Promise.all(names.map(read)))
}

// `npm run check` does it, too.
if (IS_ALL)
  test('the committed schemas are those of the types', async () => {
    const { stderr } = await run(process.execPath, ['scripts/emit-schema.mjs', '--check'], { cwd: root })
    assert.equal(stderr, '')
  })

test('every reference leads somewhere, and every name is defined once', async () => {
  const files = await load()
  assert.deepEqual([...files.keys()].sort(), [
    'control.json',
    'hooks.json',
    'mcp.json',
    'messages.json',
    'options.json',
    'permissions.json',
    'settings.json',
    'tools.json',
    'transcript.json',
  ])
  const homes = new Map<string, string>()
  for (const [file, { $schema, $defs }] of files) {
    assert.equal($schema, 'https://json-schema.org/draft/2020-12/schema')
    for (const name of Object.keys($defs)) {
      assert.equal(homes.get(name), undefined, `${name} is in ${file} and in ${homes.get(name)}`)
      homes.set(name, file)
    }
  }
  for (const [file, schema] of files) {
    for (const [, target = '', name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]*)#\/\$defs\/([^"]+)"/g)) {
      assert.equal(homes.get(name), target || file, `${file} refers to ${target}#${name}`)
    }
  }
})

test('they use no keyword the validator does not know', async () => {
  const known = new Set([
    ...['$schema', 'title', 'description', 'deprecated', '$ref', '$defs'],
    ...[
      'type',
      'const',
      'enum',
      'anyOf',
      'properties',
      'required',
      'additionalProperties',
      'items',
      'minItems',
      'maxItems',
    ],
  ])
  // Notes for whoever reads the schemas of the tools; the tools check their inputs with schemas of their own.
  const notes = new Set(['default', 'minLength', 'minimum', 'maximum', 'exclusiveMinimum'])
  const unknown: string[] = []
  const visit = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [key, value] of Object.entries(schema)) {
      if (!known.has(key) && !(path.startsWith('tools.json') && notes.has(key))) unknown.push(`${path}/${key}`)
      else if (key === 'properties' || key === '$defs') {
        for (const [name, item] of Object.entries(value)) visit(item, `${path}/${name}`)
      } else if (key === 'anyOf') for (const item of value) visit(item, path)
      else if (key === 'items' || key === 'additionalProperties') visit(value, path)
    }
  }
  for (const [file, schema] of await load()) visit(schema, file)
  assert.deepEqual(unknown, [])
})

const uuid = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const envelope = { uuid, session_id: 's' }
const usage = {
  input_tokens: 3,
  output_tokens: 4,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  inference_geo: '',
  iterations: [],
  speed: 'standard',
}
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1, cache_creation_input_tokens: null, cache_read_input_tokens: 0 },
  context_management: null,
}
const result = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 5,
  duration_api_ms: 4,
  num_turns: 1,
  result: 'Hello.',
  stop_reason: null,
  total_cost_usd: 0.1,
  usage,
  modelUsage: {},
  permission_denials: [{ tool_name: 'Bash', tool_use_id: 't', tool_input: {} }],
  ...envelope,
}

const examples: [string, unknown][] = [
  ['SDKMessage', { type: 'assistant', message: answer, parent_tool_use_id: null, ...envelope }],
  ['SDKMessage', result],
  ['SDKMessage', { ...result, addedLater: 1 }],
  ['SDKMessage', { type: 'system', subtype: 'status', status: null, ...envelope }],
  ['SDKMessage', { type: 'stream_event', event: { type: 'message_stop' }, parent_tool_use_id: null, ...envelope }],
  [
    'StdinMessage',
    { type: 'user', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null, session_id: '' },
  ],
  [
    'StdinMessage',
    { type: 'control_request', request_id: '1', request: { subtype: 'initialize', systemPrompt: [''] } },
  ],
  [
    'StdoutMessage',
    { type: 'control_response', response: { subtype: 'error', request_id: '1', error: 'no', error_code: 'x' } },
  ],
  [
    'HookInput',
    {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      transcript_path: '/t',
      cwd: '/',
      tool_name: 'Bash',
      tool_input: {},
      tool_use_id: 't',
    },
  ],
  ['HookJSONOutput', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }],
  ['PermissionResult', { behavior: 'deny', message: 'no' }],
  [
    'Options',
    { model: 'sonnet', mcpServers: { a: { command: 'x' } }, tools: ['Read'], thinking: { type: 'adaptive' } },
  ],
  ['BashInput', { command: 'ls' }],
]

const counterexamples: [string, unknown, string][] = [
  [
    'SDKMessage',
    { ...result, usage: { ...usage, input_tokens: null } },
    'usage.input_tokens must be a number, got null',
  ],
  ['SDKMessage', { type: 'nonsense' }, 'expected an object of a known kind, got type "nonsense"'],
  ['PermissionResult', { behavior: 'deny' }, 'message must be a string, got nothing'],
  ['Options', { maxTurns: '5' }, 'maxTurns must be a number, got a string'],
  ['BashInput', {}, 'command must be a string, got nothing'],
]

test('messages of the protocol fit, broken ones do not', async () => {
  const definitions: SchemaDefinitions = Object.assign({}, ...[...(await load()).values()].map((file) => file.$defs))
  const problems = (name: string, value: unknown) =>
    validate(value, { $ref: `#/${name}` }, definitions).map(describeSchemaProblem)
  for (const [name, value] of examples) assert.deepEqual(problems(name, value), [], JSON.stringify(value))
  for (const [name, value, expected] of counterexamples) assert.deepEqual(problems(name, value).at(-1), expected)
})
