/** Hostile repositories, opened with the library that names no settings. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sampledTest } from '../support/tier.js'
import { answerOf, harmlessCalls, NOTHING, withoutOwnPrograms } from './expect.js'
import { openWithLibrary } from './open.js'
import { ALL_REPOSITORIES, REPOSITORIES, tableRows } from './repositories.js'

describe('a hostile repository, opened with the library', { skip: process.platform === 'win32' }, () => {
  for (const hostile of REPOSITORIES) {
    test(`${hostile.id}: ${hostile.mechanism}`, async () => {
      const { answer, stderr, ...seen } = await openWithLibrary(hostile)
      assert.deepEqual(seen, NOTHING, stderr)
      assert.match(answer ?? '', answerOf(hostile, 'Hi.'))
    })

    sampledTest(`${hostile.id}, worked in with harmless tools`, async () => {
      const { answer, stderr, ...seen } = withoutOwnPrograms(await openWithLibrary(hostile, { turns: harmlessCalls }))
      assert.deepEqual(seen, NOTHING, stderr)
      assert.match(answer ?? '', answerOf(hostile, 'Done.'))
    })
  }
})

test('docs/hostile-repositories.md lists all of them, each once', () => {
  const rows = readFileSync('docs/hostile-repositories.md', 'utf8').match(/^\| (?!what|id|-)\S+ \|.*\|$/gm)
  assert.deepEqual(rows, tableRows)
  assert.equal(new Set(ALL_REPOSITORIES.map(({ id }) => id)).size, ALL_REPOSITORIES.length)
})
