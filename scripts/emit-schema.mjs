// Derives the JSON Schemas in schema/ and the control-request validator's data from the types in src/protocol.
// `--check` writes nothing and fails when the committed files differ from what the types say.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import generatorModule from 'ts-json-schema-generator'
import ts from './typescript.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const draft = 'https://json-schema.org/draft/2020-12/schema'

/** Schema file → the modules whose types it holds, and the type it describes when read as a whole. */
const files = {
  'messages.json': {
    modules: ['content', 'messages'],
    main: 'SDKMessage',
    about: 'Messages an agent sends to its host.',
  },
  'control.json': {
    modules: ['control', 'requests/session-requests', 'requests/session-answers'],
    about: 'The control protocol, and everything that may come on stdin and stdout.',
  },
  'hooks.json': { modules: ['hooks'], about: 'What hooks are told and what they may answer.' },
  'permissions.json': { modules: ['permission-types'], about: 'Permission modes, rules, updates and answers.' },
  'mcp.json': { modules: ['mcp-servers'], about: 'MCP server configurations, their status, and tool results.' },
  'options.json': {
    modules: ['options', 'schema-roots'],
    main: 'Options',
    about: 'Options of query() that are plain data.',
  },
  'transcript.json': {
    modules: ['transcript', 'stored-sessions'],
    main: 'TranscriptLine',
    about: 'Lines of a session file, and lists of sessions.',
  },
  'tools.json': { modules: [], about: 'Inputs and outputs of the built-in tools.' },
}
/** The types that answers and streams of the server are made of; what they refer to comes along. */
const serverTypes = {
  'src/protocol/session-log/ask-types.ts': ['Ask', 'AskAnswer', 'Person'],
  'src/protocol/session-log/entries.ts': ['PromptChange', 'SdkDeltaMessage', 'StateChange'],
  'src/protocol/session-log/prompt-types.ts': ['Prompt'],
  'src/protocol/control.ts': ['SDKControlGetContextUsageResponse'],
  'src/protocol/mcp-servers.ts': ['McpServerStatus'],
  'src/protocol/messages.ts': ['SDKMessage'],
  'src/protocol/options.ts': ['AgentInfo', 'ModelInfo', 'SlashCommand'],
  'src/protocol/permission-types.ts': ['PermissionExplanation'],
  'src/protocol/stored-sessions.ts': ['SessionMessage'],
}
/** Types that hold functions or live objects: no JSON can be one. */
const notJson = new Set([
  ...[
    'Options',
    'CanUseTool',
    'HookCallback',
    'HookCallbackMatcher',
    'SessionStore',
    'SessionLeases',
    'McpServerInstance',
  ],
  ...[
    'GetMcpToken',
    'McpSdkServerConfigWithInstance',
    'McpServerConfig',
    'OnElicitation',
    'OnMcpSignIn',
    'OnUserDialog',
  ],
])
/** What these take is a `SessionStore` or a page of a list, not data that travels. */
const isFunctionOptions = (name) => /^(List|Get|Fork)\w+Options$|^Session(Lookup|Mutation)Options$/.test(name)

export async function emitSchemas() {
  const program = createProgram()
  const homes = typeHomes(program)
  const generator = generatorModule.createGenerator({
    tsProgram: program,
    expose: 'export',
    jsDoc: 'extended',
    functions: 'hide',
    additionalProperties: true,
    encodeRefs: false,
    sortProps: false,
  })
  const { definitions } = generator.createSchema([...homes.keys()].filter((name) => name !== 'SDKControlRequest'))
  const { definitions: sent } = generator.createSchema(Object.values(serverTypes).flat())
  const homeOf = (name) => homes.get(name) ?? (name.startsWith('SDKControlRequest<') ? 'control.json' : 'tools.json')
  const outputs = new Map()
  for (const [file, { main, about }] of Object.entries(files)) {
    const names = Object.keys(definitions).filter((name) => homeOf(name) === file)
    const defs = names.map((name) => [
      publicName(name),
      tidy(definitions[name], name, (target) => refFrom(file, homeOf, target)),
    ])
    defs.sort(([a], [b]) => (a < b ? -1 : 1))
    const whole = main ? { $ref: `#/$defs/${main}` } : {}
    const schema = {
      $schema: draft,
      title: `kedge ${basename(file, '.json')}`,
      description: about,
      ...whole,
      $defs: Object.fromEntries(defs),
    }
    outputs.set(`schema/${file}`, `${JSON.stringify(schema, null, 2)}\n`)
  }
  outputs.set('schema/settings.json', await settingsSchema())
  outputs.set('src/protocol/control-schema.generated.ts', controlModule(definitions))
  outputs.set('src/server/api/api-type-schemas.generated.ts', serverModule(sent))
  return outputs
}

/** Settings are described by a table of their own, which is code. */
async function settingsSchema() {
  const entry = join(root, 'src/settings/keys/json-schema.ts')
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false })
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
  const schema = {
    $schema: draft,
    title: 'kedge settings',
    description: 'Settings files.',
    $ref: '#/$defs/Settings',
    $defs: module.settingsSchemas(),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function createProgram() {
  const names = Object.values(files).flatMap((file) => file.modules)
  const paths = names.map((name) => join(root, 'src/protocol', `${name}.ts`))
  const ofServer = Object.keys(serverTypes).map((path) => join(root, path))
  return ts.createProgram([...new Set([...paths, ...ofServer, join(root, 'src/sdk-tools.ts')])], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
  })
}

/** Name of every exported type that JSON can be → the schema file it belongs to. */
function typeHomes(program) {
  const checker = program.getTypeChecker()
  const homes = new Map()
  const add = (path, file) => {
    const source = program.getSourceFile(join(root, path))
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const isType = target.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface)
      if (isType && !notJson.has(symbol.name) && !isFunctionOptions(symbol.name)) homes.set(symbol.name, file)
    }
  }
  for (const [file, { modules }] of Object.entries(files)) {
    for (const name of modules) add(`src/protocol/${name}.ts`, file)
  }
  add('src/sdk-tools.ts', 'tools.json')
  return homes
}

function publicName(name) {
  if (name === 'PlainDataOptions') return 'Options'
  return name.replace(/^SDKControlRequest<(\w+)Request>$/, '$1ControlRequest')
}

function refFrom(file, homeOf, target) {
  const home = homeOf(target)
  return `${home === file ? '' : home}#/$defs/${publicName(target)}`
}

/** Rewrites references, orders `required` like the properties, and refuses what the generator could not express. */
function tidy(schema, name, ref) {
  if (Array.isArray(schema)) return schema.map((item) => tidy(item, name, ref))
  if (typeof schema !== 'object' || schema === null) return schema
  // JSON has no undefined: `string | undefined` is a string, or absent.
  if (schema.anyOf?.some(isUndefined)) {
    const { anyOf, ...rest } = schema
    const left = anyOf.filter((branch) => !isUndefined(branch))
    return tidy(left.length === 1 ? { ...left[0], ...rest } : { anyOf: left, ...rest }, name, ref)
  }
  const { required, ...rest } = schema
  const isEmptyObject = schema.type === 'object' && Object.keys(schema.properties ?? { any: true }).length === 0
  if (isEmptyObject || schema.allOf || schema.not || Array.isArray(schema.items)) {
    throw new Error(`The type ${name} has no plain schema: ${JSON.stringify(schema)}. Spell it out.`)
  }
  const tidied = {}
  for (const [key, value] of Object.entries(rest)) {
    if (key === '$ref') tidied.$ref = ref(value.replace('#/definitions/', ''))
    else if (key === 'properties') {
      tidied.properties = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, tidy(v, name, ref)]))
    } else if (key === 'enum' || key === 'const' || key === 'default') tidied[key] = value
    else tidied[key] = tidy(value, name, ref)
  }
  if (required) tidied.required = Object.keys(schema.properties).filter((key) => required.includes(key))
  return tidied
}

function isUndefined(schema) {
  return schema.not !== undefined && Object.keys(schema.not).length === 0
}

/** The part of control.json that the validator needs at run time, without descriptions. */
function controlModule(definitions) {
  const bare = (name) => withoutDescriptions(tidy(definitions[name], name, (target) => `#/${target}`))
  const requests = {}
  const needed = new Set()
  const membersOf = (name) =>
    definitions[name].anyOf?.flatMap(({ $ref }) => membersOf($ref.replace('#/definitions/', ''))) ?? [name]
  for (const name of membersOf('HostToAgentRequest')) {
    const schema = bare(name)
    requests[schema.properties.subtype.const] = schema
    collect(schema)
  }
  function collect(schema) {
    for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"#\/(\w+)"/g)) {
      if (needed.has(name)) continue
      needed.add(name)
      collect(bare(name))
    }
  }
  const defs = Object.fromEntries([...needed].sort().map((name) => [name, bare(name)]))
  const lines = (object) =>
    Object.entries(object)
      .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
      .join('')
  return [
    '// Generated by scripts/emit-schema.mjs from control.ts: the requests a host may send, by subtype. Do not edit.\n',
    `export const CONTROL_REQUEST_SCHEMAS = {\n${lines(requests)}}\n`,
    `export const CONTROL_SCHEMA_DEFINITIONS = {\n${lines(defs)}}\n`,
  ].join('\n')
}

/** Components of the API document, as far as types of the library say what they are. */
function serverModule(definitions) {
  const found = new Map()
  const collect = (name) => {
    if (found.has(name)) return
    const schema = tidy(definitions[name], name, (target) => `#/components/schemas/${target}`)
    found.set(name, schema)
    for (const [, other] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      collect(other)
  }
  for (const name of Object.values(serverTypes).flat()) collect(name)
  const lines = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `  ${JSON.stringify(name)}: ${JSON.stringify(schema)},\n`)
  return [
    '// Generated by scripts/emit-schema.mjs from types of the library that the server sends. Do not edit.\n',
    `export const GENERATED_API_TYPE_SCHEMAS: Record<string, Record<string, unknown>> = {\n${lines.join('')}}\n`,
  ].join('\n')
}

function withoutDescriptions(schema) {
  const isNote = (key, value) => (key === 'description' || key === 'deprecated') && typeof value !== 'object'
  return JSON.parse(JSON.stringify(schema, (key, value) => (isNote(key, value) ? undefined : value)))
}

async function main() {
  const outputs = await emitSchemas()
  const drift = []
  for (const [path, text] of outputs) {
    const before = existsSync(join(root, path)) ? await readFile(join(root, path), 'utf8') : ''
    if (before !== text) drift.push(summary(path, before, text))
  }
  const present = existsSync(join(root, 'schema')) ? await readdir(join(root, 'schema')) : []
  const extra = present.filter((name) => name.endsWith('.json') && !outputs.has(`schema/${name}`))
  drift.push(...extra.map((name) => `schema/${name}: not made from any type`))
  if (process.argv.includes('--check')) {
    if (drift.length === 0) return
    console.error(`Schemas differ from the types; run \`npm run schema\`:\n${drift.join('\n')}`)
    process.exitCode = 1
    return
  }
  await mkdir(join(root, 'schema'), { recursive: true })
  for (const [path, text] of outputs) await writeFile(join(root, path), text)
  console.log(drift.length === 0 ? 'schemas are up to date' : `written:\n${drift.join('\n')}`)
}

/** Where the texts part, and what stands there now and should. */
function summary(path, before, after) {
  const [old, wanted] = [before.split('\n'), after.split('\n')]
  const at = wanted.findIndex((line, index) => line !== old[index])
  const show = (sign, line) => (line === undefined ? '' : `\n    ${sign} ${line.trim().slice(0, 100)}`)
  return `  ${path}:${at + 1}${show('-', old[at])}${show('+', wanted[at])}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
