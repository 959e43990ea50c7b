import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyCharacter } from '../../test/fast-check.js'
import { cleanDescription, cleanServerLine, toNamePart, toPrefixedMcpToolName, withUniqueEnd } from './clean-text.js'

test('whatever servers and tools are called, the API takes the name', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      (server, tool) => {
        const name = toPrefixedMcpToolName(server, tool)
        assert.match(name, /^mcp__[a-zA-Z0-9_-]{0,123}$/)
        assert.equal(toPrefixedMcpToolName(server, tool), name, 'the same every time')
        assert.match(withUniqueEnd(name, `${server}\0${tool}`), /^[a-zA-Z0-9_-]{1,128}$/)
      },
    ),
  )
})

test('a name that fits is kept as it is, to the last character', () => {
  const room = 128 - 'mcp__s__'.length
  assert.equal(toPrefixedMcpToolName('s', 'x'.repeat(room)), `mcp__s__${'x'.repeat(room)}`)
  assert.match(toPrefixedMcpToolName('s', 'x'.repeat(room + 1)), /^mcp__s__x+_[0-9a-f]{8}$/)
  assert.equal(toNamePart('a.b c/ü😀-_9'), 'a_b_c____-_9')
})

test('what is cut off still counts: server and tool are told apart by their marks', () => {
  const long = 'n'.repeat(130)
  const names = [
    toPrefixedMcpToolName(long, 'a'),
    toPrefixedMcpToolName(long, 'b'),
    toPrefixedMcpToolName(`${long}a`, ''),
    toPrefixedMcpToolName('n', `${long}a`),
  ]
  assert.equal(new Set(names).size, names.length)
})

test('a description keeps its lines, loses what nobody sees, and has an end', () => {
  assert.equal(cleanDescription('  one\ntwo\u202e\u200b  '), 'one\ntwo')
  assert.equal(cleanDescription(7), '')
  assert.equal(cleanDescription('x'.repeat(4000)).length, 4000)
  const cut = cleanDescription('x'.repeat(4001))
  assert.deepEqual([cut.length, cut.at(-1)], [4000, '…'])
})

test('a line is one line, within its length, and nothing for what is no text', () => {
  assert.equal(cleanServerLine('a\n\tb\u0007  c', 10), 'a b c')
  assert.equal(cleanServerLine({}), '')
  assert.equal(cleanServerLine('abcdef', 4), 'abc…')
})
