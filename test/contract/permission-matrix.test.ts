/** The matrix of permission decisions against the committed table. After a wanted change: `npm run -s permissions -- --matrix`. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KINDS, MODES, matrix, RULES } from './permission-matrix.js'

const committed = readFileSync(new URL('./fixtures/permission-matrix.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test('every cell of the matrix is as committed', async () => {
  assert.deepEqual(await matrix(), committed)
})

test('the committed table keeps what no table may give away', () => {
  const [, ...lines] = committed
  assert.equal(lines.length, MODES.length * Object.keys(KINDS).length * RULES.length)
  for (const line of lines) {
    const [mode, kind = '', rule, plain = '', allowed = '', asked = '', denied, crashed] = line.split(' | ')
    const strict: Record<string, number> = { allow: 0, ask: 1, deny: 2 }
    assert.deepEqual([denied, crashed], ['deny', 'deny'], line)
    if (rule === 'deny') assert.deepEqual([plain, allowed, asked], ['deny', 'deny', 'deny'], line)
    if (rule === 'ask') assert.ok(![plain, allowed, asked].includes('allow'), line)
    if (mode === 'dontAsk') assert.ok(![plain, allowed, asked].includes('ask'), line)
    if (['critical removal', 'question'].includes(kind)) assert.ok(![plain, allowed, asked].includes('allow'), line)
    if (kind === 'edit protected' && mode !== 'bypassPermissions')
      assert.ok(![plain, allowed, asked].includes('allow'), line)
    if (mode === 'plan' && !/^(?:read|search|to-do|agent)/.test(kind))
      assert.ok(![plain, allowed, asked].includes('allow'), line)
    // A hook's yes never makes it stricter, its `ask` never milder.
    assert.ok((strict[allowed] ?? 0) <= (strict[plain] ?? 0) && (strict[asked] ?? 0) >= (strict[plain] ?? 0), line)
  }
})
