/** A call is read once: the defaults its tool adds, what hosts may change, and inputs that are no objects. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isObject } from '../protocol/json.js'
import { parseCallBlock, toEngineCall } from './read-call.js'
import { createTestPorts, toolUse } from './test-ports.js'
import type { EngineTool } from './tool-port.js'

const read = (input: unknown, tool: Partial<EngineTool> = {}) => {
  const { ports, log } = createTestPorts({ tools: [{ name: 'T', ...tool }] })
  return parseCallBlock(toolUse('toolu_1', 'T', input), ports.tools).then((block) => ({ ...block, log }))
}

describe('a call of the model', () => {
  it('gets the defaults it left out in front, and what it said stands as it was', async () => {
    const {
      kept,
      shown,
      read: found,
    } = await read(
      { b: 'said' },
      {
        parse: (input) => ({ ok: true, input: { ...(isObject(input) ? input : {}), b: 'changed', c: [1] } }),
        prepare: async (input) => ({ ...input, d: 'session' }),
      },
    )
    const whole = { c: [1], d: 'session', b: 'said' }
    assert.deepEqual(kept, toolUse('toolu_1', 'T', whole))
    assert.deepEqual(shown, kept)
    assert.deepEqual(found, {
      call: { id: 'toolu_1', name: 'T', input: whole },
      parsed: { ok: true, input: { b: 'changed', c: [1] } },
      prepared: { b: 'changed', c: [1], d: 'session' },
    })
  })

  it('may be changed by hosts where it is shown, and nothing that runs or is kept changes with it', async () => {
    const given = { list: ['a'] }
    const {
      kept,
      shown,
      read: found,
    } = await read(given, {
      parse: (input) => ({ ok: true, input: { ...(isObject(input) ? input : {}), added: ['x'] } }),
    })
    const input: unknown = shown.input
    assert.ok(isObject(input) && Array.isArray(input['list']) && Array.isArray(input['added']))
    input['list'].push('evil')
    input['added'].push('evil')
    assert.deepEqual(kept.input, { added: ['x'], list: ['a'] })
    assert.deepEqual(found.call.input, { added: ['x'], list: ['a'] })
    assert.deepEqual(found.prepared, { list: ['a'], added: ['x'] })
  })

  it('that its tool does not take is kept as it is, and never prepared', async () => {
    const problem = { ok: false as const, error: 'no', output: 'out' }
    const {
      kept,
      shown,
      read: found,
      log,
    } = await read({ a: 1 }, { parse: () => problem, prepare: async () => assert.fail('prepared') })
    assert.deepEqual([kept, shown], [toolUse('toolu_1', 'T', { a: 1 }), toolUse('toolu_1', 'T', { a: 1 })])
    assert.deepEqual(found, { call: { id: 'toolu_1', name: 'T', input: { a: 1 } }, parsed: problem })
    assert.deepEqual(log, ['parse T'])
  })

  it('of a tool that is not there is read by nobody', async () => {
    const { ports } = createTestPorts()
    const { kept, read: found } = await parseCallBlock(toolUse('toolu_1', 'Nothing', { a: 1 }), ports.tools)
    assert.deepEqual(kept.input, { a: 1 })
    assert.deepEqual(found, { call: { id: 'toolu_1', name: 'Nothing', input: { a: 1 } } })
  })

  it('with an input that is no object counts as one without any, and stays what it was in the conversation', async () => {
    for (const input of ['text', 7, null, true]) {
      const { kept, read: found } = await read(input, {
        parse: (given) => ({ ok: true, input: { ...(isObject(given) ? given : {}), preset: 1 } }),
      })
      assert.deepEqual(kept.input, input)
      assert.deepEqual(found.prepared, { preset: 1 })
      assert.deepEqual(found.call.input, {}, String(input))
    }
  })

  it('gets a default also where its name is one that every object has', async () => {
    const { kept } = await read({}, { parse: () => ({ ok: true, input: { toString: 'x', constructor: 'y' } }) })
    assert.deepEqual(kept.input, { toString: 'x', constructor: 'y' })
  })

  it('is a copy of the input: what is done to one is not done to the other', () => {
    const input = { a: 1 }
    const call = toEngineCall(toolUse('1', 'T', input))
    call.input['a'] = 2
    assert.deepEqual(input, { a: 1 })
  })
})
