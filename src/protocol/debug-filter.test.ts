import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEBUG_FILTER_PATTERN, DEBUG_KINDS, parseDebugFilter } from './debug-filter.js'

const usual = DEBUG_KINDS.filter((kind) => kind !== 'stream')

describe('what --debug shows', () => {
  const cases: [string | undefined, readonly string[]][] = [
    [undefined, usual],
    ['api', ['api']],
    ['tools,api', ['tools', 'api']],
    ['stream', ['stream']],
    ['!control', usual.filter((kind) => kind !== 'control')],
    ['!stream', usual],
    ['api,tools,!tools', ['api']],
    ['!api,!mcp', usual.filter((kind) => kind !== 'api' && kind !== 'mcp')],
  ]
  for (const [filter, kinds] of cases)
    it(String(filter), () => assert.deepEqual([...parseDebugFilter(filter)].sort(), [...kinds].sort()))
})

describe('what a filter looks like', () => {
  for (const filter of ['api', '!api', 'api,tools', 'api,!tools,mcp', ...DEBUG_KINDS])
    it(`like ${filter}`, () => assert.match(filter, DEBUG_FILTER_PATTERN))
  for (const text of ['', 'Explain the api', 'api,', ',api', 'api tools', 'apis', '!!api', 'api\n', 'API'])
    it(`not like ${JSON.stringify(text)}`, () => assert.doesNotMatch(text, DEBUG_FILTER_PATTERN))
})
