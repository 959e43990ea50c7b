/** The table of complaints.md is true: every complaint is in it, and every file and test that it names is there. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../support/stage.js'

const tests = join(root, 'test')
const NUMBERS = Array.from({ length: 40 }, (_, index) => index + 1).filter((number) => number !== 14)

/** Rows as cells. */
const rows = readFileSync(join(tests, 'contract', 'complaints.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| C\d\d \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('every complaint has a row, in order', () => {
  assert.deepEqual(
    rows.map(([, number]) => number),
    NUMBERS.map((number) => `C${String(number).padStart(2, '0')}`),
  )
})

test('the first file of a row has tests of that number, with links; further ones are there, and so are the tests they name', () => {
  for (const [, number = '', , files = '', state = ''] of rows) {
    assert.match(state, /^passes|^open/, number)
    // Such a promise was kept long ago, and the table still said so.
    assert.doesNotMatch(state, /not built|does not speak|not yet/, number)
    const named = [...files.matchAll(/`([^`]+)`(?: › ([^,|]+))?/g)]
    assert.ok(named.length > 0, number)
    for (const [index, [, file = '', title]] of named.entries()) {
      const path = join(root, file)
      assert.ok(existsSync(path), `${number}: ${file}`)
      const text = readFileSync(path, 'utf8')
      if (title !== undefined) assert.ok(text.includes(title.trim()), `${number}: ${title}`)
      if (index > 0) continue
      assert.match(text, new RegExp(`test\\(\\s*[\`'"]${number} `), `${number}: a test in ${file}`)
      assert.match(text, /^\/\*\*[\s\S]*?https:\/\/github\.com\/[\s\S]*?\*\//, `${number}: links in ${file}`)
    }
  }
})

/** Plays a session, and does not only look at files of the repository. */
const isStaged = (text: string) =>
  text.includes("from '../support/stage.js'") && !text.includes("import { root } from '../support/stage.js'")

test('every test file that plays a complaint is in the table', () => {
  const all = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== join('contract', 'complaints.test.ts'))
    .filter((name) => isStaged(readFileSync(join(tests, name), 'utf8')))
    .map((name) => `test/${name}`)
  assert.ok(all.length > 25, `${all.length}`)
  const named = new Set(rows.flatMap(([, , , files = '']) => [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => file)))
  assert.deepEqual(
    all.filter((file) => !named.has(file)),
    [],
  )
})
