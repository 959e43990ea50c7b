/** Every top-level setting of the Claude Agent SDK has an effect here, or is known by name as one that has none. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsShape } from '../../src/settings/keys/known-keys.js'
import { EFFECTLESS_KEYS, UNENFORCED_KEYS } from '../../src/settings/keys/other-keys.js'
import { root } from '../support/stage.js'

const { keys }: { keys: string[] } = JSON.parse(readFileSync(join(root, 'test/contract/settings-names.json'), 'utf8'))
const others = [...UNENFORCED_KEYS, ...EFFECTLESS_KEYS]

test('every key is one of the two, and none is both', () => {
  const own = Object.keys(settingsShape.keys)
  assert.deepEqual(
    keys.filter((key) => !own.includes(key) && !others.includes(key)),
    [],
  )
  assert.deepEqual(
    others.filter((key) => own.includes(key)),
    [],
  )
  assert.deepEqual(
    [...new Set(others)].sort(),
    keys.filter((key) => !own.includes(key)),
  )
})

test('the page names those without effect, in their group', () => {
  const page = readFileSync(join(root, 'docs/settings.md'), 'utf8')
  const [, section = ''] = page.split('\n## Keys of Claude Code without effect\n')
  const [limits = '', rest = ''] = (section.split('\n## ')[0] ?? '').split('\nOther keys:\n')
  const named = (text: string) => [...text.matchAll(/`(\w+)`[,.]/g)].map(([, name]) => name)
  assert.deepEqual(named(limits), [...UNENFORCED_KEYS])
  assert.deepEqual(named(rest), [...EFFECTLESS_KEYS])
})
