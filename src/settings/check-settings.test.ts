import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { checkSettings, type SettingsCheckContext } from './check-settings.js'
import { scanJson } from './json-tree.js'
import { TEST_RULE_PORT } from './test-settings.js'

/** The settings, and what was reported as `severity key text`. */
function check(content: unknown, more: Partial<SettingsCheckContext> = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const { root } = scanJson(text)
  assert.ok(root?.kind === 'object')
  const reports: string[] = []
  const report: SettingsCheckContext['report'] = (severity, { key, text: what }) =>
    void reports.push(`${severity} ${key} ${what}`)
  const settings = checkSettings(root, {
    text,
    rules: TEST_RULE_PORT,
    report,
    repository: undefined,
    managed: false,
    ...more,
  })
  return { settings, reports }
}

describe('numbers', () => {
  const rows: [value: string, ok: boolean][] = [
    ['0', true],
    ['36500', true],
    ['36501', false],
    ['-1', false],
    ['1.5', false],
    ['1e2', true],
    ['"30"', false],
    ['null', false],
  ]
  for (const [value, ok] of rows) {
    test(`cleanupPeriodDays: ${value}`, () => {
      const { settings, reports } = check(`{"cleanupPeriodDays": ${value}}`)
      assert.equal('cleanupPeriodDays' in settings, ok)
      assert.equal(reports.length, ok ? 0 : 1)
      if (!ok) assert.match(reports[0] ?? '', /^warning cleanupPeriodDays must be a whole number from 0 to 36500, not /)
    })
  }
})

describe('what is said of a wrong value', () => {
  const rows: [content: unknown, report: string][] = [
    [{ model: 5 }, 'warning model must be text, not a number. It is not used.'],
    [{ model: ' ' }, 'warning model is empty. It is not used.'],
    [{ model: 'x'.repeat(201) }, 'warning model is longer than 200 characters. It is not used.'],
    [{ model: 'a\0b' }, 'warning model holds a NUL character. It is not used.'],
    [
      { alwaysThinkingEnabled: 'yes' },
      'warning alwaysThinkingEnabled must be true or false, not text. It is not used.',
    ],
    [{ effortLevel: 'huge' }, 'warning effortLevel must be one of "low", "medium", "high", "max". It is not used.'],
    [
      { effortLevel: 3 },
      'warning effortLevel must be one of "low", "medium", "high", "max", not a number. It is not used.',
    ],
    [{ env: [] }, 'warning env must be an object, not a list. It is not used.'],
    [{ permissions: 'none' }, 'refuse permissions must be an object, not text.'],
    [{ enabledMcpjsonServers: {} }, 'warning enabledMcpjsonServers must be a list, not an object. It is not used.'],
    [
      { enabledMcpjsonServers: ['a', true] },
      'warning enabledMcpjsonServers[1] must be text, not true. It is not used.',
    ],
    // Where leaving it out would make the session wider, it does not start.
    [{ sandbox: { enabled: 'true' } }, 'refuse sandbox.enabled must be true or false, not text.'],
    [{ sandbox: [] }, 'refuse sandbox must be an object, not a list.'],
    [{ permissions: { deny: 'Bash' } }, 'refuse permissions.deny must be a list, not text.'],
    [{ permissions: { deny: [null] } }, 'refuse permissions.deny[0] must be text, not null.'],
    [
      { sandbox: { network: { httpProxyPort: 70_000 } } },
      'refuse sandbox.network.httpProxyPort must be a whole number from 1 to 65535, not a number.',
    ],
  ]
  for (const [content, report] of rows) {
    test(JSON.stringify(content).slice(0, 60), () => assert.deepEqual(check(content).reports, [report]))
  }
})

describe('objects that are used as a whole or not at all', () => {
  test('without what they need', () => {
    const { settings, reports } = check({ modelPrices: { a: { input: 1 }, b: { input: 1, output: 2 } } })
    assert.deepEqual(settings.modelPrices, { b: { input: 1, output: 2 } })
    assert.deepEqual(reports, ['warning modelPrices.a has no "output". It is not used.'])
  })

  test('with one of their values wrong', () => {
    const { settings, reports } = check({ statusLine: { type: 'command', command: 'x', padding: -1 } })
    assert.equal(settings.statusLine, undefined)
    assert.equal(reports.length, 1)
  })

  test('others keep what is right', () => {
    const { settings } = check({ permissions: { allow: ['Read'], additionalDirectories: 5, defaultMode: 'plan' } })
    assert.deepEqual(settings.permissions, { allow: ['Read'], defaultMode: 'plan' })
  })
})

describe('keys that are not known', () => {
  test('are ignored, a little louder where they may have been meant to narrow', () => {
    assert.deepEqual(check({ vim: true }).reports, ['note vim is not known. It is ignored.'])
    assert.deepEqual(check({ vim: true }, { managed: true }).reports, ['warning vim is not known. It is ignored.'])
    assert.deepEqual(check({ permissions: { forbid: [] } }).reports, [
      'warning permissions.forbid is not known. It is ignored.',
    ])
    assert.deepEqual(check({ sandbox: { moat: true } }).reports, [
      'refuse sandbox.moat is not known, so what it asks for would be missing.',
    ])
    assert.deepEqual(check({ sandbox: { failIfUnavailable: true } }).reports, [
      'warning sandbox.failIfUnavailable is not known. It is ignored.',
    ])
  })

  test('a repository can not keep a session from starting with one', () => {
    const { reports } = check({ sandbox: { moat: true } }, { repository: { trusted: true } })
    assert.deepEqual(reports, ['warning sandbox.moat is not known. It is ignored.'])
  })

  test('one that differs in case is asked about', () => {
    assert.deepEqual(check({ Model: 'x' }).reports, ['warning Model is not known; did you mean "model"?'])
    assert.deepEqual(check({ permissions: { Deny: [] } }).reports, [
      'refuse permissions.Deny is not known; did you mean "deny"?',
    ])
  })

  test('what every object has is no key', () => {
    const { settings, reports } = check('{"__proto__": {"model": "x"}, "constructor": 1, "toString": 2}')
    assert.deepEqual(settings, {})
    assert.equal(reports.length, 3)
    assert.equal((settings as { model?: string }).model, undefined)
  })
})

describe('what only some may set', () => {
  test('administrators', () => {
    const { settings, reports } = check({ allowManagedHooksOnly: true })
    assert.deepEqual(
      [settings, reports],
      [{}, ['warning allowManagedHooksOnly is not used: only managed settings can set this.']],
    )
    assert.deepEqual(check({ allowManagedHooksOnly: true }, { managed: true }).settings, {
      allowManagedHooksOnly: true,
    })
  })

  test('not a repository: in silence before it is trusted, with a word after', () => {
    const content = { apiKeyHelper: 'x', permissions: { deny: ['Bash'] } }
    const before = check(content, { repository: { trusted: false } })
    assert.deepEqual(before.settings, { permissions: { deny: ['Bash'] } })
    assert.match(before.reports[0] ?? '', /^note apiKeyHelper is not used: this folder is not trusted yet/)
    const after = check(content, { repository: { trusted: true } })
    assert.deepEqual(after.settings, { permissions: { deny: ['Bash'] } })
    assert.match(after.reports[0] ?? '', /^warning apiKeyHelper is not used: no file in a project can set this/)
  })

  test('variables one by one', () => {
    const env = { FOO: '1', PATH: '/x', 'A B': 'x' }
    const { settings, reports } = check({ env }, { repository: { trusted: true } })
    assert.deepEqual(settings.env, { FOO: '1' })
    assert.match(
      reports[0] ?? '',
      /^warning env\.PATH is not used: no file in a project can set it, because it makes programs/,
    )
    assert.match(reports[1] ?? '', /is not the name of an environment variable\.$/)
    assert.deepEqual(check({ env: { PATH: '/x' } }).settings.env, { PATH: '/x' })
  })

  test('numbers in an environment stand for their text', () => {
    assert.deepEqual(check('{"env": {"A": 1.0, "B": true, "C": 1e3, "D": ""}}').settings.env, {
      A: '1.0',
      B: 'true',
      C: '1e3',
      D: '',
    })
    assert.equal(check('{"env": {"A": null}}').reports.length, 1)
  })
})

test('a key that is there twice: lists are joined, of values the last holds', () => {
  const { settings, reports } = check(
    '{"model": "a", "enabledMcpjsonServers": ["x"], "model": "b", "enabledMcpjsonServers": ["y"]}',
  )
  assert.equal(settings.model, 'b')
  assert.deepEqual([...(settings.enabledMcpjsonServers ?? [])].sort(), ['x', 'y'])
  assert.equal(reports.filter((report) => report.includes('more than once')).length, 2)
})

test('whatever stands there: nothing throws, nothing wrong comes through, nothing is repeated', () => {
  const value = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(true, null, 5, -1, 'SECRET-7', '', 'plan', 'Bash(ls)', 'command'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('allow', 'deny', 'enabled', 'hooks', 'Stop', 'network', 'type', 'x'), tie('node'), {
        maxKeys: 3,
      }),
    ),
  })).node
  const key = fc.constantFrom('permissions', 'env', 'model', 'hooks', 'sandbox', 'modelPrices', 'effortLevel', 'odd')
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 4 }), fc.boolean(), (content, isRepository) => {
      const { settings, reports } = check(content, isRepository ? { repository: { trusted: true } } : {})
      assert.ok(reports.every((report) => !report.includes('SECRET-7') || /permissions\.(allow|deny)/.test(report)))
      if (settings.model !== undefined) assert.equal(typeof settings.model, 'string')
      for (const rule of settings.permissions?.allow ?? []) assert.equal(typeof rule, 'string')
      // What was checked once is right.
      if (!isRepository) assert.deepEqual(check(settings).settings, settings)
    }),
    { numRuns: byTier({ quick: 75, all: 300 }) },
  )
})
