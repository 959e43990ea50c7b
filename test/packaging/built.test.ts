/** When a build may be left out: only when it would make what is there. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './installed.js'

type Built = {
  hashInputs(root: string): Promise<string>
  noteBuilt(dist: string, inputs: string): Promise<void>
  isBuilt(root: string, dist: string): Promise<boolean>
}

test('what was built is built again when a source, the installed packages or the result changed', async () => {
  const { hashInputs, noteBuilt, isBuilt }: Built = await import(join(root, 'scripts/built.mjs'))
  const folder = mkdtempSync(join(tmpdir(), 'kedge-built-'))
  try {
    const dist = join(folder, 'dist')
    for (const name of ['dist/lazy', 'src/part', 'node_modules']) mkdirSync(join(folder, name), { recursive: true })
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
    const build = async () => {
      const inputs = await hashInputs(folder)
      write('dist/lazy/one.cjs', 'one')
      await noteBuilt(dist, inputs)
    }
    write('src/part/one.ts', 'one')
    write('node_modules/.package-lock.json', '{}')
    assert.equal(await isBuilt(folder, dist), false)
    await build()
    assert.equal(await isBuilt(folder, dist), true)
    write('dist/left-by-a-run.cache', '')
    assert.equal(await isBuilt(folder, dist), true)

    const changes: [what: string, change: () => void][] = [
      ['a source', () => write('src/part/one.ts', 'two')],
      ['a new source', () => write('src/part/two.ts', '')],
      ['a removed source', () => rmSync(join(folder, 'src/part/two.ts'))],
      ['another package', () => write('node_modules/.package-lock.json', '{"packages":{}}')],
      ['a result of the same size', () => utimesSync(join(dist, 'lazy/one.cjs'), 1, 1)],
      ['a removed result', () => rmSync(join(dist, 'lazy/one.cjs'))],
      ['a stamp that was cut off', () => write('dist/.built', '{"inputs":')],
    ]
    for (const [what, change] of changes) {
      await build()
      assert.equal(await isBuilt(folder, dist), true, `before ${what}`)
      change()
      assert.equal(await isBuilt(folder, dist), false, what)
    }
    // During a build: what it read may be the old text.
    const before = await hashInputs(folder)
    write('src/part/one.ts', 'three')
    await noteBuilt(dist, before)
    assert.equal(await isBuilt(folder, dist), false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
