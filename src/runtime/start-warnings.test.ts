import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { nodePlatform } from '../platform/node-platform.js'
import { findStartWarnings } from './start-warnings.js'

const warn = (settings: Partial<Parameters<typeof findStartWarnings>[0]>) =>
  findStartWarnings({ allow: [], deny: [], directories: [], configDir: '/nowhere', ...settings }, nodePlatform())

it('names folders that are not there and rules for tools that do not exist, each once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-warnings-'))
  const gone = join(folder, 'gone')
  assert.deepEqual(
    await warn({ directories: [folder, gone, gone], allow: ['Read', 'Raed(x)', 'mcp__a__b'], deny: ['Bsh'] }),
    [
      `${gone} (--add-dir) does not exist.`,
      'the rule Raed(x) (--allowedTools) is for a tool that does not exist.',
      'the rule Bsh (--disallowedTools) is for a tool that does not exist.',
    ],
  )
  rmSync(folder, { recursive: true })
})

it('stops after as many of a kind as anybody reads', async () => {
  const warnings = await warn({ deny: Array.from({ length: 500 }, (_, n) => `X${n}`) })
  assert.deepEqual([warnings.length, warnings.at(-1)], [21, '480 more of the same kind.'])
})
