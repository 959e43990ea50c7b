/** Keeps docs/interop-differences.md true: a row for every reason in test/interop/differences.json, and no other. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// This file runs from .build/test/contract.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Entry = { id: string; where: string; kind: string; why: string; source: string; scenarios?: string[] }

test('the page of known differences is that of the data (npm run interop -- --document)', () => {
  const entries: Entry[] = JSON.parse(read('test/interop/differences.json'))
  const expected = new Map<string, Set<string>>()
  for (const { why, scenarios = ['all'] } of entries)
    expected.set(why, new Set([...(expected.get(why) ?? []), ...scenarios]))
  const rows = read('docs/interop-differences.md').matchAll(/^\| (.*?[^\\]) \| (.*?) \|$/gm)
  const shown = [...rows].map(([, why = '', ids = '']): [string, string[]] => [
    why.replaceAll('\\|', '|'),
    ids.split(', '),
  ])
  const known = [...expected].map(([why, ids]): [string, string[]] => [why, [...ids].sort()])
  assert.deepEqual(new Map(shown.slice(1)), new Map(known))
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, 'ids are unique')
})
