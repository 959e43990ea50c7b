/** Twice as much of something costs twice as much, and no more: counted, so that a busy machine fails nothing. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Growth = Record<string, Record<'files' | 'serialized' | 'encoded', number>>

// A script of its own, outside of what is compiled; this is its export.
const { measureGrowth } = (await import(pathToFileURL(join(process.cwd(), 'bench', 'growth.mjs')).href)) as {
  measureGrowth(): Promise<Growth>
}

const tooFast = (growth: Growth): string[] =>
  Object.entries(growth).flatMap(([name, times]) =>
    Object.entries(times).flatMap(([what, factor]) => (factor <= 2.2 ? [] : [`${name}: ${what}`])),
  )

test('no work grows faster than what it is done for: calls, files, todos, what a project says', async () => {
  const growth = await measureGrowth()
  const first = tooFast(growth)
  // A busy machine has us look at the disk once more here and there: what grows does so each time.
  const again = first.length === 0 ? [] : tooFast(await measureGrowth())
  assert.deepEqual(
    first.filter((one) => again.includes(one)),
    [],
  )
  // Each case does what it is about: what is counted grows at all.
  for (const [name, { encoded }] of Object.entries(growth)) assert.ok(encoded > 1.8, `${name}: ${encoded} ×`)
})
