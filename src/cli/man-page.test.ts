import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { CLI_COMMANDS_WITH_SUBCOMMANDS } from '../protocol/command-table/all-commands.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { manPage } from './man-page.js'

const page = manPage('1.2.3')

test('every flag and command is in it, once', () => {
  const terms = [...page.matchAll(/^\.TP\n\.B (.*)$/gm)].map(([, term = '']) => term.replaceAll('\\-', '-'))
  for (const { name } of FLAGS) {
    const found = terms.filter((term) => new RegExp(`(?:^|, )--${name}(?: |$)`).test(term))
    assert.equal(found.length, 1, name)
  }
  for (const { name } of CLI_COMMANDS_WITH_SUBCOMMANDS)
    assert.equal(terms.filter((term) => term === `kedge ${name}`).length, 1, name)
  assert.match(page, /^\.TH KEDGE 1 "" "Kedge 1\.2\.3"/)
})

test('help that looks like a request of roff is text', () => {
  const help = ".so /etc/passwd\n'nothing \\fB"
  assert.ok(
    manPage('1', [{ name: 'odd', kind: 'switch', help, group: 'ask' }]).includes(
      "\\&.so /etc/passwd\n\\&'nothing \\efB",
    ),
  )
})

const groff = spawnSync('groff', ['--version']).status === 0 ? false : 'there is no groff here'

test('groff takes it without a warning', { skip: groff }, () => {
  const { stdout, stderr } = spawnSync('groff', ['-man', '-Tascii', '-ww', '-P-cbou'], {
    input: page,
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.match(stdout, /kedge migrate/)
})
