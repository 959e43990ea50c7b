/**
 * The generated family of bad tool inputs: every tool the model is offered × every field of its schema × what can be
 * wrong with it. Each call gets one result and nothing else happens: the session goes on, no file appears, nobody hangs.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { byTier, isInPart } from '../support/tier.js'

type Schema = { properties?: Record<string, { type?: string }>; required?: string[] }
type Case = { title: string; input: Record<string, unknown> }

const NEITHER = Symbol('left out')
const BAD: Record<string, (type: string | undefined) => unknown> = {
  missing: () => NEITHER,
  null: () => null,
  'of another type': (type) => (type === 'string' ? 5 : 'text'),
  empty: (type) => (type === 'array' ? [] : type === 'object' ? {} : ''),
  'of 1 MiB': () => 'x'.repeat(1024 * 1024),
  'with a NUL': () => 'a\0b',
  'leading up': () => '../../../../../../etc/passwd',
  'with a leading dash': () => '--help',
  'with half a character': () => 'a\ud800b',
}

/** Something valid for every required field, so that only one is wrong. */
const GOOD: Record<string, unknown> = {
  string: 'plain',
  number: 1,
  integer: 1,
  boolean: false,
  array: [],
  object: {},
}

function casesOf({ properties = {}, required = [] }: Schema): Case[] {
  const complete = Object.fromEntries(required.map((name) => [name, GOOD[properties[name]?.type ?? 'string']]))
  const cases = Object.entries(properties).flatMap(([name, { type }]) =>
    Object.entries(BAD).map(([what, make]) => {
      const value = make(type)
      const { [name]: _, ...others } = complete
      return { title: `${name} ${what}`, input: value === NEITHER ? others : { ...others, [name]: value } }
    }),
  )
  return [...cases, { title: 'an extra field', input: { ...complete, bogus: true } }]
}

/** The tools as a session offers them. */
async function offeredTools(): Promise<{ name: string; input_schema: Schema }[]> {
  await using server = await startModelServer(['Hello.'])
  await using options = testOptions(server)
  await collect(query({ prompt: 'Hi.', options }))
  const tools: unknown = server.requests[0]?.body.tools
  assert.ok(Array.isArray(tools) && tools.length > 10)
  return tools
}

const tools = await offeredTools()
const all = tools.flatMap(({ name, input_schema }) => casesOf(input_schema).map((one) => ({ name, ...one })))

test(`the family has ${all.length} inputs`, () => assert.ok(all.length >= 150))

for (const { name, input_schema } of tools) {
  // The check of an input is the same for all tools; each has its own cases beside its source.
  if (!isInPart(`bad input of ${name}`)) continue
  test(`${name}: every bad input gets one result, and nothing happens`, { timeout: 120_000 }, async () => {
    const cases = casesOf(input_schema)
    const large = cases.filter(({ title }) => title.endsWith('1 MiB'))
    await tryAll(
      name,
      cases.filter((one) => !large.includes(one)),
    )
    // Each alone: in one conversation they would be sent again with every request.
    for (const one of large.slice(0, byTier({ quick: 1, all: large.length }))) await tryAll(name, [one])
  })
}

async function tryAll(name: string, cases: readonly Case[]): Promise<void> {
  await using server = await startModelServer([
    ...cases.map(({ input }, index) => ({ tools: [{ id: `toolu_${index}`, name, input }] })),
    'All done.',
  ])
  await using options = testOptions(server)
  mkdirSync(join(options.cwd, 'inside'))
  writeFileSync(join(options.cwd, 'inside', 'file.txt'), 'text\n')
  const before = readdirSync(options.cwd, { recursive: true })
  const canUseTool = async () => ({ behavior: 'deny' as const, message: 'No.' })
  const run = await collect(query({ prompt: 'Try.', options: { ...options, canUseTool } }))
  assert.equal(run.error, undefined)
  assert.equal(run.results.length, 1)
  assert.equal(run.result?.subtype, 'success')
  const answered = run.messages.flatMap((m) =>
    m.type === 'user' && Array.isArray(m.message.content)
      ? m.message.content.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : []))
      : [],
  )
  assert.deepEqual(
    answered,
    cases.map((_, index) => `toolu_${index}`),
  )
  assert.deepEqual(readdirSync(options.cwd, { recursive: true }), before)
  for (const request of server.requests.slice(1)) {
    for (const { text } of request.toolResults) assert.doesNotMatch(text, /\n\s+at .*:\d+:\d+/, 'a stack trace')
  }
  server.assertDone()
}
