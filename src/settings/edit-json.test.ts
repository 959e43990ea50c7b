import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { changeJsonList, type EditResult, setJsonString } from './edit-json.js'
import { type JsonNode, jsonNodeToValue, scanJson } from './json-tree.js'

const numRuns = byTier({ quick: 250, all: 1000, long: 50_000 })
const PATH = ['permissions', 'allow']

function text(result: EditResult): string {
  assert.ok(result.ok, JSON.stringify(result))
  return result.text
}

const add = (source: string, ...items: string[]) =>
  text(changeJsonList(source, PATH, { remove: () => false, add: items }))
const remove = (source: string, ...items: string[]) =>
  text(changeJsonList(source, PATH, { remove: (item) => items.includes(item), add: [] }))

test('a new file', () => {
  const expected = '{\n  "permissions": {\n    "allow": [\n      "a",\n      "b"\n    ]\n  }\n}\n'
  for (const nothing of ['', ' \n', '\ufeff']) assert.equal(add(nothing, 'a', 'b'), expected)
  assert.equal(add('// mine\n', 'a', 'b'), `// mine\n${expected}`)
  assert.equal(remove('', 'a'), '')
})

test('adding keeps the style of the file', () => {
  const cases: [string, string][] = [
    ['{}', '{\n  "permissions": {\n    "allow": [\n      "x"\n    ]\n  }\n}'],
    ['{ }\n', '{\n  "permissions": {\n    "allow": [\n      "x"\n    ]\n  }\n}\n'],
    ['{"a":1}', '{"a":1, "permissions": {"allow":["x"]}}'],
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"x"\n\t\t]\n\t}\n}'],
    [
      '{\n    "a": 1 }',
      '{\n    "a": 1,\n    "permissions": {\n        "allow": [\n            "x"\n        ]\n    }\n}',
    ],
    [
      '{\r\n  "permissions": {}\r\n}\r\n',
      '{\r\n  "permissions": {\r\n    "allow": [\r\n      "x"\r\n    ]\r\n  }\r\n}\r\n',
    ],
    ['{"permissions":{"allow":["a"]}}', '{"permissions":{"allow":["a", "x"]}}'],
    ['{"permissions":{"allow":[]}}', '{"permissions":{"allow":[\n  "x"\n]}}'],
    ['{"permissions": {\n  "allow": [ "a" ]\n}}', '{"permissions": {\n  "allow": [ "a", "x" ]\n}}'],
    ['{"permissions":{"allow":[\n"a"]}}', '{"permissions":{"allow":[\n"a",\n"x"\n]}}'],
  ]
  for (const [before, after] of cases) assert.equal(add(before, 'x'), after)
})

test('comments stay where they are', () => {
  const before = `{
  // the rules
  "permissions": {
    "allow": [
      "a", // first
      "b" /* second */ // last
    ], // end
  },
}`
  const after = `{
  // the rules
  "permissions": {
    "allow": [
      "a", // first
      "b", /* second */ // last
      "x"
    ], // end
  },
}`
  assert.equal(add(before, 'x'), after)
  assert.equal(
    remove(before, 'a', 'b'),
    `{
  // the rules
  "permissions": {
    "allow": [
       // first
       /* second */ // last
    ], // end
  },
}`,
  )
  assert.equal(remove(after, 'x'), before)
  assert.equal(
    add('{"permissions": {"allow": [\n  // none yet\n]}}', 'x'),
    '{"permissions": {"allow": [\n  // none yet\n  "x"\n]}}',
  )
  // An old line end after a comment: what is added must not become part of it.
  assert.deepEqual(readBack(add('{"permissions": {"allow": ["a" // c\r]}}', 'x')), {
    permissions: { allow: ['a', 'x'] },
  })
})

test('removing takes the commas along', () => {
  const cases: [string[], string][] = [
    [['a'], '["b", "c"]'],
    [['b'], '["a", "c"]'],
    [['c'], '["a", "b"]'],
    [['a', 'b'], '["c"]'],
    [['a', 'c'], '["b"]'],
    [['b', 'c'], '["a"]'],
    [['a', 'b', 'c'], '[]'],
    [[], '["a", "b", "c"]'],
  ]
  const around = (list: string) => `{"permissions": {"allow": ${list}}}`
  for (const [items, list] of cases) assert.equal(remove(around('["a", "b", "c"]'), ...items), around(list))
  assert.equal(remove(around('[\n  "a",\n  "b"\n]'), 'b'), around('[\n  "a"\n]'))
  assert.equal(remove(around('[\n  "a",\n  "b"\n]'), 'a'), around('[\n  "b"\n]'))
  assert.equal(remove(around('["a", 7, "a", {"a": "a"}]'), 'a'), around('[7, {"a": "a"}]'))
})

test('one value', () => {
  const set = (source: string) => text(setJsonString(source, ['permissions', 'defaultMode'], 'plan'))
  assert.equal(set(''), '{\n  "permissions": {\n    "defaultMode": "plan"\n  }\n}\n')
  assert.equal(
    set('{"permissions": {"defaultMode": /* c */ "x" }}'),
    '{"permissions": {"defaultMode": /* c */ "plan" }}',
  )
  assert.equal(set('{"permissions": {"defaultMode": "pl\\u0061n"}}'), '{"permissions": {"defaultMode": "pl\\u0061n"}}')
})

test('what can not be changed safely is not changed', () => {
  const cases: [string, EditResult][] = [
    ['{"a": 1,, }', { ok: false, offset: 8, reason: 'a key in quotes must stand here' }],
    ['[]', { ok: false, offset: 0, reason: 'the file is not an object' }],
    ['null', { ok: false, offset: 0, reason: 'the file is not an object' }],
    ['{"permissions": 1}', { ok: false, offset: 16, reason: 'permissions is not an object' }],
    ['{"permissions": {"allow": {}}}', { ok: false, offset: 26, reason: 'permissions.allow is not a list' }],
    [
      '{"permissions": {}, "permissions": {}}',
      { ok: false, offset: 20, reason: 'permissions is there more than once' },
    ],
  ]
  for (const [source, expected] of cases) {
    assert.deepEqual(changeJsonList(source, PATH, { remove: () => false, add: ['x'] }), expected)
  }
})

// ── any file ─────────────────────────────────────────────────────────────────

function readBack(source: string): unknown {
  const { root, error } = scanJson(source)
  assert.equal(error, undefined)
  return root && jsonNodeToValue(root)
}

const strictTrivia = fc.array(fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n  '), { minLength: 1, maxLength: 20 })
const slackTrivia = fc.array(fc.constantFrom('', ' ', '\n', '\r\n\t', '/*c*/', ' // l\n', '//\r', '/* m\n */ '), {
  minLength: 1,
  maxLength: 20,
})

/** Writes a value with blanks, and perhaps comments and trailing commas, at every place where they can be. */
function write(value: unknown, trivia: readonly string[], trailing: boolean): string {
  let used = 0
  const gap = () => trivia[used++ % trivia.length] ?? ''
  const list = (open: string, parts: string[], close: string) =>
    `${open}${parts.join(',')}${trailing && parts.length > 0 ? `,${gap()}` : ''}${gap()}${close}`
  const one = (part: unknown): string => {
    if (Array.isArray(part))
      return list(
        '[',
        part.map((item) => `${gap()}${one(item)}${gap()}`),
        ']',
      )
    if (typeof part !== 'object' || part === null) return JSON.stringify(part)
    const members = Object.entries(part).map(
      ([key, item]) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${one(item)}${gap()}`,
    )
    return list('{', members, '}')
  }
  return `${gap()}${one(value)}${gap()}`
}

const rule = fc.constantFrom('a', 'b', 'c', 'd', 'e "f"', 'g\n', 'ü')
const other = fc
  .dictionary(fc.constantFrom('env', 'x', '__proto__', 'allow', ''), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  // As JSON can say it: there is no -0.
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)))
const model = fc.record({
  before: other,
  permissions: fc.option(
    fc.record({
      allow: fc.option(fc.array(fc.oneof(rule, rule, fc.integer()), { maxLength: 6 })),
      deny: fc.option(fc.array(rule, { maxLength: 2 })),
    }),
  ),
})
const change = fc.record({
  gone: fc.subarray(['a', 'b', 'c', 'd', 'e "f"', 'g\n', 'ü']),
  added: fc.array(rule, { maxLength: 3 }),
})

test('any edit gives what it should and keeps everything else', () => {
  const files = fc.oneof(
    fc.record({ trivia: strictTrivia, trailing: fc.constant(false) }),
    fc.record({ trivia: slackTrivia, trailing: fc.boolean() }),
  )
  fc.assert(
    fc.property(model, change, files, fc.boolean(), ({ before, permissions }, { gone, added }, style, last) => {
      const given = {
        ...(permissions?.allow && { allow: permissions.allow }),
        ...(permissions?.deny && { deny: permissions.deny }),
      }
      const own = permissions ? { permissions: given } : {}
      const source = write(last ? { ...before, ...own } : { ...own, ...before }, style.trivia, style.trailing)
      const result = text(changeJsonList(source, PATH, { remove: (item) => gone.includes(item), add: added }))

      const list = (permissions?.allow ?? []).filter((item) => !gone.some((one) => one === item))
      const isMade = permissions?.allow || added.length > 0
      const expected = { ...given, ...(isMade && { allow: [...list, ...added] }) }
      assert.deepEqual(readBack(result), { ...before, ...(permissions || isMade ? { permissions: expected } : {}) })

      const [old, now] = [scanJson(source), scanJson(result)]
      const commentsOf = (scan: typeof old, from: string) =>
        scan.comments.map(({ start, end }) => from.slice(start, end))
      assert.deepEqual(commentsOf(now, result), commentsOf(old, source))
      if (old.slack.length === 0) assert.deepEqual(now.slack, [])
      const others = Object.keys(before)
      assert.deepEqual(slices(now.root, result, others), slices(old.root, source, others))
    }),
    { numRuns },
  )
})

/** The members as they are written, in their order. */
function slices(root: JsonNode | undefined, source: string, keys: readonly string[]): string[] {
  const members = root?.kind === 'object' ? root.members : []
  return members.filter(({ key }) => keys.includes(key)).map(({ start, value }) => source.slice(start, value.end))
}

test('an edit that changes nothing changes no byte', () => {
  fc.assert(
    fc.property(fc.array(rule), other, slackTrivia, fc.boolean(), (allow, rest, trivia, trailing) => {
      const source = write({ ...rest, permissions: { allow } }, trivia, trailing)
      assert.equal(remove(source, 'not there'), source)
      assert.equal(text(changeJsonList(source, ['permissions', 'deny'], { remove: () => true, add: [] })), source)
    }),
    { numRuns: numRuns / 10 },
  )
})
