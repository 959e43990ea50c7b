import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf, matchesDomain } from './domain-rules.js'
import { createTestPermissions } from './test-engine.js'

test('the host is the same however often it is asked for', () => {
  // More often than it takes Node to find a call hot and compile it.
  for (let times = 0; times < 20_000; times++)
    if (hostOf('https://b\u00fccher.example/') !== 'xn--bcher-kva.example') assert.fail(`at ${times}`)
})

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
    ['https://./', undefined],
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
    ['*.m\u00fcnchen.de', 'a.xn--mnchen-3ya.de', true],
    ['a*.m\u00fcnchen.de', 'ab.xn--mnchen-3ya.de', true],
    ['a*.%.de', 'ab.%.de', true],
    ['%', 'example.com', false],
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
  assert.deepEqual(await createTestPermissions().decide(...fetch('https://new.site/a')), {
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
  const permissions = createTestPermissions({
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
  assert.equal(
    (await createTestPermissions({ allow: ['WebFetch'] }).decide(...fetch('file:///etc/passwd'))).behavior,
    'ask',
  )
  const local = createTestPermissions({ allow: ['WebFetch'], deny: ['WebFetch(domain:127.0.0.1)'] })
  assert.equal((await local.decide(...fetch('http://[::ffff:127.0.0.1]/'))).behavior, 'deny')
})

const fetching = (url: string, address?: string) =>
  [
    { id: 't', name: 'WebFetch', input: { url } },
    { kind: 'fetch', url, ...(address === undefined ? {} : { address }) },
  ] as const
type Engine = Parameters<typeof createTestPermissions>[0]
const decide = (options: Engine, url: string, address?: string) =>
  createTestPermissions(options).decide(...fetching(url, address))

const NEARBY = [
  'http://127.0.0.1:3000/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[64:ff9b::a00:1]/',
  'http://[2002:a00:1::]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://192.168.1.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://app.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://intranet/',
]

test('a host that is not of the public internet asks, whatever broad rule there is', async () => {
  const broad = ['WebFetch', 'WebFetch(domain:*)', 'WebFetch(domain:*.*.*.*)', 'WebFetch(domain:*.local)']
  const answers: Record<string, string> = {}
  for (const url of NEARBY) answers[url] = (await decide({ allow: broad }, url)).behavior
  assert.deepEqual(answers, Object.fromEntries(NEARBY.map((url) => [url, 'ask'])))
  assert.deepEqual(await decide({ allow: broad }, 'http://0x7f.1/'), {
    behavior: 'ask',
    message:
      "Claude requested permissions to use WebFetch, but you haven't granted it yet. 127.0.0.1 is not an address of the public internet. To allow it, add the rule WebFetch(domain:127.0.0.1).",
    reasonType: 'other',
    decisionReason: '127.0.0.1 is not an address of the public internet',
    suggestions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'WebFetch', ruleContent: 'domain:127.0.0.1' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ],
  })
})

test('what the suggestion says lifts the question, and so does bypass', async () => {
  for (const url of NEARBY) {
    const asked = await decide({}, url)
    assert.ok(asked.behavior === 'ask' && asked.suggestions, url)
    const permissions = createTestPermissions()
    await permissions.apply(asked.suggestions)
    assert.deepEqual(await permissions.decide(...fetching(url)), { behavior: 'allow' }, url)
    assert.equal((await decide({ mode: 'bypassPermissions' }, url)).behavior, 'allow', url)
    assert.equal((await decide({ mode: 'dontAsk', allow: ['WebFetch'] }, url)).behavior, 'deny', url)
  }
  const rule = 'WebFetch(domain:127.0.0.1)'
  assert.equal((await decide({ allow: [rule] }, 'http://127.0.0.2/')).behavior, 'ask')
  assert.equal((await decide({ allow: [rule], mode: 'plan' }, 'http://127.0.0.1/')).behavior, 'ask')
  assert.equal((await decide({ allow: [rule], ask: ['WebFetch'] }, 'http://127.0.0.1/')).behavior, 'ask')
})

test('a rule against this computer holds for every way to write it', async () => {
  const here = ['http://localhost/', 'http://a.localhost/', 'http://127.0.0.1/', 'http://0.0.0.0/', 'http://[::]/']
  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    const options: Engine = { deny: [`WebFetch(domain:${name})`], mode: 'bypassPermissions' }
    for (const url of [...here, 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://[2002:7f00:1::]/'])
      assert.equal((await decide(options, url)).behavior, 'deny', `${name}: ${url}`)
    assert.equal((await decide(options, 'http://evil.example/', '127.0.0.1')).behavior, 'deny')
    assert.equal((await decide(options, 'http://evil.example/', '10.0.0.1')).behavior, 'allow')
  }
})

test('a public name that leads to a private address needs a rule for that address', async () => {
  const url = 'https://wiki.example.com/page'
  const allow = ['WebFetch', 'WebFetch(domain:wiki.example.com)']
  assert.deepEqual(await decide({ allow }, url), { behavior: 'allow' })
  const asked = await decide({ allow }, url, '10.0.0.5')
  assert.deepEqual(asked, {
    behavior: 'ask',
    message:
      "Claude requested permissions to use WebFetch, but you haven't granted it yet. wiki.example.com leads to the private address 10.0.0.5. To allow it, add the rule WebFetch(domain:10.0.0.5).",
    reasonType: 'other',
    decisionReason: 'wiki.example.com leads to the private address 10.0.0.5',
    suggestions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'WebFetch', ruleContent: 'domain:10.0.0.5' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ],
  })
  assert.equal((await decide({ allow: ['WebFetch(domain:10.0.0.5)'] }, url, '10.0.0.5')).behavior, 'allow')
  assert.equal((await decide({ allow: ['WebFetch(domain:[fd00::5])'] }, url, 'fd00::5')).behavior, 'allow')
  assert.equal((await decide({ mode: 'bypassPermissions' }, url, '10.0.0.5')).behavior, 'allow')
  // A local name can't be bent by a public registry, so a rule for it is enough.
  const local = 'http://wiki.internal/'
  assert.equal((await decide({ allow: ['WebFetch(domain:wiki.internal)'] }, local, '10.0.0.5')).behavior, 'allow')
  assert.equal((await decide({ allow: ['WebFetch'] }, local, '10.0.0.5')).behavior, 'ask')
})

test('a hook that said yes has not seen where a name leads', async () => {
  const yes = { approvedByHook: true }
  const permissions = createTestPermissions()
  assert.equal((await permissions.decide(...fetching('http://localhost/'), yes)).behavior, 'allow')
  assert.equal((await permissions.decide(...fetching('http://a.example/', '10.0.0.5'), yes)).behavior, 'ask')
})

test('a public address is a host like any other', async () => {
  const url = 'https://93.184.216.34/'
  const call = { id: 't', name: 'WebFetch', input: { url } }
  assert.deepEqual(await createTestPermissions({ allow: ['WebFetch'] }).decide(call, { kind: 'fetch', url }), {
    behavior: 'allow',
  })
})

test('a rule with more than a host in it forbids the host and allows nothing', async () => {
  const decide = async (rules: object, url: string) =>
    (await createTestPermissions(rules).decide({ id: 't', name: 'WebFetch', input: { url } }, { kind: 'fetch', url }))
      .behavior
  for (const content of [
    'https://evil.com',
    'evil.com/path',
    'evil.com:443',
    'user@evil.com',
    'http://u:p@evil.com:1/x',
  ]) {
    const rule = `WebFetch(domain:${content})`
    assert.equal(await decide({ mode: 'bypassPermissions', deny: [rule] }, 'https://evil.com/a'), 'deny', rule)
    assert.equal(await decide({ mode: 'bypassPermissions', deny: [rule] }, 'https://good.com/a'), 'allow', rule)
    assert.equal(await decide({ allow: [rule] }, 'https://evil.com/a'), 'ask', rule)
  }
  assert.equal(
    await decide({ mode: 'bypassPermissions', deny: ['WebFetch(domain:http://[::1]:80)'] }, 'http://[::1]/'),
    'deny',
  )
  assert.equal(await decide({ allow: ['WebFetch(domain:[::1])'] }, 'http://[::1]/'), 'allow')
  assert.equal(await decide({ mode: 'bypassPermissions', deny: ['WebFetch(domain:/)'] }, 'https://a.com/'), 'allow')
})

test('a host longer than any name is none, and is not made sense of', () => {
  assert.equal(hostOf(`https://${'a'.repeat(6000)}/x`), undefined)
  assert.equal(hostOf(`https://example.com/${'a'.repeat(6000)}`), 'example.com')
  assert.equal(hostOf('https://.example.com/'), undefined)
})
