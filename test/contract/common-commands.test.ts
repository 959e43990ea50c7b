/** Questions too many make people allow everything: of the commands they run most, few may ask. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeCommonCommands } from './common-commands.js'

test('of the 200 most common commands that only look, at most 5 % ask', async () => {
  const { total, asking } = await judgeCommonCommands()
  assert.equal(total, 200)
  assert.ok(asking.length <= total * 0.05, `${asking.length} ask:\n${asking.join('\n')}`)
})

test('of the lines that models write to look around, at most 12 % ask', async () => {
  const { total, asking } = await judgeCommonCommands('everyday-commands.txt')
  assert.equal(total, 180)
  assert.ok(asking.length <= total * 0.12, `${asking.length} ask:\n${asking.join('\n')}`)
})
