/** Which header carries what, which model is asked, and what hosts are told of it: as the original was seen to do. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Options, query } from 'kedge'
import { collect, type ModelServer, startModelServer, testOptions } from 'kedge/testing'

const headersOf = ({ requests }: ModelServer) => {
  const { 'x-api-key': key, authorization } = requests[0]?.headers ?? {}
  return [key, authorization]
}

test('a key, a bearer token, both, a helper: headers, apiKeySource and accountInfo()', async () => {
  const none = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: undefined }
  const key = { ANTHROPIC_API_KEY: 'sk-ant-k' }
  const token = { ANTHROPIC_AUTH_TOKEN: 'tok' }
  const cases: [Record<string, string | undefined>, unknown[], string, object][] = [
    [key, ['sk-ant-k', undefined], 'ANTHROPIC_API_KEY', { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' }],
    [token, [undefined, 'Bearer tok'], 'none', { tokenSource: 'ANTHROPIC_AUTH_TOKEN' }],
    [
      { ...key, ...token },
      ['sk-ant-k', 'Bearer tok'],
      'ANTHROPIC_API_KEY',
      { tokenSource: 'ANTHROPIC_AUTH_TOKEN', apiKeySource: 'ANTHROPIC_API_KEY' },
    ],
    [{}, ['helped', 'Bearer helped'], 'apiKeyHelper', { tokenSource: 'apiKeyHelper', apiKeySource: 'apiKeyHelper' }],
  ]
  for (const [env, headers, source, account] of cases) {
    await using server = await startModelServer(['Hello.'])
    await using options = testOptions(server, { env: { ...none, ...env } })
    writeFileSync(join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json'), '{"apiKeyHelper":"echo helped"}')
    const running = query({ prompt: 'Hi', options })
    assert.deepEqual(await running.accountInfo(), account)
    const { messages } = await collect(running)
    const init = messages.find((message) => message.type === 'system' && message.subtype === 'init')
    assert.equal(init && 'apiKeySource' in init && init.apiKeySource, source)
    assert.deepEqual(headersOf(server), headers)
  }
})

test('opusplan is sonnet, and opus while a plan is made', async () => {
  await using server = await startModelServer(() => 'Hello.')
  await using options = testOptions(server)
  const ask = (more: Options) => collect(query({ prompt: 'Hi', options: { ...options, ...more } }))
  await ask({ model: 'opusplan' })
  await ask({ model: 'opusplan', permissionMode: 'plan' })
  await ask({ model: 'best' })
  await ask({ env: { ...options.env, ANTHROPIC_MODEL: 'opusplan' }, permissionMode: 'plan' })
  await ask({ model: 'opus', permissionMode: 'plan' })
  assert.deepEqual(
    server.requests.map(({ body }) => body.model),
    ['claude-sonnet-4-6', 'claude-opus-4-6', 'claude-opus-4-6', 'claude-opus-4-6', 'claude-opus-4-6'],
  )
})

test('thinking that was asked for is sent to models nobody knows; a temperature is sent to none', async () => {
  await using server = await startModelServer(() => 'Hello.')
  await using options = testOptions(server)
  const ask = (more: Options) => collect(query({ prompt: 'Hi', options: { ...options, model: 'llama-3', ...more } }))
  await ask({ maxThinkingTokens: 5000 })
  await ask({ thinking: { type: 'enabled', budgetTokens: 2000 } })
  await ask({ thinking: { type: 'disabled' } })
  await ask({})
  assert.deepEqual(
    server.requests.map(({ body }) => [body.thinking, 'temperature' in body]),
    [
      [{ type: 'enabled', budget_tokens: 5000 }, false],
      [{ type: 'enabled', budget_tokens: 2000 }, false],
      [undefined, false],
      [undefined, false],
    ],
  )
})
