import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engine } from './test-world.js'
import { hostOf, matchesDomain } from './web.js'

test('the host as a browser reads it', () => {
  const table: [string, string | undefined][] = [
    ['https://EXAMPLE.com./a', 'example.com'],
    ['http://example.com:8080/', 'example.com'],
    ['https://example.com:443@evil.com/', 'evil.com'],
    ['https://evil.com\\@example.com/', 'evil.com'],
    ['https://evil.com#@example.com/', 'evil.com'],
    ['https://ev%69l.com/', 'evil.com'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://[::1]/', '[::1]'],
    ['https://evil\u3002com/', 'evil.com'],
    ['file:///etc/passwd', undefined],
    ['ftp://example.com/', undefined],
    ['not an address', undefined],
    ['https://exa\nmple.com/', undefined],
  ]
  for (const [url, host] of table) assert.equal(hostOf(url), host, url)
})

test('domain patterns', () => {
  const table: [string, string, boolean][] = [
    ['example.com', 'example.com', true],
    ['Example.COM.', 'example.com', true],
    ['example.com', 'api.example.com', false],
    ['example.com', 'example.com.evil.com', false],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'apiXexample.com', false],
    ['*', 'any.site', true],
    ['api.*.com', 'api.x.com', true],
    ['api.*.com', 'api.x.y.com', false],
    ['a*.com', 'abc.com', true],
    ['m\u00fcnchen.de', 'xn--mnchen-3ya.de', true],
  ]
  for (const [pattern, host, expected] of table)
    assert.equal(matchesDomain(pattern, host), expected, `${pattern} ~ ${host}`)
})

test('fetching asks with the host as suggestion, unless a rule speaks', async () => {
  const fetch = (url: string) =>
    [
      { id: 't', name: 'WebFetch', input: { url } },
      { kind: 'fetch', url },
    ] as const
  assert.deepEqual(await engine().decide(...fetch('https://new.site/a')), {
    behavior: 'ask',
    message: "Claude requested permissions to use WebFetch, but you haven't granted it yet.",
    reasonType: 'other',
    suggestions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'WebFetch', ruleContent: 'domain:new.site' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ],
  })
  const permissions = engine({
    allow: ['WebFetch'],
    deny: ['WebFetch(domain:evil.com)', 'WebFetch(https://bad.com/*)'],
  })
  const answers: Record<string, string> = {}
  for (const url of ['https://ok.com', 'https://evil.com', 'https://bad.com/x', 'file:///etc/passwd']) {
    answers[url] = (await permissions.decide(...fetch(url))).behavior
  }
  // Without a host nobody can say that it is not the forbidden one.
  assert.deepEqual(answers, {
    'https://ok.com': 'allow',
    'https://evil.com': 'deny',
    'https://bad.com/x': 'deny',
    'file:///etc/passwd': 'deny',
  })
  assert.equal((await engine({ allow: ['WebFetch'] }).decide(...fetch('file:///etc/passwd'))).behavior, 'ask')
  const local = engine({ allow: ['WebFetch'], deny: ['WebFetch(domain:127.0.0.1)'] })
  assert.equal((await local.decide(...fetch('http://[::ffff:127.0.0.1]/'))).behavior, 'deny')
})
