import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import fc from '../../../test/fast-check.js'
import { findModuleImports } from './module-imports.js'
import { scriptTokens } from './script-tokens.js'

const found = (text: string) => findModuleImports(text).modules.map(({ name }) => name)

test('modules are found in every way to name one, and in nothing else', () => {
  const named = [
    `import 'm'`,
    `import a from 'm'`,
    `import a, { b as c, type D } from "m"`,
    `import * as a from 'm'`,
    `import type { A } from 'm'`,
    `import {\n  a, // from 'x'\n  b /* } from 'y' */,\n} from 'm'`,
    `import a from 'm' with { type: 'json' }`,
    `import a = require('m')`,
    `export * from 'm'`,
    `export { a, b as default } from 'm'`,
    `const a = await import('m')`,
    'const a = await import(`m`)',
    `const a = require("m").query`,
    `require.resolve('m')`,
    `import.meta.resolve('m')`,
    `type A = import('m').Options`,
    `const a: typeof import('m') = b`,
    `jest.mock('m', () => ({ ...jest.requireActual(f) }))`,
    `vi.mock<typeof import('m')>(f)`,
    `vi.importActual('m')`,
    `mock.module('m', {})`,
    `declare module 'm' { export const a: 1 }`,
    `/** @type {import('m').Options} */`,
    `/** @import { Options } from 'm' */`,
    `/// <reference types="m" />`,
    `const a = \`\${await import('m')} 'x' \${"from 'y'"}\``,
    `a = b / c; import('m'); d / 'e'`,
    `if (a) /'/.test(b); import('m')`,
    `a.in / b; import('m'); c / d`,
    `const a = <p title="x">Don't // not code</p>\nimport('m')`,
    `x = y! / 2; import('m'); z / 1`,
    `#!/usr/bin/env node '\nimport 'm'`,
  ]
  for (const text of named) assert.deepEqual(found(text), ['m'], text)
  const others = [
    `// import 'm'`,
    `/* import a from 'm' */`,
    `/* import('m') */`,
    `const a = "import 'm'"`,
    'const a = `import "m"`',
    `const a = /import 'm'/`,
    `return /[/'"]import('m')/g`,
    `a.import('m')`,
    `a.require('m')`,
    `a.jest.mock('m')`,
    `from 'm'`,
    `const from = 'm'`,
    `Array.from('m')`,
    `log('m')`,
    `import(m)`,
    'import(`m${a}`)',
    `db.select().from('m')`,
    `const a = { from: 'm' }`,
  ]
  for (const text of others) assert.deepEqual(found(text), [], text)
})

test('what is imported by name is known by the name it has there, and by the one it gets', () => {
  const names = (text: string) => findModuleImports(text).modules.map((module) => module.names)
  assert.deepEqual(names(`import x, { query as ask, type Options, type } from 'm'`), [
    [
      { name: 'query', start: 12, local: 'ask' },
      { name: 'Options', start: 31 },
      { name: 'type', start: 40 },
    ],
  ])
  assert.deepEqual(names(`const { query: ask, tool } = await import('m')`), [
    [
      { name: 'query', start: 8, local: 'ask' },
      { name: 'tool', start: 20 },
    ],
  ])
  assert.deepEqual(names(`import * as sdk from 'm'`), [[]])
})

/** What TypeScript finds, with its own parser. */
function byCompiler(text: string, file: string): string[] {
  const modules: { name: string; at: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && isModule(node)) modules.push({ name: raw(node, text), at: node.getStart() })
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return modules.sort((a, b) => a.at - b.at).map(({ name }) => name)
}

function isModule({ parent }: ts.StringLiteralLike): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true
  if (ts.isExternalModuleReference(parent) || ts.isModuleDeclaration(parent)) return true
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent)
  if (!ts.isCallExpression(parent)) return false
  const callee = parent.expression.getText()
  return /^(?:import|require(?:\.resolve)?|import\.meta\.resolve|vi\.mock|jest\.mock|mock\.module)$/.test(callee)
}

const raw = (node: ts.StringLiteralLike, text: string) => text.slice(node.getStart() + 1, node.end - 1)

/** Not those in comments, which the compiler leaves out of its tree, nor those of other mocks. */
function inCode(text: string): string[] {
  const { modules, tokens } = findModuleImports(text)
  const comments = tokens.filter(({ kind }) => kind === 'comment')
  const inside = (at: number) => comments.some(({ start, end }) => start < at && at < end)
  return modules.filter(({ start }) => !inside(start)).map(({ name }) => name)
}

test('in real code the compiler of TypeScript finds the same', () => {
  const every = process.env['KEDGE_LONG'] ? 1 : 25
  const sources = ['src', 'web', 'test', 'scripts', 'node_modules/esbuild', 'node_modules/preact', 'node_modules/ws']
  const files = sources
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
    .sort()
  const some = files.filter((_, index) => index % every === 0)
  assert.ok(some.length > 50)
  for (const file of some) {
    const text = readFileSync(file, 'utf8')
    assert.deepEqual(inCode(text), byCompiler(text, file), file)
  }
})

const word = fc.constantFrom('a', 'from', 'x.import', 'value', 'typeof y', '42', '1.5e-3', 'this')
const string = fc.constantFrom(`'m'`, `"n"`, `'it\\'s'`, `"// no"`, `'/*'`, '``', '`im\\`port "m"`', `"import('q')"`)
const regex = fc.constantFrom(`/'/`, '/[/"]/g', '/\\//', '/`/', `/import 'm'/`)
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    word,
    string,
    fc.tuple(tie('expression'), fc.constantFrom('/', '+', '&&', '< '), tie('expression')).map((all) => all.join(' ')),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}, ${b})`),
    fc.tuple(string, tie('expression')).map(([a, b]) => `f(${a}, [${b}])`),
    tie('expression').map((a) => `\`text ' \${${a}} // "\``),
    tie('expression').map((a) => `({ a: ${a} })`),
    regex.map((a) => `(${a}.test(b))`),
    fc.constantFrom(`import('m1')`, `require("m2")`, `(await import(/* 'c' */ 'm3'))`),
  ),
}))
const statement = fc.oneof(
  expression.map((a) => `b = ${a};`),
  fc.tuple(expression, regex).map(([a, b]) => `if (${a}) ${b}.test(c);`),
  fc.constantFrom(`import { a, b as c } from 'm4'\n`, `export * from "m5";`, `// it's 'a\n`, `/* " */`, `i++ / 2;`),
  regex.map((a) => `function f() { return ${a} }`),
)

test('in programs of strings, templates, comments, divisions and regular expressions, too', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 6 }), (parts) => {
      const text = parts.join(' ')
      assert.deepEqual(inCode(text), byCompiler(text, 'a.ts'), text)
    }),
  )
})

test('whatever the text, every character is in at most one token, in order, and none is lost but blanks', () => {
  const pieces = fc.constantFrom(
    '`',
    '${',
    '}',
    "'",
    '"',
    '/',
    '//',
    '/*',
    '*/',
    '\\',
    '\n',
    '{',
    '(',
    ')',
    'a',
    '1',
    '<',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const text = parts.join('')
      let end = 0
      for (const token of scriptTokens(text)) {
        assert.equal(text.slice(end, token.start).trim(), '', text)
        assert.ok(token.start >= end && token.end > token.start && token.end <= text.length, text)
        end = token.end
      }
      assert.equal(text.slice(end).trim(), '')
    }),
  )
})
