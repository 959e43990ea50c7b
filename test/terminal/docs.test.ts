/** docs/terminal.md lists the keys there are. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KEY_HELP } from '../../src/terminal/commands/key-help.js'

test('the keys of the page are those of the help', () => {
  const page = readFileSync('docs/terminal.md', 'utf8')
  const [, table = ''] = /\| Key \| Effect \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? []
  assert.equal(table, KEY_HELP.map(({ keys, does }) => `| ${keys} | ${does} |\n`).join(''))
})
