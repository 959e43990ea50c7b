import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../../errors.js'
import { joinEndpointPath, parseBaseUrl, readModelEnvironment } from './client-environment.js'

test('nothing set', () => {
  assert.deepEqual(readModelEnvironment({ API_TIMEOUT_MS: '', ANTHROPIC_BASE_URL: undefined }), {
    baseUrl: new URL('https://api.anthropic.com'),
    customHeaders: {},
    timeoutMs: 600_000,
    maxRetries: 10,
    maxOutputTokens: null,
    maxThinkingTokens: null,
    streamIdleMs: 120_000,
    streamPingOnlyMs: 600_000,
    apiKeyHelperTtlMs: 300_000,
    clientApp: null,
    aliases: { default: undefined, sonnet: undefined, opus: undefined, haiku: undefined },
  })
})

test('everything set', () => {
  assert.deepEqual(
    readModelEnvironment({
      ANTHROPIC_BASE_URL: 'http://localhost:8080/proxy/',
      ANTHROPIC_CUSTOM_HEADERS: 'X-One: 1\nAuthorization: Bearer a:b\r\n\n  x-empty:  ',
      API_TIMEOUT_MS: '5000',
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '64000',
      MAX_THINKING_TOKENS: '0',
      KEDGE_STREAM_IDLE_MS: '1',
      KEDGE_STREAM_PING_ONLY_MS: '2',
      CLAUDE_CODE_API_KEY_HELPER_TTL_MS: '0',
      CLAUDE_AGENT_SDK_CLIENT_APP: 'my-app/1.0',
      ANTHROPIC_MODEL: 'opus',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 's',
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'o',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'h',
    }),
    {
      baseUrl: new URL('http://localhost:8080/proxy/'),
      customHeaders: { 'x-one': '1', authorization: 'Bearer a:b', 'x-empty': '' },
      timeoutMs: 5000,
      maxRetries: 0,
      maxOutputTokens: 64_000,
      maxThinkingTokens: 0,
      streamIdleMs: 1,
      streamPingOnlyMs: 2,
      apiKeyHelperTtlMs: 0,
      clientApp: 'my-app/1.0',
      aliases: { default: 'opus', sonnet: 's', opus: 'o', haiku: 'h' },
    },
  )
})

test('garbage is refused by name, without repeating what may be secret', () => {
  const rows: [string, string][] = [
    ['API_TIMEOUT_MS', '0'],
    ['API_TIMEOUT_MS', '99999999999'],
    ['API_TIMEOUT_MS', '10s'],
    ['CLAUDE_CODE_MAX_RETRIES', '-1'],
    ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'NaN'],
    ['MAX_THINKING_TOKENS', '1e3'],
    ['KEDGE_STREAM_IDLE_MS', '1.5'],
    ['ANTHROPIC_CUSTOM_HEADERS', 'SECRET-no-colon'],
    ['ANTHROPIC_CUSTOM_HEADERS', 'bad name: SECRET'],
    ['ANTHROPIC_CUSTOM_HEADERS', 'X: SECRET\u0007'],
    ['CLAUDE_AGENT_SDK_CLIENT_APP', 'SECRET\nx: y'],
    ['ANTHROPIC_BASE_URL', 'SECRET'],
    ['ANTHROPIC_BASE_URL', 'file:///SECRET'],
    ['ANTHROPIC_BASE_URL', 'https://user:SECRET@host/'],
    ['ANTHROPIC_BASE_URL', 'https://host/SECRET '],
    ['ANTHROPIC_BASE_URL', ' https://host/SECRET'],
    ['ANTHROPIC_BASE_URL', 'https://host/?key=SECRET'],
    ['ANTHROPIC_BASE_URL', 'javascript:SECRET'],
  ]
  for (const [name, value] of rows) {
    assert.throws(
      () => readModelEnvironment({ [name]: value }),
      (error) => {
        assert.ok(error instanceof ConfigurationError)
        assert.deepEqual([error.option, error.code], [name, 'invalid_option'])
        assert.ok(error.message.startsWith(name), error.message)
        assert.ok(!error.message.includes('SECRET'), error.message)
        return true
      },
      `${name}=${value}`,
    )
  }
})

test('paths are joined to the base', () => {
  const urls = ['https://h', 'https://h/', 'https://h/a/b', 'http://h:81/a/'].map(
    (base) => joinEndpointPath(parseBaseUrl(base, 'ANTHROPIC_BASE_URL'), '/v1/messages?beta=true').href,
  )
  assert.deepEqual(urls, [
    'https://h/v1/messages?beta=true',
    'https://h/v1/messages?beta=true',
    'https://h/a/b/v1/messages?beta=true',
    'http://h:81/a/v1/messages?beta=true',
  ])
})
