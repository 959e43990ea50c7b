/**
 * Bad input, made from the API document: each operation, each parameter and field of its body, each kind of damage. Whatever
 * comes, the answer says what is wrong, and the server goes on.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ApiJsonSchema } from '../../src/server/api/json-schemas.js'
import { listPathParamNames, type Operation } from '../../src/server/api/operation.js'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import { byTier } from '../support/tier.js'
import { send, serve } from './serving.js'

const NOTHING = Symbol('left out')
const deep = (depth: number): unknown => (depth === 0 ? [] : [deep(depth - 1)])
const DAMAGE: Record<string, unknown> = {
  'left out': NOTHING,
  null: null,
  empty: '',
  'a number': 12,
  'a negative number': -1,
  'a huge number': 1e300,
  'a switch': true,
  'a list': [1, [2]],
  'an object': { a: { __proto__x: 1 } },
  'a long text': 'x'.repeat(100_000),
  'odd letters': '\u0000\r\nHost: evil\u202e\ud800 ../../etc/passwd',
  'deeply nested': deep(500),
}
/** In the quick run, every so many-th; all of them in the long one. */
const STEP = byTier({ quick: 24, all: 6, long: 1 })

/** Something that fits. */
function example(json: ApiJsonSchema): unknown {
  const { type, properties, required, anyOf, enum: choices, const: only, pattern, items, minItems } = json
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0]
  if (Array.isArray(anyOf)) return example(anyOf[0])
  if (type === 'string') return String(pattern).startsWith('^[0-9a-f') ? randomUUID() : 'x'
  if (type === 'integer') return 1
  if (type === 'boolean') return false
  if (type === 'array') return minItems ? [example(items as ApiJsonSchema)] : []
  const fields = (properties ?? {}) as Record<string, ApiJsonSchema>
  return Object.fromEntries(((required ?? []) as string[]).map((name) => [name, example(fields[name] ?? {})]))
}

type Case = { name: string; method: string; path: string; body: string | undefined; type: string }

function casesOf(operation: Operation, session: string): Case[] {
  const { id, method, path, query, body, bodyType } = operation
  const known: Record<string, string> = {
    session,
    ask: 'none',
    prompt: 'none',
    task: 'none',
    server: 'none',
    token: 'none',
    agent: 'claude',
    name: session,
  }
  const at = (params: Record<string, string>, search = '') =>
    path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? 'none')) + search
  const needed = new URLSearchParams()
  for (const [name, { isOptional, json }] of Object.entries(query))
    if (!isOptional) needed.append(name, String(example(json)))
  const right = body && (example(body.json) as Record<string, unknown>)
  const make = (name: string, where: string, content: unknown = right): Case => ({
    name: `${id} ${name}`,
    method: method.toUpperCase(),
    path: where,
    type: bodyType ?? 'application/json',
    body: content === undefined ? undefined : typeof content === 'string' ? content : JSON.stringify(content),
  })
  const asText = (value: unknown) =>
    typeof value === 'string' ? value.replace(/\ud800/, '').slice(0, 4000) : JSON.stringify(value).slice(0, 2000)
  const cases: Case[] = []
  for (const [kind, value] of Object.entries(DAMAGE)) {
    for (const name of listPathParamNames(path)) {
      if (value !== NOTHING)
        cases.push(make(`{${name}} ${kind}`, at({ ...known, [name]: asText(value) }, `?${needed}`)))
    }
    for (const name of Object.keys(query)) {
      const search = new URLSearchParams(needed)
      if (value === NOTHING) search.append(name, '1')
      search.append(name, value === NOTHING ? '2' : asText(value))
      cases.push(make(`?${name} ${kind}`, at(known, `?${search}`)))
    }
    if (bodyType) cases.push(make(`file ${kind}`, at(known), value === NOTHING ? '' : fileOf(value)))
    if (!body) continue
    const fields = (body.json['properties'] ?? { kind: 1, hash: 1 }) as Record<string, unknown>
    for (const name of [...Object.keys(fields), 'unknownField']) {
      const { [name]: _, ...others } = right ?? {}
      cases.push(make(`.${name} ${kind}`, at(known), value === NOTHING ? others : { ...others, [name]: value }))
    }
    cases.push(make(`body ${kind}`, at(known), value === NOTHING ? '' : JSON.stringify(value)))
  }
  if (body)
    for (const text of ['{', '[}', '\u00ff', '{"a":1}{"b":2}', 'null'])
      cases.push(make(`body ${text}`, at(known), text))
  return cases
}

/** An exported session, damaged: as a whole, in its head, in a line, in an entry. */
function fileOf(value: unknown): string {
  const session = { id: randomUUID(), cwd: '/', seq: 1 }
  const parts = [value, { kedge: 'session', version: 1, session: value }, { entry: value }, { line: value }]
  return [{ kedge: 'session', version: 1, session }, ...parts].map((part) => JSON.stringify(part)).join('\n')
}

test('every parameter and field of every operation, damaged in 12 ways: never a 500, always a code', async () => {
  await using serving = await serve([], { maxBody: 200_000, options: { model: 'practice' } })
  const { token } = serving.server
  const session = await serving.begin()
  // What changes, ends or removes the session comes last, so that the others have one.
  const operations = [...OPERATIONS].sort(
    (a, b) => Number(/delete|close|change/.test(a.id)) - Number(/delete|close|change/.test(b.id)),
  )
  const all = operations.flatMap((operation) => casesOf(operation, session))
  assert.ok(all.length > 1000, `${all.length} cases`)
  const wrong: string[] = []
  const chosen = all.filter((_, n) => n % STEP === 0)
  for (const { name, method, path, body, type } of chosen) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    }
    const { status, json } = await send(serving.url, method, path, headers, body)
    const isTold = status < 400 || (typeof json?.code === 'string' && typeof json?.fix === 'string')
    if (status >= 500 || !isTold) wrong.push(`${name}: ${status} ${json?.code}`)
  }
  assert.deepEqual(wrong, [])
  assert.equal((await serving.call('GET', '/healthz', { token: null })).status, 200)
  assert.deepEqual(
    serving.lines.filter((line) => line.includes('"level":"error"')),
    [],
  )
})
