// The API reference: a page per subject, every exported name with its sentence, signature, fields, examples and what differs.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { comparedWith, compatibilityOf } from './compatibility-rows.mjs'
import { ENTRIES, publicNames } from './public-names.mjs'

/** The version everything is from that says nothing else (`@since`). */
export const FIRST = '0.1.0'

/** Subjects of the main entry; the first that fits has the name. */
const SUBJECTS = [
  ['functions', 'functions and classes', ({ kind }) => kind !== 'type'],
  ['hooks', 'hooks', ({ name }) => /Hook|ExitReason/.test(name)],
  ['query', 'a running query', ({ name }) => /^(Query|ContinueP|Startup|Warm|SDKSession(Opt|$)|Transport$)/.test(name)],
  [
    'options',
    'options',
    ({ name }) =>
      /^(Options|Typed|Base|JsonSchemaOutput|Output|Thinking|Effort|Sandbox|Sdk(Beta|Plugin)|Setting|Config|Agent(Def|Info|Mcp)|Model(Info|Usage)|Slash|Account|Summary|SelfDes|Refused|Tool(Config|s?Preset))/.test(
        name,
      ),
  ],
  ['control', 'control protocol', ({ name }) => /^(SDKControl|Control|HostTo|AgentTo|Std|SDKKeep|Rewind)/.test(name)],
  ['transcripts', 'transcripts', ({ name }) => /^(Transcript|FileHistory)/.test(name)],
  ['permissions', 'permissions', ({ name }) => /^(Permission|Ask|Explain|CanUse|SDKPermissionDenial$)/.test(name)],
  [
    'tools',
    'tools and MCP',
    ({ name }) =>
      /^(Mcp|SdkMcp|AnySdk|CreateSdk|CallTool|Tool[A-Z]|Standard|JSONRPC|Elicit|OnElicit|Infer|AnyZod|JsonSchemaObject)/.test(
        name,
      ),
  ],
  ['messages', 'messages', ({ name }) => /^SDK|TerminalReason|ApiKeySource/.test(name)],
  [
    'content',
    'content of messages',
    ({ name }) =>
      /Block|Delta|Usage|Citation|MessageParam|AssistantMessage|StopReason|Cache|UUID|Image|RawStream|Content/.test(
        name,
      ),
  ],
  ['sessions', 'stored sessions', ({ name }) => /Session|Subagent/.test(name)],
  ['others', 'other types', () => true],
]
/** What most people look for stands first on its page, the last of these before the others. */
const FIRST_NAMES = ['SDKResultMessage', 'SDKMessage', 'QueryParams', 'Query', 'Options', 'query']

const ENTRY_PAGES = {
  'kedge/testing': 'testing',
  'kedge/server': 'server',
  'kedge/client': 'client',
  'kedge/react': 'React hooks',
  'kedge/cluster': 'cluster',
  'kedge/eval': 'eval',
  'kedge/sdk-tools': 'tool inputs and outputs',
}

/** Where rows about a name can be, and about its fields. */
const NAME_ROWS = ['Exports', 'Further exports', 'Messages', 'Further messages', 'Hook events', 'Further hook events']
const FIELD_ROWS = {
  Options: ['Options', 'Further options'],
  Query: ['Methods of a query', 'Further methods of a query'],
  SDKSession: ['Members of a v2 session'],
  SDKResultSuccess: ['Further fields of a result'],
  SDKResultError: ['Further fields of a result'],
}

/** `[{ id, title, text }]`, Markdown. */
export function apiPages(root, names = publicNames(root)) {
  const rowOf = compatibilityOf(root)
  const uses = usesOf(root)
  const write = (each) => section(each, { rowOf, uses })
  const main = names.filter(({ entry }) => entry === 'kedge')
  const subjects = SUBJECTS.map(([id, title, fits], at) => {
    const earlier = SUBJECTS.slice(0, at)
    const own = main
      .filter((each) => fits(each) && !earlier.some(([, , taken]) => taken(each)))
      .sort((a, b) => FIRST_NAMES.indexOf(b.name) - FIRST_NAMES.indexOf(a.name))
    return { id: `api-${id}`, title: `API: ${title}`, intro: `Everything \`kedge\` exports about ${title}.`, own }
  })
  const entries = Object.entries(ENTRY_PAGES).map(([entry, title]) => ({
    id: `api-${entry.split('/')[1]}`,
    title: `API: ${title}`,
    intro: `Everything \`${entry}\` exports.`,
    own: names.filter((each) => each.entry === entry),
  }))
  const pages = [...subjects, ...entries].filter(({ own }) => own.length > 0)
  return pages.map(({ id, title, intro, own }) => ({
    id,
    title,
    names: own.map(({ name }) => name),
    text: [`# ${title}`, '', `${intro} Generated from the types that are shipped.`, '', ...own.flatMap(write)].join(
      '\n',
    ),
  }))
}

export const API_ENTRIES = Object.keys(ENTRIES)

function section({ name, kind, entry, sentence, signature, members, since = FIRST }, { rowOf, uses }) {
  const differs = comparedWith(
    rowNames(name, members)
      .map((each) => rowOf(each, NAME_ROWS))
      .find(Boolean),
  )
  const examples = uses.get(name) ?? []
  const fields = members.flatMap((member) => fieldRows(member, '', (path) => rowOf(path, FIELD_ROWS[name] ?? [])))
  return [
    `## ${name}`,
    '',
    sentence,
    '',
    ...code(
      shortened(signature, members),
      entry === 'kedge' || kind === 'type' ? '' : `import { ${name} } from '${entry}'\n`,
    ),
    ...(fields.length > 0 ? [...fields, ''] : []),
    `Since ${since}.${differs === '' ? '' : ` ${differs}`}${examples.length > 0 ? ` Examples: ${examples.join(', ')}.` : ''}`,
    '',
  ]
}

/** Rows name functions as they are, hooks by their event, messages as `system/init`. */
function rowNames(name, members) {
  if (name.endsWith('HookInput')) return [name.replace(/HookInput$/, '')]
  const tag = (field) => /^'([\w/-]+)'$/.exec(members.find((member) => member.name === field)?.type ?? '')?.[1]
  const [type, subtype] = [tag('type'), tag('subtype')]
  return name.startsWith('SDK') && type !== undefined ? [subtype === undefined ? type : `${type}/${subtype}`] : [name]
}

/** Nothing, of a type whose fields are listed below anyway. */
function shortened(signature, members) {
  if (members.length === 0 || signature.split('\n').length <= 6) return signature
  const [first] = signature.split('\n')
  return /^(interface|class|function)/.test(first) ? first.replace(/\s*[{(]$/, '') : ''
}

function code(text, before) {
  return text === '' ? [] : ['```ts', `${before}${text}`.split('\n').map(wrapped).join('\n'), '```', '']
}

/** Columns of code on a page; a list of thirty names is one line of the declarations. */
const WIDTH = 100

/** Breaks a long line after commas and before bars. */
function wrapped(line) {
  if (line.length <= WIDTH) return line
  const lines = []
  for (const part of line.split(/(?<=, )|(?= \| )/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + part.trimEnd().length <= WIDTH) lines[lines.length - 1] += part
    else lines.push(last === undefined ? part : `  ${part.trimStart()}`)
  }
  return lines.map((each) => each.trimEnd()).join('\n')
}

function fieldRows(member, above, rowOf) {
  const { name, type, optional, sentence, members } = member
  const path = `${above}${name}`
  const differs = comparedWith(rowOf(path))
  const about = [oneLine(sentence), differs].filter((text) => text !== '').join(' ')
  const shown = members.length > 0 && type.length > 80 ? 'object' : type
  const row = `@@ ${path}${optional ? '?' : ''} | ${cell(shown)} | ${about}`
  return [row, ...members.flatMap((inner) => fieldRows(inner, `${path}.`, rowOf))]
}

function oneLine(text) {
  return text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The bar between the parts of a line has blanks on both sides; one in a type has not. */
function cell(text) {
  return text.replace(/\s+/g, ' ').replaceAll(' | ', '|')
}

/** Which examples import a name. */
function usesOf(root) {
  const uses = new Map()
  const files = readdirSync(join(root, 'examples'), { recursive: true }).filter((name) => name.endsWith('.mjs'))
  for (const file of files.sort()) {
    const text = readFileSync(join(root, 'examples', file), 'utf8')
    for (const [, names] of text.matchAll(/import \{([^}]+)\} from '[^']+'/g)) {
      for (const name of names.split(',').map((each) => each.trim())) {
        uses.set(name, [...(uses.get(name) ?? []), `[${basename(file, '.mjs')}](../examples/${file})`])
      }
    }
  }
  return uses
}
