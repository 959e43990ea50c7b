/** What `npm run check` says of the tree, and that each of its checks can fail. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Found = string[] | { problems: string[]; counted: string }
type Check = (root: string) => Found | Promise<Found>

const root = process.cwd()
const load = async (name: string): Promise<Record<string, Check>> =>
  import(pathToFileURL(join(root, 'scripts', name)).href)
const problemsOf = (found: Found | undefined) => (Array.isArray(found) ? found : (found?.problems ?? ['no such check']))

const CHECKS = {
  'check-structure.mjs': ['checkLayers', 'checkSizes', 'checkNames', 'checkCasts'],
  'check-shapes.mjs': ['checkCycles', 'checkRooms', 'checkFunctions', 'checkTypes', 'checkSameNames'],
  'check-programs.mjs': ['checkPrograms'],
  'check-docs.mjs': ['checkDocs'],
  'check-exports.mjs': ['checkExports'],
}

for (const [file, checks] of Object.entries(CHECKS)) {
  for (const check of checks) {
    test(`${check}: the tree is as the architecture says`, async () => {
      const run = (await load(file))[check]
      assert.deepEqual(problemsOf(await run?.(root)), [])
    })
  }
}

const HEAD = '/** A file. */\n'
const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

/** A tree with just these files, and what a check says of it. */
async function problemsIn(file: keyof typeof CHECKS, check: string, files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-structure-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const run = (await load(file))[check]
    return problemsOf(await run?.(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a cycle is found, also one of types alone, and the way around is told', async () => {
  const found = await problemsIn('check-shapes.mjs', 'checkCycles', {
    'src/engine/a.ts': `${HEAD}import type { B } from './b.js'\nexport type A = B\n`,
    'src/engine/b.ts': `${HEAD}import { c } from './c.js'\nexport type B = typeof c\n`,
    'src/engine/c.ts': `${HEAD}export type { A } from './a.js'\nexport const c = 1\n`,
    'src/engine/d.ts': `${HEAD}export const load = () => import('./a.js')\n`,
  })
  assert.deepEqual(found, ['cycle: src/engine/a.ts → src/engine/b.ts → src/engine/c.ts → src/engine/a.ts'])
})

test('a folder of 26 files is a hall; tests do not count', async () => {
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/engine/part-${n}.ts`, HEAD]))
  assert.deepEqual(await problemsIn('check-shapes.mjs', 'checkRooms', { ...files(25), 'src/engine/x.test.ts': '' }), [])
  assert.deepEqual(await problemsIn('check-shapes.mjs', 'checkRooms', files(26)), [
    'src/engine: 26 files, at most 25: make rooms of it',
  ])
})

test('a function of 121 lines is too long, whatever kind of function it is', async () => {
  const body = (count: number) => lines(count - 2, (n) => `  use(${n})`)
  const found = await problemsIn('check-shapes.mjs', 'checkFunctions', {
    'src/engine/a.ts': `export function right() {\n${body(120)}\n}\nexport const long = () => {\n${body(121)}\n}\n`,
  })
  assert.deepEqual(found, ['src/engine/a.ts:121 : 121 lines, at most 120'])
})

test('a type that everybody imports is no heap: its own fields count, and those of the types it is made of', async () => {
  const fields = (name: string, count: number) => lines(count, (n) => `  ${name}${n}: string`)
  const wide = {
    'src/engine/wide.ts': `export type Part = {\n${fields('p', 9)}\n}\nexport type Whole = Readonly<Part> & {\n${fields('w', 7)}\n}\n`,
  }
  const users = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `src/engine/user-${n}.ts`,
        `import type { Whole } from './wide.js'\nexport type User${n} = Whole\n`,
      ]),
    )
  assert.deepEqual(await problemsIn('check-shapes.mjs', 'checkTypes', { ...wide, ...users(10) }), [])
  assert.deepEqual(await problemsIn('check-shapes.mjs', 'checkTypes', { ...wide, ...users(11) }), [
    'src/engine/wide.ts: Whole has 16 fields and 11 importers, at most 15 where more than 10 files import it',
  ])
})

test('two files of one name are named', async () => {
  const found = await problemsIn('check-shapes.mjs', 'checkSameNames', {
    'src/engine/parts.ts': HEAD,
    'src/model/parts.ts': HEAD,
    'src/model/parts.test.ts': HEAD,
    'src/index.ts': HEAD,
    'src/testing/index.ts': HEAD,
  })
  assert.deepEqual(found, ['parts.ts: src/engine/parts.ts, src/model/parts.ts'])
})

test('a program that two files know, or that the judge of command lines names, is told', async () => {
  const programs = 'src/permissions/bash/programs'
  const found = await problemsIn('check-programs.mjs', 'checkPrograms', {
    [`${programs}/vcs/git.ts`]: `${HEAD}export const GIT: KnownPrograms = { git: { needs: ['sed'] }, 'git-lfs': {} }\n`,
    [`${programs}/text/sed.ts`]: `${HEAD}export const SED: KnownPrograms = { ...named('sed gsed', {}), git: {} }\n`,
    [`${programs}/plain-programs.ts`]: `${HEAD}export const PLAIN: KnownPrograms = { basename: {} }\n`,
    'src/permissions/bash/judge.ts': `${HEAD}export const judge = (name: 'gsed' | 'x') =>\n  name === 'sed' ||\n  name === 'basename' ||\n  /^(?:gsed|x)$/.test(name)\n`,
  })
  assert.deepEqual(found, [
    `git: known by ${programs}/text/sed.ts and ${programs}/vcs/git.ts`,
    `src/permissions/bash/judge.ts:3: names sed, which ${programs}/text/sed.ts knows: ask the table of programs`,
    `src/permissions/bash/judge.ts:5: names gsed, which ${programs}/text/sed.ts knows: ask the table of programs`,
  ])
})

test('who imports upward, or takes from Node what the folder may not have, is told', async () => {
  const found = await problemsIn('check-structure.mjs', 'checkLayers', {
    'src/engine/a.ts': `${HEAD}import { b } from '../runtime/b.js'\nimport { join } from 'node:path'\nexport const c = [b, join]\n`,
    'src/runtime/b.ts': `${HEAD}import { Buffer } from '../platform/bytes.js'\nexport const b = Buffer.from(process.env.X ?? '')\n`,
    'src/runtime/c.ts': `${HEAD}export type C = { process: string }\nexport const c = ({ process }: C) => setTimeout(() => ({ Buffer: 1 }))\n`,
    'src/platform/bytes.ts': `${HEAD}export { Buffer } from 'node:buffer'\n`,
    'src/attic/d.ts': HEAD,
  })
  assert.deepEqual(found.sort(), [
    'src/attic/d.ts: folder attic has no level',
    'src/engine/a.ts: engine may not import runtime',
    'src/engine/a.ts: imports node:path',
    'src/runtime/b.ts:3: uses process of Node',
    'src/runtime/c.ts:3: uses setTimeout of Node',
  ])
})

test('a page that names a file which is not there, or has a line nobody can read, is told', async () => {
  const page = 'See `turn/a.ts`, `b.ts`, `src/turn/a.ts`, `turn/gone.ts`, `gone.ts` and `tools/<tool>/<tool>.ts`.\n'
  const long = `${'word '.repeat(30)}\n`
  const found = await problemsIn('check-docs.mjs', 'checkDocs', {
    'src/turn/a.ts': HEAD,
    'src/turn/b.ts': HEAD,
    'CONTRIBUTING.md': '',
    'GLOSSARY.md': '',
    'ARCHITECTURE.md': page,
    'docs/b.md': '# B\n\nFor `b`.\n',
    'docs/c.md': '# C\n\n## At once\n',
    'docs/a.md': `${long}\n| ${long}\n\`\`\`\n${long}\`\`\`\n`,
  })
  assert.deepEqual(found, [
    'docs/a.md:1: longer than 120',
    'ARCHITECTURE.md: there is no turn/gone.ts',
    'ARCHITECTURE.md: there is no gone.ts',
    'docs/a.md: does not open with a title and a sentence that says what it is for',
    'docs/c.md: does not open with a title and a sentence that says what it is for',
  ])
})
