import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Options } from '../../protocol/options.js'
import { initializeRequest } from './initialize.js'

const nothing = { own: true, hooks: undefined, sdkMcpServers: [], sdkMcpServerManifests: undefined }

test('no option means no system prompt; the preset means the one of the agent, with something appended or not', () => {
  const preset = { type: 'preset', preset: 'claude_code' } as const
  assert.deepEqual(initializeRequest({}, nothing), { subtype: 'initialize', systemPrompt: '' })
  assert.deepEqual(initializeRequest({ systemPrompt: 'Be brief.' }, nothing).systemPrompt, 'Be brief.')
  assert.deepEqual(initializeRequest({ systemPrompt: preset }, nothing), { subtype: 'initialize' })
  assert.deepEqual(initializeRequest({ systemPrompt: { ...preset, append: 'More.' } }, nothing), {
    subtype: 'initialize',
    appendSystemPrompt: 'More.',
  })
})

test('only what is there is told', () => {
  const schema = { type: 'object' }
  const options = { outputFormat: { type: 'json_schema', schema }, promptSuggestions: true, agents: {} } as const
  const request = initializeRequest(options, {
    own: true,
    hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] },
    sdkMcpServers: ['calc'],
    sdkMcpServerManifests: { calc: {} },
  })
  assert.deepEqual(request, {
    subtype: 'initialize',
    systemPrompt: '',
    hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] },
    sdkMcpServers: ['calc'],
    sdkMcpServerManifests: { calc: {} },
    jsonSchema: schema,
    agents: {},
    promptSuggestions: true,
  })
})

test('servers that are sent here are in the order of the option; another program gets those of this process by name alone', () => {
  const instance = { connect: async () => {}, close: async () => {} }
  const mine = { type: 'sdk', name: 'mine', instance } as const
  const options: Options = { mcpServers: { mine, s: { command: 'x' } }, mcpServersDelivery: 'initialize' }
  const named = { type: 'sdk', name: 'mine' }
  assert.deepEqual(Object.entries(initializeRequest(options, nothing).mcpServers ?? {}), [
    ['mine', named],
    ['s', { command: 'x' }],
  ])
  assert.deepEqual(initializeRequest(options, { ...nothing, own: false }).mcpServers, { s: { command: 'x' } })
  assert.equal(
    initializeRequest({ mcpServers: { mine }, mcpServersDelivery: 'initialize' }, nothing).mcpServers,
    undefined,
  )
})
