import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FailureFacts, fixFor, proxyVariables } from './failure-fix.js'

function fix(code: string, more: Partial<FailureFacts> = {}): string | undefined {
  const facts = { code, model: 'my-model', ownEndpoint: false, keySource: 'ANTHROPIC_API_KEY', ...more }
  const baseUrl = new URL(facts.ownEndpoint ? 'http://gateway.example:8080' : 'https://api.anthropic.com')
  return fixFor({ baseUrl, ...facts } as FailureFacts)
}

describe('what can be done about a failure', () => {
  const codes: [code: string, says: RegExp][] = [
    ['not_authenticated', /Set ANTHROPIC_API_KEY .*kedge doctor/],
    ['invalid_api_key', /api\.anthropic\.com refused the key of ANTHROPIC_API_KEY/],
    ['permission_denied', /another model .* or another key/],
    ['model_not_found', /Choose another model than my-model: `kedge models`/],
    ['timeout', /raise API_TIMEOUT_MS/],
    ['rate_limited', /Wait a minute/],
    ['overloaded', /--fallback-model/],
    ['server_error', /status\.anthropic\.com/],
    ['billing', /settings\/billing/],
    ['prompt_too_long', /\/compact/],
    ['request_too_large', /more bytes than .*\/clear/],
    ['unexpected_response', /open it in a browser/],
  ]
  for (const [code, says] of codes) test(code, () => assert.match(fix(code) ?? '', says))

  test('nothing for what nobody can do anything about', () => assert.equal(fix('something_else'), undefined))

  test('with an endpoint of their own people are told of it, and not of ours', () => {
    const own = { ownEndpoint: true }
    assert.match(fix('model_not_found', own) ?? '', /gateway\.example:8080 offers.*does not know my-model/)
    assert.match(fix('server_error', own) ?? '', /the log of gateway\.example:8080 says more/)
    for (const code of ['invalid_api_key', 'timeout', 'unexpected_response']) {
      assert.match(fix(code, own) ?? '', /correct or unset ANTHROPIC_BASE_URL/, code)
      assert.doesNotMatch(fix(code) ?? '', /ANTHROPIC_BASE_URL/, code)
    }
  })

  test('proxies that are set, and not used, are named where they may be why', () => {
    const proxies = proxyVariables({ HTTPS_PROXY: 'http://p', http_proxy: 'p', ALL_PROXY: '', NO_PROXY: 'x' })
    assert.deepEqual(proxies, ['HTTPS_PROXY', 'http_proxy'])
    for (const reason of ['ENOTFOUND', 'ETIMEDOUT', 'ECONNREFUSED', 'ECONNRESET'])
      assert.match(
        fix('connection_failed', { reason, proxies }) ?? '',
        / HTTPS_PROXY, http_proxy: set, and not used by Kedge/,
      )
    assert.match(fix('timeout', { proxies }) ?? '', /HTTPS_PROXY/)
    assert.doesNotMatch(fix('billing', { proxies }) ?? '', /PROXY/)
  })

  const reasons: [reason: string, says: RegExp][] = [
    ['ECONNREFUSED', /refuses connections: check firewall/],
    ['ENOTFOUND', /The name api\.anthropic\.com could not be looked up/],
    ['EAI_AGAIN', /could not be looked up/],
    ['CERT_HAS_EXPIRED', /check the clock of this machine/],
    ['CERT_NOT_YET_VALID', /check the clock of this machine/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another name/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
    ['EPROTO', /does not speak TLS/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /does not speak TLS/],
    ['ETIMEDOUT', /can't be reached: check network, VPN and firewall\.$/],
    ['ENETUNREACH', /can't be reached/],
    ['ECONNRESET', /The connection to api\.anthropic\.com broke/],
    ['', /The connection to api\.anthropic\.com broke/],
  ]
  for (const [reason, says] of reasons) {
    test(`no connection: ${reason || 'for no reason'}`, () => {
      assert.match(fix('connection_failed', { reason }) ?? '', says)
    })
  }

  test('no connection, with an endpoint of their own', () => {
    const own = (reason: string) => fix('connection_failed', { reason, ownEndpoint: true }) ?? ''
    assert.match(
      own('ECONNREFUSED'),
      /Nothing listens at gateway\.example:8080: start that endpoint, or correct or unset/,
    )
    assert.match(own('ENOTFOUND'), /The name gateway\.example could not be looked up.*ANTHROPIC_BASE_URL/)
  })

  test('a failure that says nothing of why is one without a reason', () => {
    assert.match(fix('connection_failed') ?? '', /broke: check the network/)
  })
})
