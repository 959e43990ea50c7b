/**
 * Keeps the pages on compatibility true: a row for every public name and no other, and for every row a test that exists and
 * speaks of it. Set ORIGINAL_SDK to an installed copy of the original (its package folder)
 * to check the names as well, and NEWER_SDK to one of 0.3.325.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as kedge from 'kedge'
import ts from 'typescript'
import { FLAGS } from '../../src/protocol/option-table/flags.js'
import { listDocumentedOptionNames } from '../../src/protocol/option-table/option-list.js'
import { OPTION_ROWS, REFUSED_OPTIONS } from '../../src/protocol/option-table/option-rows.js'

// This file runs from .build/test/contract.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Kind = { kind: string; from: string; names: string[] }
type Row = { kind: string; name: string; state: string; note: string; file: string; test: string }

/** Those without names are of the option table. */
const listed: { kinds: (Omit<Kind, 'names'> & { names?: string[] })[] } = JSON.parse(
  read('test/contract/compatibility-names.json'),
)
const ofTable: Record<string, { name: string }[]> = listDocumentedOptionNames()
const kinds: Kind[] = listed.kinds.map(({ kind, from, names = (ofTable[kind] ?? []).map(({ name }) => name) }) => ({
  kind,
  from,
  names,
}))
const pages = pathToFileURL(join(root, 'scripts', 'docs', 'compatibility-pages.mjs')).href
const page: string = (await import(pages)).compatibilityText(root)
const rows = readTables(page)
const rowsOf = (kind: string) => rows.filter((row) => row.kind === kind)
const namesOf = (kind: string) => kinds.find((entry) => entry.kind === kind)?.names ?? []

test('every public name has exactly one row, and every row is a public name', () => {
  for (const { kind, names } of kinds) {
    assert.deepEqual(
      rowsOf(kind)
        .map(({ name }) => name)
        .sort(),
      [...names].sort(),
      kind,
    )
  }
  assert.deepEqual(
    [...new Set(rows.map(({ kind }) => kind))],
    kinds.map(({ kind }) => kind),
  )
})

test('every row has a state, and says what is different where something is', () => {
  for (const { kind, name, state, note } of rows) {
    assert.ok(['works', 'differs', 'refused', 'later'].includes(state), `${kind}: ${name}: ${state}`)
    if (state !== 'works') assert.ok(note.length > 10, `${kind}: ${name} has no note`)
  }
})

test('every row cites a test that exists and speaks of it', () => {
  const wrong = rows.flatMap((row) => {
    const cited = `${row.kind}: ${row.name}: ${row.file} › ${row.test}`
    const found = testsOf(row.file)?.filter(({ fits }) => fits(row.test)) ?? []
    if (found.length === 0) return [`no such test: ${cited}`]
    const speaks = found.some(({ source }) => speaksOf(`${row.test}\n${source}`, row))
    return speaks ? [] : [`does not speak of ${row.name}: ${cited}`]
  })
  assert.deepEqual(wrong, [])
})

test('a wrong row is noticed', () => {
  const tests = testsOf('test/e2e/endings.test.ts') ?? []
  const exists = (name: string) => tests.some(({ fits }) => fits(name))
  assert.deepEqual(
    [
      'a controller that was aborted before throws at once',
      'abort ends the agent and every child of its tools',
      'timeoutMs ends the query with a result that says so',
    ].map(exists),
    [true, true, true],
  )
  assert.deepEqual(['a controller', 'nonsense ends the agent and every child of its tools', ''].map(exists), [
    false,
    false,
    false,
  ])
  assert.equal(testsOf('test/e2e/no-such.test.ts'), undefined)
  const row = { kind: 'Options', name: 'tools', state: 'works', note: '', file: '', test: '' }
  assert.deepEqual([speaksOf('{ tools: [] }', row), speaksOf('allowed-tools, toolset', row)], [true, false])
})

test('the names are those of our own tables', () => {
  assert.deepEqual([...namesOf('Hook events'), ...namesOf('Further hook events')].sort(), [...kedge.HOOK_EVENTS].sort())
  const options = membersOf(parse('src/protocol/options.ts'), 'Options')
  const here = [...namesOf('Options'), ...namesOf('Further options')].filter((name) => !isRefused(name))
  assert.deepEqual(here.sort(), options.sort())
  for (const { name, state } of [...rowsOf('Options'), ...rowsOf('Further options')])
    assert.equal(state === 'refused', isRefused(name), name)
  const exported = [...rowsOf('Exports'), ...rowsOf('Further exports')].filter(({ name }) => !name.includes('/'))
  assert.deepEqual(exported.map(({ name }) => name).sort(), Object.keys(kedge).sort())
  const requests = kinds.filter(({ kind }) => /ontrol requests/.test(kind)).flatMap(({ names }) => names)
  const methods = membersOf(parse('src/protocol/query.ts'), 'Query')
  const own = [...namesOf('Methods of a query'), ...namesOf('Further methods of a query')]
  assert.deepEqual(own.filter((name) => name !== 'interrupt({ scope })').sort(), methods.sort())
  const requestTypes = read('src/protocol/control.ts') + read('src/protocol/requests/session-requests.ts')
  const subtypes = [...requestTypes.matchAll(/subtype: '(\w+)'/g)].map(([, name = '']) => name)
  assert.deepEqual(requests.sort(), subtypes.filter((name) => !['success', 'error'].includes(name)).sort())
  const messages = new Set([...namesOf('Messages'), ...namesOf('Further messages')].map(lastPart))
  const kindsOfMessage = [...read('src/protocol/messages.ts').matchAll(/(?:sub)?type: '(\w+)'/g)].map(
    ([, name = '']) => name,
  )
  const unlisted = kindsOfMessage.filter((name) => !messages.has(name) && !['system', 'result'].includes(name))
  assert.deepEqual(unlisted, [])
})

test('every name of 0.3.325 has a row, and the page counts them right', () => {
  const tables = {
    options: ['Options', 'Further options'],
    methods: ['Methods of a query', 'Further methods of a query'],
    exports: ['Exports', 'Further exports'],
  }
  const newer: Record<keyof typeof tables, string[]> = JSON.parse(read('test/contract/newer-names.json'))
  const [, section = ''] = page.split('\n## The 0.3 line\n')
  for (const part of ['options', 'methods', 'exports'] as const) {
    const known = new Map(tables[part].flatMap(rowsOf).map(({ name, state }) => [name, state]))
    assert.deepEqual(
      newer[part].filter((name) => !known.has(name)),
      [],
      part,
    )
    const refused = newer[part].filter((name) => known.get(name) === 'refused').map((name) => `\`${name}\``)
    const here = newer[part].length - refused.length
    assert.ok(section.includes(`| ${part} | ${newer[part].length} | ${here} | ${refused.join(', ')} |`), part)
  }
})

test('every type of 0.3.325 is exported, or is listed with the reason why not', () => {
  const { types }: { types: string[] } = JSON.parse(read('test/contract/newer-names.json'))
  const exported = new Set([...read('src/protocol/public-types.ts').matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => name))
  for (const [, name] of read('src/protocol/public-types.ts').matchAll(/^export type (\w+) =/gm)) exported.add(name)
  for (const [, name] of read('src/index.ts').matchAll(/^export type \{ (\w+) \}/gm)) exported.add(name)
  const [, section = ''] = page.split('\n### Types that are not here\n')
  const cells = (section.split('\n## ')[0] ?? '').split('\n').map((line) => line.split(' | ')[1] ?? '')
  const listed = cells.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const missing = types.filter((name) => !exported.has(name))
  assert.deepEqual([...new Set(listed)].sort(), missing)
  assert.ok(page.includes(`| types | ${types.length} | ${types.length - missing.length} | see below |`))
})

test('the names are those of 0.3.325', (t) => {
  const installed = process.env['NEWER_SDK']
  if (!installed) return t.skip('NEWER_SDK is not set')
  const newer: Record<string, string[]> = JSON.parse(read('test/contract/newer-names.json'))
  const source = parse(join(installed, 'sdk.d.ts'))
  assert.deepEqual(newer['options'], membersOf(source, 'Options').sort())
  assert.deepEqual(newer['methods'], membersOf(source, 'Query').sort())
  const exported = [...source.getFullText().matchAll(/^export declare (?:function|class|const) (\w+)/gm)]
  assert.deepEqual(newer['exports'], [...new Set(exported.map(([, name = '']) => name))].sort())
  const types = [...source.getFullText().matchAll(/^export declare (?:type|interface) (\w+)/gm)]
  const values = new Set(newer['exports'])
  assert.deepEqual(
    newer['types'],
    [...new Set(types.map(([, name = '']) => name))].filter((name) => !values.has(name)).sort(),
  )
})

test('the names are those of the original', (t) => {
  const installed = process.env['ORIGINAL_SDK']
  if (!installed) return t.skip('ORIGINAL_SDK is not set')
  const source = parse(join(installed, 'sdk.d.ts'))
  assert.deepEqual(namesOf('Options').sort(), membersOf(source, 'Options').sort())
  assert.deepEqual(namesOf('Options of a v2 session'), membersOf(source, 'SDKSessionOptions'))
  assert.deepEqual(namesOf('Methods of a query'), membersOf(source, 'Query'))
  assert.deepEqual(namesOf('Members of a v2 session'), membersOf(source, 'SDKSession'))
  assert.deepEqual(namesOf('Hook events'), textsOf(source, 'HookEvent'))
  assert.deepEqual(namesOf('Permission modes'), textsOf(source, 'PermissionMode'))
  assert.deepEqual(namesOf('Destinations of a permission update'), textsOf(source, 'PermissionUpdateDestination'))
  assert.equal(textsOf(source, 'SDKControlRequestInner').length, namesOf('Control requests to the agent').length + 3)
  const text = source.getFullText()
  const named = [...text.matchAll(/^ {4}(?:sub)?type: ((?:'\w+'(?: \| )?)+);/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  )
  const known = new Set(kinds.flatMap(({ names }) => names.map(lastPart)))
  const other = ['system', 'result', 'user', 'success', 'error', 'local', 'stdio', 'sse', 'http', 'sdk', 'json_schema']
  const types = ['adaptive', 'enabled', 'disabled', 'preset', 'claudeai']
  assert.deepEqual(
    named.filter((name) => !known.has(name) && ![...other, ...types].includes(name)),
    [],
  )
})

function isRefused(name: string): boolean {
  return Object.hasOwn(REFUSED_OPTIONS, name)
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(resolve(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
}

function declarationOf(source: ts.SourceFile, name: string): ts.TypeNode | ts.InterfaceDeclaration | undefined {
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name) return statement.type
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) return statement
  }
  return undefined
}

function membersOf(source: ts.SourceFile, name: string): string[] {
  const node = declarationOf(source, name)
  const members = node && (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node)) ? node.members : []
  return members.map((member) => member.name?.getText() ?? '')
}

function textsOf(source: ts.SourceFile, name: string): string[] {
  const node = declarationOf(source, name)
  return node && ts.isUnionTypeNode(node) ? node.types.map((type) => type.getText().replaceAll("'", '')) : []
}

// ── the page ─────────────────────────────────────────────────────────────────

/** Tables below a `##` heading; a cell is what is between two bars that are not escaped. */
function readTables(text: string): Row[] {
  let kind = ''
  return text.split('\n').flatMap((line): Row[] => {
    if (line.startsWith('## ')) kind = line.slice(3)
    if (!line.startsWith('| ') || !kinds.some((entry) => entry.kind === kind)) return []
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    const [name = '', state = '', note = '', cited = ''] = cells
    if (name === 'name') return []
    assert.equal(cells.length, 4, line)
    const [file = '', ...rest] = cited.split(' › ')
    return [{ kind, name: bare(name), state, note, file: bare(file), test: rest.join(' › ') }]
  })
}

function bare(cell: string): string {
  return /^`.*`$/.test(cell) ? cell.slice(1, -1) : cell
}

// ── the tests it cites ───────────────────────────────────────────────────────

type CitedTest = { fits(name: string): boolean; source: string }

/** How our tests are declared; the name is the first argument. */
function isTestCall(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /^(test|it|sampledTest|bothWays|eitherWay|inSandbox|playTeam)$/.test(node.expression.text)
  )
}

const files = new Set(
  ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  ),
)
const parsed = new Map<string, CitedTest[]>()

function testsOf(file: string): CitedTest[] | undefined {
  if (!files.has(file)) return undefined
  const known = parsed.get(file)
  if (known) return known
  const source = parse(file)
  const found: CitedTest[] = []
  const visit = (node: ts.Node) => {
    const [name] = isTestCall(node) ? node.arguments : []
    if (name && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name))) {
      found.push({ fits: matcher(name, source.text), source: sourceOf(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  parsed.set(file, found)
  return found
}

/** Names made in a loop: each piece that is filled in must be in the file. `(in-process)` and the like are left off. */
function matcher(name: ts.StringLiteralLike | ts.TemplateExpression, file: string): (cited: string) => boolean {
  if (ts.isStringLiteralLike(name)) return (cited) => cited === name.text
  const fixed = [name.head.text, ...name.templateSpans.map(({ literal }) => literal.text)].map(escapeRegExp)
  const pattern = new RegExp(`^${fixed.join('(.+?)').replace(/ \\\(\(\.\+\?\)\\\)$/, '')}$`)
  return (cited) => {
    const pieces = pattern.exec(cited)?.slice(1)
    return pieces?.every((piece) => file.includes(piece)) ?? false
  }
}

/** The whole statement a test stands in, loops and tables included, and the constants, functions and titles around it. */
function sourceOf(call: ts.Node): string {
  let node = call
  while (!isScope(node.parent)) node = node.parent
  const used = new Set(node.getText().match(/\w+/g))
  const isUsed = (name: ts.Node | undefined) => name !== undefined && ts.isIdentifier(name) && used.has(name.text)
  const helpers = [...scopesAround(node)].flatMap(({ statements }) =>
    statements.filter((statement) =>
      ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.some(({ name }) => isUsed(name))
        : ts.isFunctionDeclaration(statement) && isUsed(statement.name),
    ),
  )
  const titles = [...scopesAround(node)].flatMap((scope) => (ts.isBlock(scope) ? [titleOf(scope)] : []))
  return [...titles, ...[...helpers, node].map((part) => part.getText())].join('\n')
}

/** A file, or what a `describe` holds. */
function isScope(node: ts.Node): node is ts.SourceFile | ts.Block {
  return ts.isSourceFile(node) || (ts.isBlock(node) && describing(node) !== undefined)
}

function describing(block: ts.Block): ts.CallExpression | undefined {
  const call = ts.isArrowFunction(block.parent) ? block.parent.parent : undefined
  return call && ts.isCallExpression(call) && call.expression.getText() === 'describe' ? call : undefined
}

function titleOf(block: ts.Block): string {
  return describing(block)?.arguments[0]?.getText() ?? ''
}

function* scopesAround(node: ts.Node): Generator<ts.SourceFile | ts.Block> {
  for (let at = node.parent; at; at = at.parent) if (isScope(at)) yield at
}

// ── what a test speaks of ────────────────────────────────────────────────────

/** Methods whose name is not simply that of their control request. */
const SPELLINGS: Record<string, string[]> = {
  mcp_status: ['mcpServerStatus'],
  mcp_set_servers: ['setMcpServers'],
  mcp_reconnect: ['reconnectMcpServer'],
  mcp_toggle: ['toggleMcpServer'],
  hook_callback: ['callback', 'hooks'],
  control_request: ['canUseTool', 'request_id'],
  control_response: ['canUseTool', 'request_id'],
  'kedge models': ["'models'"],
  'interrupt({ scope })': ['scope'],
  'user (isReplay)': ['isReplay'],
  '[Symbol.asyncDispose]': ['asyncDispose', 'await using'],
}

function speaksOf(text: string, { kind, name, state }: Row): boolean {
  // Their names are sentences; what can be asked is that a refusal is a refusal.
  if (kind === 'Deliberate differences') return state !== 'later' || /not supported|efused/.test(text)
  const flag = kind === 'Flags' ? FLAGS.find((entry) => `--${entry.name}` === name) : undefined
  const command = name.startsWith('claude ') ? [name.slice(7)] : []
  const words = [lastPart(name), ...command, camelCase(lastPart(name)), ...(SPELLINGS[name] ?? [])]
  const carried = OPTION_ROWS.flatMap(([option, carrier]) => (carrier === flag?.name ? [option] : []))
  if (flag) words.push(flag.name, ...carried, ...(flag.short ? [`'-${flag.short}'`] : []))
  return words.some((word) => new RegExp(`(?<![\\w-])${escapeRegExp(word)}(?![\\w-])`).test(text))
}

/** `system/init` is `init` in most tests. */
function lastPart(name: string): string {
  return name.split('/').at(-1) ?? name
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
