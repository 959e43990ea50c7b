import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { request, testClient } from '../../../test/support/client.js'
import { fixForMeantModel, meantModel, unknownModelFailure } from './unknown-model.js'

const plain = { ownEndpoint: false }

describe('a misspelled model', () => {
  for (const [model, meant] of [
    ['pratice', 'practice'],
    ['Practice', 'practice'],
    ['sonet', 'sonnet'],
    ['sonnte[1m]', 'sonnet'],
    ['hiaku', 'haiku'],
    ['opnai/gpt-5', 'openai/gpt-5'],
    ['OpenAI/gpt-5', 'openai/gpt-5'],
    ['olama/qwen3:32b', 'ollama/qwen3:32b'],
    ['my-gatway/fast', 'my-gateway/fast'],
  ] as const)
    it(`${model}: ${meant}`, () => {
      const facts = { ...plain, model, services: ['my-gateway'] }
      assert.equal(meantModel(facts), meant)
      assert.match(unknownModelFailure(facts)?.text ?? '', / that Kedge knows\. Did you mean [\w-]+\?$/)
    })

  for (const model of ['practice', 'claude-sonnet-9', 'gpt-5', 'test', 'o3', 'openai/gpt-9', 'my-gateway/fast', '/x'])
    it(`${model} might be a model`, () =>
      assert.equal(unknownModelFailure({ ...plain, model, services: ['my-gateway'] }), undefined))

  it("of a service that is far from all: the services, unless the endpoint is the user's own", () => {
    const text = unknownModelFailure({ ...plain, model: 'meta-llama/llama-4' })?.text ?? ''
    assert.match(text, /^meta-llama isn't a service that Kedge knows\. Services: openai, openrouter, /)
    assert.equal(unknownModelFailure({ ownEndpoint: true, model: 'meta-llama/llama-4' }), undefined)
  })

  it('is corrected by the fix', () => {
    assert.equal(fixForMeantModel('practice'), "Set the option `model: 'practice'`.")
    assert.equal(fixForMeantModel('sonnet'), 'To use sonnet, set the option `model`.')
  })
})

/** What the client says of a model without a key; with one, nothing is known before the API was asked. */
async function failureWithout(model: string): Promise<string> {
  const { client, http } = testClient('http://127.0.0.1:9', {
    credential: () => ({ kind: 'none', explanation: 'Set a key.' }),
  })
  try {
    for await (const event of client.stream(request({ model }), new AbortController().signal))
      if (event.type === 'end' && !event.outcome.ok) return event.outcome.failure.text
    return ''
  } finally {
    http.close()
  }
}

test('without a key, the misspelled name is the problem, and of other names the key', async () => {
  assert.equal(await failureWithout('pratice'), "pratice isn't a model that Kedge knows. Did you mean practice?")
  assert.match(await failureWithout('claude-next'), /No API key was found/)
})
