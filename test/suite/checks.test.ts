/** The check of the tests can fail: for a body that asserts nothing, for a fixed sleep, and for a list that is out of date. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Lists = { exempt?: Record<string, string>; sleeps?: Record<string, number> }
// The script is outside of what is compiled; these are its exports.
const { checkTests }: { checkTests(root: string, lists?: Lists): { problems: string[] } } = await import(
  pathToFileURL(join(process.cwd(), 'scripts', 'check-tests.mjs')).href
)

function problemsOf(text: string, lists: Lists = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'kedge-check-tests-'))
  const files = {
    'test/hooks/one.test.ts': text,
    'test/hooks/helper.ts': 'export function expectGood() { assert.ok(1) }\nexport function look() {}\n',
  }
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  try {
    return checkTests(root, { exempt: {}, sleeps: {}, ...lists }).problems
  } finally {
    rmSync(root, { recursive: true })
  }
}
const body = (code: string, title = 'works') =>
  `import { expectGood, look } from './helper.js'\ntest('${title}', async () => {\n${code}\n})\n`

test('a body asserts by itself, by a function of its file, or by a helper that it imports', () => {
  assert.deepEqual(problemsOf(body('assert.equal(1, 1)')), [])
  assert.deepEqual(problemsOf(body('expectGood()')), [])
  assert.deepEqual(problemsOf(`function mine() { expectGood() }\n${body('mine()')}`), [])
  assert.deepEqual(problemsOf(body('look()')), ["test/hooks/one.test.ts › works': asserts nothing"])
})

test('one that is listed is exempt, until it asserts', () => {
  const exempt = { "test/hooks/one.test.ts › works'": 'it is one' }
  assert.deepEqual(problemsOf(body('look()'), { exempt }), [])
  assert.match(problemsOf(body('expectGood()'), { exempt }).join(), /is exempt .* but asserts or is gone/)
})

test('a fixed sleep is found, a look in a loop is none, and the numbers go down', () => {
  const sleeping = body('await sleep(50)\nexpectGood()')
  assert.match(problemsOf(sleeping).join(), /1 fixed sleeps, at most 0/)
  assert.deepEqual(problemsOf(sleeping, { sleeps: { 'test/hooks/one.test.ts': 1 } }), [])
  assert.match(problemsOf(sleeping, { sleeps: { 'test/hooks/one.test.ts': 2 } }).join(), /lower its 2/)
  assert.deepEqual(problemsOf(body('while (look()) await sleep(50)\nexpectGood()')), [])
})
