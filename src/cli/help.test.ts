import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOP_LEVEL_COMMANDS } from '../protocol/command-table/all-commands.js'
import type { Flag } from '../protocol/option-table/flag-row.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { helpText } from './help.js'

describe('kedge --help', () => {
  const help = (...flags: Flag[]) => helpText(flags).split('\n')

  it('lists a flag in its group, its text in a column of its own', () => {
    const lines = help(
      { name: 'quiet', kind: 'switch', short: 'q', group: 'trouble', help: 'print nothing' },
      { name: 'resume', kind: 'text', value: 'ID', optional: true, group: 'sessions', help: 'goes on' },
      { name: 'model', kind: 'text', value: 'MODEL', group: 'model', help: 'which one' },
    )
    const after = (title: string) => lines[lines.indexOf(title) + 1]
    assert.equal(after('Help and debugging options:'), '  -q, --quiet  print nothing')
    assert.equal(after('Session options:'), '  --resume [ID]  goes on')
    assert.equal(after('Model and cost options:'), '  --model MODEL  which one')
  })

  it('puts the text of a long flag on the next line', () => {
    const name = 'a-name-that-takes-the-whole-line'
    const lines = help({ name, kind: 'switch', group: 'ask', help: 'says nothing' })
    const at = lines.indexOf(`  --${name}`)
    assert.equal(lines[at + 1], '    says nothing')
  })

  it('leaves out what only hosts use', () => {
    const hidden: Flag = { name: 'for-hosts', kind: 'switch', help: 'never seen' }
    assert.doesNotMatch(helpText([hidden]), /for-hosts|never seen/)
  })

  it('has every flag for people once, and every command', () => {
    const text = helpText()
    for (const { name, group } of FLAGS) {
      const found = text.match(new RegExp(`^  (?:-\\w, )?--${name}(?: |$)`, 'gm')) ?? []
      assert.equal(found.length, group ? 1 : 0, name)
    }
    for (const { name } of TOP_LEVEL_COMMANDS) assert.match(text, new RegExp(`^  ${name} `, 'm'))
  })
})
