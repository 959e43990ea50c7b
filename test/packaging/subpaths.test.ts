/** Parts that the original package exports beside its main one: the same here, or a sentence that says what to use. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'

const ORIGINAL = ['core', 'embed', 'extract', 'browser', 'bridge']

test('kedge/core is the library', async () => {
  const [core, main] = await Promise.all(['kedge/core', 'kedge'].map((name) => import(name)))
  assert.equal(core.query, main.query)
})

for (const part of ORIGINAL.slice(1)) {
  test(`kedge/${part} fails with a sentence that says what to use`, async () => {
    await assert.rejects(import(`kedge/${part}`), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'unsupported_option')
      assert.match(error.message, new RegExp(`^kedge/${part} doesn't exist, because .+\\. .*(use|Import) `))
      for (const [page] of error.message.matchAll(/docs\/[\w-]+\.md/g)) assert.ok(existsSync(page), page)
      return true
    })
  })
}
