import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Options } from '../options.js'
import { secretValues } from './secrets.js'

const server = { command: 'x', env: { A_TOKEN: 'hunter2-hunter2' } }

/** Those that hold something. */
const held = (options: Options) => secretValues(options).filter((value) => value !== undefined && `${value}` !== '')

test('options that may hold credentials are looked through as they are sent, live objects left out', () => {
  // As servers of this process are: objects that lead back to themselves.
  const instance = { connect: async () => {}, close: async () => {}, self: {} }
  instance.self = instance
  const mcpServers: Options['mcpServers'] = { s: server, mine: { type: 'sdk', name: 'mine', instance } }
  assert.deepEqual(held({ mcpServers, model: 'sonnet' }), [
    JSON.stringify({ mcpServers: { s: server, mine: { type: 'sdk', name: 'mine' } } }),
  ])
  assert.deepEqual(held({ settings: { env: { B_KEY: 'x' } }, extraArgs: { init: null } }), [
    ['--init'],
    '{"env":{"B_KEY":"x"}}',
  ])
  assert.deepEqual(held({ mcpServers: { s: server }, mcpServersDelivery: 'initialize' }), [
    JSON.stringify({ mcpServers: { s: server } }),
  ])
})

test('what can not be sent is no secret, and no error here', () => {
  assert.deepEqual(held({ settings: '/a/file.json', sandbox: { enabled: true }, mcpServers: { s: server } }), [
    JSON.stringify({ mcpServers: { s: server } }),
  ])
  assert.deepEqual(held({}), [])
})
