import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../../errors.js'
import { findServiceOfModel, nameAtService } from './service.js'
import { builtInPriceOfServiceModel, serviceModelFacts } from './service-models.js'

const at = (model: string, env = {}, own = {}) => {
  const service = findServiceOfModel(model, env, own)
  return service && [service.name, service.api, service.baseUrl.href, service.keyVariable, service.isLocal]
}

test('well-known services need no settings', () => {
  assert.deepEqual(at('openai/gpt-5'), ['openai', 'responses', 'https://api.openai.com/v1', 'OPENAI_API_KEY', false])
  assert.deepEqual(at('ollama/qwen3:32b'), ['ollama', 'chat', 'http://127.0.0.1:11434/v1', 'OLLAMA_API_KEY', true])
  assert.deepEqual(at('openai/gpt-5', { OPENAI_BASE_URL: 'http://localhost:9/v1' })?.[2], 'http://localhost:9/v1')
  const hosts = ['0.0.0.0', 'box:9', 'http://box'].map((OLLAMA_HOST) => at('ollama/x', { OLLAMA_HOST })?.[2])
  assert.deepEqual(hosts, ['http://127.0.0.1:11434/v1', 'http://box:9/v1', 'http://box:11434/v1'])
  const service = findServiceOfModel('openrouter/anthropic/claude-sonnet-4', {})
  assert.equal(service && nameAtService(service, 'openrouter/anthropic/claude-sonnet-4'), 'anthropic/claude-sonnet-4')
})

test('names that are none of a service stay with the Messages API', () => {
  for (const model of ['sonnet', 'claude-opus-4-6', 'meta/llama', '/gpt', 'openai/', 'toString/x', '__proto__/x'])
    assert.equal(at(model), undefined, model)
})

test('with an endpoint of one’s own for Messages, only services that were set up count', () => {
  const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }
  assert.equal(at('openai/gpt-5', env), undefined)
  assert.equal(at('openai/gpt-5', { ...env, OPENAI_API_KEY: 'sk-1' })?.[0], 'openai')
  assert.equal(at('ollama/x', env, { ollama: {} })?.[0], 'ollama')
})

test('the key of a service is not sent to another address of that name', () => {
  assert.equal(at('openai/m', {}, { openai: { baseUrl: 'https://elsewhere.example/v1' } })?.[3], undefined)
  const own = { openai: { baseUrl: 'https://elsewhere.example/v1', apiKeyEnv: 'MY_KEY', api: 'chat' } }
  assert.deepEqual(at('openai/m', {}, own)?.slice(1, 4), ['chat', 'https://elsewhere.example/v1', 'MY_KEY'])
})

test('an address that can’t be one is refused by name, and never repeated', () => {
  const refusal = (baseUrl: string | undefined) => {
    try {
      findServiceOfModel('mine/m', {}, { mine: { baseUrl } })
    } catch (error) {
      assert.ok(error instanceof ConfigurationError)
      return error.message
    }
    return 'taken'
  }
  assert.match(refusal('nonsense'), /^modelProviders\.mine\.baseUrl is not a URL/)
  assert.match(refusal('ftp://x'), /http or https/)
  assert.match(refusal('https://me:hunter22@x/v1'), /^(?!.*hunter22).*apiKeyEnv/)
  assert.match(refusal('https://x/v1?a=b'), /query/)
  assert.match(refusal(undefined), /missing/)
  assert.throws(() => findServiceOfModel('openai/m', { OPENAI_BASE_URL: 'x y' }), /OPENAI_BASE_URL is not a URL/)
})

test('what is known of models: the list, then the settings, then a careful guess', () => {
  const openai = findServiceOfModel('openai/x', {})
  const mine = findServiceOfModel('ollama/q', {}, { ollama: { models: { q: { contextWindow: 8192, images: false } } } })
  assert.ok(openai && mine)
  assert.deepEqual(
    ['openai/gpt-5', 'openai/gpt-4o-2024-08-06', 'openai/unheard-of'].map((model) => {
      const { contextWindow, outputLimit, reasoning, isGuess } = serviceModelFacts(openai, model)
      return [contextWindow, outputLimit, reasoning, isGuess]
    }),
    [
      [400_000, 128_000, true, false],
      [128_000, 16_384, false, false],
      [128_000, 32_000, false, true],
    ],
  )
  const { contextWindow, outputLimit, images, tools, isGuess } = serviceModelFacts(mine, 'ollama/q')
  assert.deepEqual([contextWindow, outputLimit, images, tools, isGuess], [8192, 2048, false, true, false])
  assert.equal(serviceModelFacts(mine, 'ollama/other').contextWindow, 32_768)
  assert.deepEqual(
    [builtInPriceOfServiceModel('openai/gpt-4o')?.output, builtInPriceOfServiceModel('ollama/q')],
    [10, undefined],
  )
})
