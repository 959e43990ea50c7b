import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// This file runs from .build/src/protocol.
const protocol = fileURLToPath(new URL('../../../src/protocol/', import.meta.url))

test('no exported type of a public module is left out', async () => {
  const text = await readFile(`${protocol}public-types.ts`, 'utf8')
  const blocks = [...text.matchAll(/export type \{([^}]*)\} from '\.\/([\w-]+)\.js'/g)]
  assert.equal(blocks.length, 13)
  for (const [, list = '', name = ''] of blocks) {
    const module = await readFile(`${protocol}${name}.ts`, 'utf8')
    const declared = [...module.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, type]) => type)
    assert.deepEqual(list.match(/\w+/g)?.sort(), declared.sort(), name)
  }
})
