/**
 * The public types, seen by the compiler from outside: the built package in projects of their own, programs written for
 * the original, and what must not compile. Set ORIGINAL_SDK to an installed copy of the original (its package folder) to
 * prove that the programs are true to it; nothing else here needs it.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

// This file runs from .build/test/contract.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const sources = join(root, 'test/contract/types')
const original = '@anthropic-ai/claude-agent-sdk'
const declarations = ['index.d.ts', 'sdk-tools.d.ts', 'server.d.ts', 'testing.d.ts', 'client.d.ts', 'elements.d.ts']
const resolutions = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
]

type Names = { values: string[]; types: string[]; tools: string[] }
type Files = Record<string, string>

for (const resolution of resolutions) {
  const how = resolution.moduleResolution

  test(`an empty project can import everything (${how})`, async (t) => {
    const folder = await project(t, ['zod', '@types/node'], { 'everything.ts': await everything() })
    // The library's own declarations are checked too.
    assert.deepEqual(await compile(folder, { ...resolution, skipLibCheck: false }), [])
  })

  test(`programs written for the original compile against us (${how})`, async (t) => {
    const programs = await read('programs')
    assert.ok(Object.keys(programs).length >= 12)
    const ours = mapValues(programs, (text) => text.replaceAll(`'${original}`, "'kedge"))
    const folder = await project(t, ['zod', '@types/node', '@anthropic-ai/sdk'], ours)
    assert.deepEqual(await compile(folder, resolution), [])
  })
}

test('the same programs compile against the original', async (t) => {
  const installed = process.env['ORIGINAL_SDK']
  if (!installed) return t.skip('ORIGINAL_SDK is not set')
  const folder = await project(t, ['zod', '@types/node', '@anthropic-ai/sdk'], await read('programs'))
  await symlink(installed, join(folder, 'node_modules', original))
  // Its imports are looked up beside the link, where this project has them.
  assert.deepEqual(await compile(folder, { ...resolutions[1], preserveSymlinks: true }), [])
})

test('each type fits the one of the original both ways, except where we mean to be wider', async (t) => {
  const installed = process.env['ORIGINAL_SDK']
  if (!installed) return t.skip('ORIGINAL_SDK is not set')
  const names = await exportedNames()
  const pairs = [
    ...names.types.filter((name) => name !== 'InferShape').map((name) => ({ name, module: '' })),
    ...names.tools.map((name) => ({ name, module: '/sdk-tools.js' })),
  ]
  const checks = pairs.flatMap(({ name, module }) => [
    { name: `${name} out`, line: `fits<import('${original}${module}').${name}, import('kedge${module}').${name}>()` },
    { name: `${name} in`, line: `fits<import('kedge${module}').${name}, import('${original}${module}').${name}>()` },
  ])
  const text = ['export declare function fits<_To, _From extends _To>(): void', ...checks.map(({ line }) => line)].join(
    '\n',
  )
  const folder = await project(t, ['zod', '@types/node', '@anthropic-ai/sdk'], { 'pairs.ts': text })
  await symlink(installed, join(folder, 'node_modules', original))
  const errors = await compile(folder, { ...resolutions[1], preserveSymlinks: true })
  const lines = errors.flatMap((error) => /^pairs\.ts\((\d+),/.exec(error)?.[1] ?? [])
  const different = lines.map((line) => checks[Number(line) - 2]?.name)
  // More hook events, key sources, options and zod versions; content typed here, not by the API library.
  const out = [
    ...['AgentDefinition', 'AnyZodRawShape', 'ApiKeySource', 'HookEvent', 'HookInput', 'NonNullableUsage', 'Options'],
    ...['SDKAssistantMessage', 'SDKPartialAssistantMessage', 'SDKResultError', 'SDKResultMessage', 'SDKResultSuccess'],
    ...['SDKSessionOptions', 'SDKSystemMessage', 'SDKUserMessage', 'SDKUserMessageReplay', 'SdkMcpToolDefinition'],
    // One more permission mode.
    ...['CanUseTool', 'HookCallback', 'HookCallbackMatcher', 'HookJSONOutput', 'PermissionMode', 'PermissionResult'],
    ...['PermissionRequestHookInput', 'PermissionRequestHookSpecificOutput', 'PermissionUpdate', 'SDKStatusMessage'],
    'SyncHookJSONOutput',
  ]
  // A callback of ours is told of more events, a query of ours can do more.
  const into = [
    ...['CanUseTool', 'HookCallback', 'HookCallbackMatcher', 'Options', 'Query'],
    ...['SDKAssistantMessage', 'SDKPartialAssistantMessage', 'SDKSessionOptions'],
  ]
  assert.deepEqual(different.sort(), [...out.map((name) => `${name} out`), ...into.map((name) => `${name} in`)].sort())
})

test('what is wrong is refused, unions narrow, and our additions are there', async (t) => {
  const folder = await project(t, ['zod', '@types/node', '@anthropic-ai/sdk'], await read('kedge'))
  assert.deepEqual(await compile(folder, resolutions[1]), [])
})

test('zod is not needed by those who write no tools', async (t) => {
  const text = [
    "import { query, type Options } from 'kedge'",
    'export const options: Options = { maxTurns: 1 }',
    "for await (const m of query({ prompt: 'x', options })) if (m.type === 'result') console.log(m.num_turns.toFixed())",
  ]
  const folder = await project(t, ['@types/node'], { 'main.ts': text.join('\n') })
  assert.deepEqual(await compile(folder, resolutions[1]), [])
})

test('the elements and their events have types', async (t) => {
  const text = `import { createClient, type KedgeInboxElement } from 'kedge/elements'
const element = document.querySelector('kedge-session')
if (element) Object.assign(element, { title: element.session, hidden: element.token === undefined })
const made: KedgeInboxElement = document.createElement('kedge-inbox')
made.client = createClient()
made.token = async () => 'a token'
made.addEventListener('kedge-answered', ({ detail: { request, answer } }) => request.session + answer.kind)
document.addEventListener('kedge-error', ({ detail }) => ('fix' in detail.error ? detail.error.fix.length : 0))
// @ts-expect-error a number is no session
document.createElement('kedge-request').session = 1
// @ts-expect-error it has no answer
document.addEventListener('kedge-closed', ({ detail }) => detail.answer)
`
  const folder = await project(t, ['zod', '@types/node'], { 'page.ts': text })
  assert.deepEqual(await compile(folder, { ...resolutions[1], lib: ['es2023', 'dom'], skipLibCheck: false }), [])
})

test('a program that is wrong is noticed', async (t) => {
  const folder = await project(t, ['zod', '@types/node'], { 'main.ts': "export { queri } from 'kedge'\n" })
  const errors = await compile(folder, resolutions[1])
  assert.match(errors.join('\n'), /^main\.ts\(1,10\): error TS2724: .*'queri'/)
})

test('the declarations stand alone', async () => {
  for (const name of declarations) {
    const text = await readFile(join(root, 'dist', name), 'utf8')
    const imported = [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(([, from = '']) => from)
    assert.deepEqual(
      imported.filter((from) => !/^(node:(stream|http)|zod\/v[34]|\.\/client\.js)$/.test(from)),
      [],
      name,
    )
    assert.doesNotMatch(text, /\/\/\/ <reference/)
  }
})

/** Re-exports every name the original has, and every type name of ours. */
async function everything(): Promise<string> {
  const names = await exportedNames()
  const ours = await readFile(join(root, 'src/protocol/public-types.ts'), 'utf8')
  const added = [...ours.matchAll(/export type \{([^}]*)\}/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? [])
  assert.ok(names.values.length === 9 && names.types.length > 100 && names.tools.length > 40 && added.length > 150)
  const types = [...new Set([...names.types, ...added])]
  return [
    `export { ${names.values.join(', ')} } from 'kedge'`,
    `export type { ${types.join(', ')} } from 'kedge'`,
    `export type { ${names.tools.join(', ')} } from 'kedge/sdk-tools.js'`,
    "export type { BashInput as Bash } from 'kedge/sdk-tools'",
    "export * as testing from 'kedge/testing'",
  ].join('\n')
}

async function exportedNames(): Promise<Names> {
  return JSON.parse(await readFile(join(sources, 'exported-names.json'), 'utf8'))
}

/** A folder with a copy of the built package, some packages of our own node_modules, and these files. */
async function project(t: TestContext, packages: string[], files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kedge-types-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'kedge/dist'), { recursive: true })
  await copyFile(join(root, 'package.json'), join(modules, 'kedge/package.json'))
  for (const name of declarations) await copyFile(join(root, 'dist', name), join(modules, 'kedge/dist', name))
  for (const name of packages) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** The compiler's complaints, one per line it prints. */
async function compile(folder: string, options: object = {}): Promise<string[]> {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    lib: ['esnext'],
    types: ['node'],
    skipLibCheck: true,
    ...options,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder], { cwd: folder }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '')
      resolve(error && lines.length === 0 ? [error.message] : lines)
    })
  })
}

async function read(name: string): Promise<Files> {
  const folder = join(sources, name)
  const entries = (await readdir(folder)).map(async (file) => [file, await readFile(join(folder, file), 'utf8')])
  return Object.fromEntries(await Promise.all(entries))
}

function mapValues(files: Files, change: (text: string) => string): Files {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, change(text)]))
}
