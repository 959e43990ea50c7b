/** Somebody who looks elsewhere is told; somebody who is there is not. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promptHistory } from '../machine/prompt-history.js'
import { AttentionSignals } from './attention.js'

function attentionIn(env: Record<string, string> = {}) {
  const told: string[] = []
  const commands: string[] = []
  let now = 100_000
  const command = (title: string, text: string) => void commands.push(`${title}|${text}`)
  const attention = new AttentionSignals({ env, write: (text) => void told.push(text), now: () => now, command })
  const wait = (ms: number) => {
    now += ms
  }
  return { attention, told, commands, wait }
}
const BELL = '\u0007'

describe('attention', () => {
  test('a bell, and the user’s own program, when nobody typed for a while', () => {
    const { attention, told, commands, wait } = attentionIn()
    attention.typed()
    attention.needed('Run npm test?')
    assert.deepEqual(told, [])
    wait(8001)
    attention.needed('Run npm test?')
    assert.deepEqual([told, commands], [[BELL], ['Kedge needs you|Run npm test?']])
  })

  test('a terminal that says whether it is looked at is believed', () => {
    const { attention, told, wait } = attentionIn()
    attention.looked(true)
    wait(60_000)
    attention.needed('x')
    assert.deepEqual(told, [])
    attention.looked(false)
    attention.typed()
    attention.needed('x')
    assert.equal(told.length, 1)
  })

  test('the end of a long turn, not of a short one', () => {
    const { attention, told, commands } = attentionIn()
    attention.ended(9_999, 'Ships')
    assert.deepEqual(told, [])
    attention.ended(10_000, undefined)
    assert.deepEqual(commands, ['Kedge is done|'])
  })

  test('as the terminal understands it, or as it was chosen', () => {
    const ways: [env: Record<string, string>, written: string][] = [
      [{ TERM_PROGRAM: 'iTerm.app' }, '\u001b]9;Kedge needs you: a  b\u0007'],
      [{ TERM: 'xterm-kitty' }, '\u001b]9;Kedge needs you: a  b\u0007'],
      [{ TERM: 'foot' }, '\u001b]777;notify;Kedge needs you;Kedge needs you: a  b\u0007'],
      [{ TERM: 'foot', KEDGE_NOTIFY: 'bell' }, BELL],
    ]
    for (const [env, written] of ways) {
      const { attention, told } = attentionIn(env)
      // What was asked for can not end the sequence.
      attention.needed('a; b')
      assert.deepEqual(told, [written], JSON.stringify(env))
    }
    const { attention, told, commands } = attentionIn({ KEDGE_NOTIFY: 'off' })
    attention.needed('x')
    assert.deepEqual([told, commands], [[], []])
  })
})

describe('what was typed before', () => {
  const inFolder = (work: (folder: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), 'kedge-prompts-'))
    try {
      work(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  test('is there the next time, in this folder only, for its user only', () =>
    inFolder((folder) => {
      const history = promptHistory(folder, '/a')
      history.add('one')
      history.add('two\nlines')
      history.add('two\nlines')
      history.add('x'.repeat(100_001))
      assert.deepEqual(promptHistory(folder, '/a').entries, ['one', 'two\nlines'])
      assert.deepEqual(promptHistory(folder, '/b').entries, [])
      const [file = ''] = readdirSync(join(folder, 'prompts'))
      assert.equal(statSync(join(folder, 'prompts', file)).mode & 0o777, 0o600)
    }))

  test('lines that are no prompts are passed over, and a long file is cut to the last thousand', () =>
    inFolder((folder) => {
      promptHistory(folder, '/a').add('first')
      const [name = ''] = readdirSync(join(folder, 'prompts'))
      const file = join(folder, 'prompts', name)
      writeFileSync(file, '"one"\nbroken\n7\n{"a":1}\n"two"\n')
      assert.deepEqual(promptHistory(folder, '/a').entries, ['one', 'two'])
      writeFileSync(file, Array.from({ length: 2001 }, (_, n) => `"p${n}"\n`).join(''))
      const { entries } = promptHistory(folder, '/a')
      assert.deepEqual([entries.length, entries.at(-1)], [1000, 'p2000'])
      assert.equal(readFileSync(file, 'utf8').split('\n').length, 1001)
    }))
})
