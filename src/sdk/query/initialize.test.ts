import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initializeRequest } from './initialize.js'

const nothing = { hooks: undefined, sdkMcpServers: [], sdkMcpServerManifests: undefined }

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
