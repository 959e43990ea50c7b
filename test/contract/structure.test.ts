import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = process.cwd()
const load = (name: string): Promise<Record<string, (root: string) => string[] | Promise<string[]>>> =>
  import(pathToFileURL(join(root, 'scripts', name)).href)

for (const check of ['checkLayers', 'checkSizes', 'checkNames', 'checkCasts']) {
  test(`${check}: the tree is as the architecture says`, async () => {
    const run = (await load('check-structure.mjs'))[check]
    assert.deepEqual(await run?.(root), [])
  })
}

test('the package exports exactly the names that were decided', async () => {
  const run = (await load('check-exports.mjs'))['checkExports']
  assert.deepEqual(await run?.(root), [])
})
