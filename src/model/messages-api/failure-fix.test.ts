import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FailureFacts, fixForFailure } from './failure-fix.js'

function fix(code: string, more: Partial<FailureFacts> = {}): string | undefined {
  const facts = { code, model: 'my-model', ownEndpoint: false, keySource: 'ANTHROPIC_API_KEY', ...more }
  const baseUrl = new URL(facts.ownEndpoint ? 'http://gateway.example:8080' : 'https://api.anthropic.com')
  return fixForFailure({ baseUrl, ...facts } as FailureFacts)
}

describe('what can be done about a failure', () => {
  const codes: [code: string, says: RegExp][] = [
    ['not_authenticated', /^Set ANTHROPIC_API_KEY .*set the option `model: 'practice'`\. `npx kedge doctor`/],
    ['invalid_api_key', /api\.anthropic\.com rejected the key of ANTHROPIC_API_KEY/],
    ['permission_denied', /another model .* or another key/],
    ['model_not_found', /^Your key has no model my-model\. `npx kedge models` lists/],
    ['timeout', /raise API_TIMEOUT_MS/],
    ['rate_limited', /Wait a minute/],
    ['overloaded', /set the option `fallbackModel`/],
    ['server_error', /status\.anthropic\.com/],
    ['billing', /settings\/billing/],
    ['prompt_too_long', /\/compact/],
    ['request_too_large', /more bytes than .*`\/compact`.* start a new session/],
    ['unexpected_response', /Open the address in a browser/],
  ]
  for (const [code, says] of codes) test(code, () => assert.match(fix(code) ?? '', says))

  test('nothing for what nobody can do anything about', () => assert.equal(fix('something_else'), undefined))

  test('with an endpoint of their own people are told of it, and not of ours', () => {
    const own = { ownEndpoint: true }
    assert.match(
      fix('model_not_found', own) ?? '',
      /^gateway\.example:8080 doesn't have the model my-model\..* set the option `model`/,
    )
    assert.match(fix('server_error', own) ?? '', /The log of gateway\.example:8080 might show/)
    for (const code of ['invalid_api_key', 'timeout', 'unexpected_response']) {
      assert.match(fix(code, own) ?? '', /correct or unset ANTHROPIC_BASE_URL/, code)
      assert.doesNotMatch(fix(code) ?? '', /ANTHROPIC_BASE_URL/, code)
    }
  })

  test('a proxy on the way is named where it may be why, and what it did itself is told instead of the rest', () => {
    const proxy = {
      url: new URL('http://proxy.example:3128'),
      variable: 'HTTPS_PROXY',
      authorization: 'Basic c2VjcmV0',
    }
    const name = /(?:The|the) proxy proxy\.example:3128 \(HTTPS_PROXY\)/
    for (const reason of ['ECONNREFUSED', 'ETIMEDOUT', 'CERT_HAS_EXPIRED'])
      assert.match(fix('connection_failed', { reason, proxy }) ?? '', name)
    assert.match(fix('timeout', { proxy }) ?? '', name)
    assert.doesNotMatch(fix('billing', { proxy }) ?? '', /PROXY/)
    const did: Record<string, RegExp> = {
      AUTH: /rejected the user or the password/,
      STATUS_403: /HTTP 403/,
      SILENT: /doesn't answer/,
      NO_TUNNEL: /isn't a proxy\. Correct HTTPS_PROXY/,
      CUT: /closed the connection/,
      ECONNREFUSED: /can't be reached \(ECONNREFUSED\)/,
    }
    for (const [what, says] of Object.entries(did)) {
      const text = fix('connection_failed', { reason: `PROXY_${what}`, proxy }) ?? ''
      assert.match(text, says)
      assert.doesNotMatch(text, /c2VjcmV0/)
    }
    const { authorization: _, ...open } = proxy
    assert.match(fix('connection_failed', { reason: 'PROXY_AUTH', proxy: open }) ?? '', /needs a user and a password/)
  })

  const reasons: [reason: string, says: RegExp][] = [
    ['ECONNREFUSED', /refuses connections\. Check the firewall/],
    ['ENOTFOUND', /The name api\.anthropic\.com could not be resolved/],
    ['EAI_AGAIN', /could not be resolved/],
    ['CERT_HAS_EXPIRED', /Check the clock of this machine/],
    ['CERT_NOT_YET_VALID', /Check the clock of this machine/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another name/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
    ['EPROTO', /doesn't use TLS/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /doesn't use TLS/],
    ['ETIMEDOUT', /can't be reached\. Check the network, VPN, and firewall\.$/],
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
      /Nothing listens at gateway\.example:8080\. Start that endpoint, or correct or unset/,
    )
    assert.match(own('ENOTFOUND'), /The name gateway\.example could not be resolved.*ANTHROPIC_BASE_URL/)
  })

  test('a failure that says nothing of why is one without a reason', () => {
    assert.match(fix('connection_failed') ?? '', /broke\. Check the network/)
  })
})
