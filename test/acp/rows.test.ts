/** The 32 rows of the feature table (docs/acp.md), each with a client that can take everything and with one that can take nothing. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestOptions } from 'kedge/testing'
import { byTier, isInPart } from '../support/tier.js'
import { openRig } from './rig.js'
import { sessionRows } from './rows-session.js'
import { turnRows } from './rows-turn.js'
import { HOOKS, workRows } from './rows-work.js'

const rows = { ...turnRows, ...workRows, ...sessionRows }
const prepare = ({ env }: TestOptions) =>
  writeFileSync(join(env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json'), JSON.stringify({ hooks: HOOKS }))

test('there are 32 rows', () => assert.equal(Object.keys(rows).length, 32))

for (const kind of byTier<readonly ('rich' | 'poor')[]>({ quick: ['rich'], all: ['rich', 'poor'] })) {
  const rig = await openRig(kind, { prepare })
  for (const [number, [title, row]] of Object.entries(rows)) {
    // The first one is a whole turn.
    if (number !== '1' && !isInPart(title)) continue
    test(`row ${number} (${kind}): ${title}`, async () => {
      rig.calm()
      await row(rig)
    })
  }
  test(`all rows (${kind}): every message was as the schema says, and nothing is left behind`, async () => {
    await rig[Symbol.asyncDispose]()
  })
}
