/** Every example and every recipe runs as it is, offline, and its assertions hold; so does the demo. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { runProgram } from '../support/run-program.js'
import { sampledTest as test } from '../support/tier.js'

const programsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name))
const EXAMPLES = programsIn('examples')
const RECIPES = programsIn('examples/cookbook')
/** These need more than Node: a database, and a pull request. They have tests of their own. */
const NOT_ALONE = ['database-tool.mjs', 'review-pull-request.mjs'].map((name) => join('examples/cookbook', name))

describe('examples', { concurrency: 3 }, () => {
  test('are numbered from 01 to 14, and the cookbook lists each of them, and each recipe', () => {
    const numbers = Array.from({ length: 14 }, (_, index) => `${String(index + 1).padStart(2, '0')}-`)
    assert.deepEqual(
      EXAMPLES.map((path) => path.slice('examples/'.length, 'examples/'.length + 3)),
      numbers,
    )
    const list = readFileSync('docs/cookbook.md', 'utf8')
    const pages = ['basics', 'web', 'automation', 'services'].map((name) => `docs/cookbook-${name}.md`)
    const recipes = pages.map((page) => readFileSync(page, 'utf8')).join('\n')
    for (const path of [...EXAMPLES, ...RECIPES]) {
      assert.ok(list.includes(`(../${path})`), path)
      assert.ok(recipes.includes(`<!-- from: ${path} -->`), `no page shows code of ${path}`)
    }
  })

  for (const path of [...EXAMPLES, ...RECIPES]) {
    test(`${path} runs, asserts, cleans up, and is short`, async () => {
      const source = readFileSync(path, 'utf8')
      assert.ok(source.split('\n').length <= 61)
      if (NOT_ALONE.includes(path)) return
      assert.match(source, /^ *assert/m)
      const { code, stderr, left } = await runProgram(path)
      assert.deepEqual({ code, stderr, left }, { code: 0, stderr: '', left: [] })
    })
  }

  test('the demo runs and finds everything as it should be', async () => {
    const { code, stdout, stderr, left } = await runProgram(join('scripts', 'demo.mjs'))
    assert.deepEqual({ code, stderr, left }, { code: 0, stderr: '', left: [] })
    assert.match(stdout, /\n7\. The command line\n.*Everything was as it should be/s)
  })
})
