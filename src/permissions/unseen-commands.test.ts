import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPermissions } from './test-engine.js'

async function decide(command: string) {
  const permissions = createTestPermissions({ allow: ['Bash(echo *)', 'Bash(git commit *)'] })
  const facts = { kind: 'command', command, cwd: '/repo' } as const
  return (await permissions.decide({ id: 't', name: 'Bash', input: { command } }, facts)).behavior
}

test('a command with something in it that nobody sees is asked about, whatever allows it', async () => {
  const ranges = [
    [0xfe00, 0xfe0f],
    [0xe0100, 0xe01ef],
    [0x1d173, 0x1d17a],
    [0x180b, 0x180f],
    [0x115f, 0x1160],
  ]
  ranges.push([0xe0000, 0xe007f], [0x2028, 0x202e], [0x200b, 0x200f], [0x3164, 0x3164], [0xffa0, 0xffa0])
  for (const [from = 0, to = 0] of ranges)
    for (const code of new Set([from, Math.floor((from + to) / 2), to]))
      assert.equal(await decide(`echo a${String.fromCodePoint(code)}b`), 'ask', code.toString(16))
  for (const command of ['echo *\ufe0f', 'echo 1\ufe0f', 'echo ❤\ufe0f\ufe0f'])
    assert.equal(await decide(command), 'ask')
})

test('emoji in the message of a commit are no reason to ask', async () => {
  for (const command of ['git commit -m "❤️ 🐛 fix"', 'git commit -m "1️⃣ ✅ 👍🏽"', 'echo ä 漢字'])
    assert.equal(await decide(command), 'allow', command)
})
