import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLimits } from './server-limits.js'

test('only whole numbers above zero set a limit, and none is more than a timer can wait', () => {
  const unset = readLimits({})
  const cases: [string, number][] = [
    ['5000', 5000],
    [' 5000 ', 5000],
    ['0', unset.connectMs],
    ['', unset.connectMs],
    ['-1', unset.connectMs],
    ['1.5', unset.connectMs],
    ['1e3', unset.connectMs],
    ['0x10', unset.connectMs],
    ['5000ms', unset.connectMs],
    ['999999999999999', 2 ** 31 - 1],
    ['9999999999999999', unset.connectMs],
  ]
  for (const [given, wanted] of cases) assert.equal(readLimits({ MCP_TIMEOUT: given }).connectMs, wanted, given)
})

test('each variable sets its own limit', () => {
  assert.deepEqual(readLimits({ MCP_TIMEOUT: '1', MCP_TOOL_TIMEOUT: '2', MAX_MCP_OUTPUT_TOKENS: '3' }), {
    connectMs: 1,
    callMs: 2,
    outputTokens: 3,
  })
  assert.equal(readLimits({ MAX_MCP_OUTPUT_TOKENS: '99999999999' }).outputTokens, 10_000_000)
})
