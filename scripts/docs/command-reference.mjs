// The reference of the command line from the option table, of settings and hooks from their schemas. All of it is Markdown.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { comparedWith, compatibilityOf } from './compatibility-rows.mjs'

/** Sources are TypeScript: built in memory to be read. */
export async function load(root, entry) {
  const built = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`)
}

export async function flagPage(root) {
  const [{ FLAGS }, { CLI_COMMANDS_WITH_SUBCOMMANDS }, { HELP_GROUP_TITLES }] = await Promise.all([
    load(root, 'src/protocol/option-table/flags.ts'),
    load(root, 'src/protocol/command-table/all-commands.ts'),
    load(root, 'src/cli/help.ts'),
  ])
  const rowOf = compatibilityOf(root)
  const rows = (flags) => [
    '| flag | takes | what it does |',
    '|---|---|---|',
    ...flags.map((flag) => `| ${spellings(flag)} | ${takes(flag)} | ${about(flag, rowOf)} |`),
    '',
  ]
  const groups = Object.entries(HELP_GROUP_TITLES).map(([id, title]) => [
    title,
    FLAGS.filter(({ group }) => group === id),
  ])
  const others = FLAGS.filter(({ group }) => group === undefined)
  const text = [
    ...[
      '# Reference: command line',
      '',
      'Every command and flag of `kedge`, from the table the program itself reads.',
      '',
    ],
    ...['## Commands', '', '| command | what it does |', '|---|---|'],
    ...CLI_COMMANDS_WITH_SUBCOMMANDS.map(({ name, help }) => `| \`kedge ${name}\` | ${help} |`),
    '',
    ...groups.flatMap(([title, flags]) => [`## ${title}`, '', ...rows(flags)]),
    ...['## Options for programs', '', 'Host programs send these. Users seldom type them.', '', ...rows(others)],
    ...CLI_COMMANDS_WITH_SUBCOMMANDS.flatMap(commandSection),
  ].join('\n')
  return { id: 'reference-cli', title: 'Reference: command line', text }
}

function commandSection({ name, about, arguments: words = [], flags = [], examples }) {
  const options = flags.map(({ name: flag, short, value, help, default: fallback }) => {
    const spelling = [...(short ? [code(`-${short}`)] : []), code(`--${flag}${value ? ` ${value}` : ''}`)].join(', ')
    return `| ${spelling} | ${`${help}${fallback ? ` (default: ${fallback})` : ''}`.replaceAll('|', '\\|')} |`
  })
  const arguments_ = words.map((word) => `| ${code(word.name)} | ${word.help.replaceAll('|', '\\|')} |`)
  const rows = [...arguments_, ...options]
  return [
    ...[`## kedge ${name}`, '', about, ''],
    ...(rows.length > 0 ? ['| | |', '|---|---|', ...rows, ''] : []),
    ...['```sh', ...examples.map(([line, result]) => (result === '' ? line : `# ${result}\n${line}`)), '```', ''],
  ]
}

const code = (text) => `\`${text.replaceAll('|', '\\|')}\``

function spellings({ name, short, aliases = [] }) {
  return [...(short ? [`-${short}`] : []), `--${name}`, ...aliases.map((each) => `--${each}`)].map(code).join(', ')
}

function takes({ kind, value, choices, optional }) {
  if (choices) return choices.map(code).join(', ')
  if (kind === 'switch') return ''
  const shown = value ?? { number: 'N', list: 'LIST', repeat: 'VALUE (may be repeated)' }[kind] ?? 'VALUE'
  return optional ? `[${shown}]` : shown
}

function about({ name, help, refused }, rowOf) {
  const row = comparedWith(rowOf(`--${name}`, ['Flags']))
  return [help.replaceAll('|', '\\|'), refused ? `Refused: ${refused}` : '', row].filter(Boolean).join(' ')
}

export function settingsPage(root) {
  const schema = JSON.parse(readFileSync(join(root, 'schema', 'settings.json'), 'utf8'))
  const text = [
    ...[
      '# Reference: settings',
      '',
      `${schema.description ?? 'What a settings file may say.'} From \`schema/settings.json\`,`,
    ],
    ...['which editors can read too. [settings.md](settings.md) says which files count, and when.', ''],
    ...['| setting | type | |', '|---|---|---|'],
    ...propertyRows(schema.$defs.Settings, schema, ''),
    ...['', '## Hooks of a settings file', '', schema.$defs.SettingsHooks.description ?? '', ''],
    ...['| field | type | |', '|---|---|---|', ...propertyRows(schema.$defs.SettingsHooks, schema, ''), ''],
  ].join('\n')
  return { id: 'reference-settings', title: 'Reference: settings', text }
}

export function hooksPage(root) {
  const schema = JSON.parse(readFileSync(join(root, 'schema', 'hooks.json'), 'utf8'))
  const events = schema.$defs.HookEvent.enum
  const text = [
    ...['# Reference: hook events', '', 'What each hook is told and may answer, from `schema/hooks.json`.'],
    ...[
      '[hooks.md](hooks.md) says how to use them.',
      '',
      '## Every event',
      '',
      schema.$defs.BaseHookInput.description,
      '',
    ],
    ...['| field | type | |', '|---|---|---|', ...propertyRows(schema.$defs.BaseHookInput, schema, ''), ''],
    ...['## Every answer', '', schema.$defs.SyncHookJSONOutput.description, ''],
    ...['| field | type | |', '|---|---|---|', ...propertyRows(schema.$defs.SyncHookJSONOutput, schema, ''), ''],
    ...events.flatMap((event) => eventSection(event, schema)),
  ].join('\n')
  return { id: 'reference-hooks', title: 'Reference: hook events', text }
}

function eventSection(event, schema) {
  const input = schema.$defs[`${event}HookInput`]
  const output = schema.$defs[`${event}HookSpecificOutput`]
  const common = new Set(Object.keys(schema.$defs.BaseHookInput.properties))
  const own = (shape) => propertyRows(shape, schema, '').filter((row) => !common.has(/`([^`?]+)/.exec(row)?.[1]))
  const table = (rows) => (rows.length > 0 ? ['| field | type | |', '|---|---|---|', ...rows, ''] : [])
  return [
    ...[`## ${event}`, '', input.description ?? '', ''],
    ...table(own(input)),
    ...(output === undefined ? [] : ['Its `hookSpecificOutput`:', '', ...table(propertyRows(output, schema, ''))]),
  ]
}

/** A row for each field, and for those within it. */
function propertyRows(shape, schema, above) {
  const target = resolved(shape, schema)
  const parts = [target, ...(target.allOf ?? []), ...(target.anyOf ?? []).filter((each) => each.properties)]
  return parts.flatMap((part) => {
    const { properties = {}, required = [], items } = resolved(part, schema)
    if (items !== undefined && above === '') return propertyRows(items, schema, '')
    return Object.entries(properties).flatMap(([name, value]) => {
      const path = `${above}${name}`
      const row = `| \`${path}${required.includes(name) ? '' : '?'}\` | ${typeOf(value)} | ${words(value, schema)} |`
      const isDeep = above.split('.').length > 3 || value.$ref !== undefined
      const within = value.items?.properties ? value.items : value
      return [row, ...(isDeep ? [] : propertyRows(within, schema, `${path}.`))]
    })
  })
}

function resolved(shape, schema) {
  return shape.$ref === undefined ? shape : { ...schema.$defs[shape.$ref.split('/').at(-1)], ...shape }
}

function words(value, schema) {
  const text = value.description ?? resolved(value, schema).description ?? ''
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
}

function typeOf({ type, enum: choices, const: only, $ref, items, anyOf }) {
  if (only !== undefined) return code(JSON.stringify(only))
  if (choices) return choices.map((each) => code(JSON.stringify(each))).join(', ')
  if ($ref) return code($ref.split('/').at(-1))
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'anything')
}
