/** The generated family of stdin lines: every message type × every field × six ways of being wrong, each with its fate. */
import assert from 'node:assert/strict'
import { sampledTest as test } from '../support/tier.js'
import { type Agent, answerTo, isResult, type Line, startAgent } from './agent-process.js'

const MIB_STRING = 'x'.repeat(1024 * 1024)
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What is done to a field. `__proto__`: it is not there itself, but in an object under that key. */
const MUTATIONS = ['missing', 'null', 'wrong type', 'empty', '1 MiB string', '__proto__'] as const
type Mutation = (typeof MUTATIONS)[number]

/**
 * turn: taken as a message · refused: one error result, the model is not asked · ends: exit 1 as the protocol has it ·
 * error: an error answer · answered: an answer · unanswerable: a note on stderr · ignored: nothing.
 */
type Fate = 'turn' | 'refused' | 'ends' | 'error' | 'answered' | 'unanswerable' | 'ignored'

const text = { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'Hi.' }] } }
const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
const image = { type: 'user', message: { role: 'user', content: [{ type: 'image', source }] } }
const response = { subtype: 'success', request_id: 'never', response: {} }
const TEMPLATES: Record<string, object> = {
  user: { ...text, parent_tool_use_id: null, session_id: '' },
  'user with an image': image,
  control_request: { type: 'control_request', request_id: 'c', request: { subtype: 'mcp_status' } },
  control_response: { type: 'control_response', response },
  control_cancel_request: { type: 'control_cancel_request', request_id: 'never' },
  keep_alive: { type: 'keep_alive' },
}

/** Fates in the order of MUTATIONS; a single one stands for all. */
const FIELDS: [template: string, path: string, fates: string][] = [
  ['user', 'type', 'ignored'],
  ['user', 'message', 'refused'],
  ['user', 'message.role', 'refused refused refused ends ends refused'],
  ['user', 'message.content', 'refused refused refused refused turn refused'],
  ['user', 'message.content.0', 'refused'],
  ['user', 'message.content.0.type', 'refused'],
  ['user', 'message.content.0.text', 'refused refused refused refused turn refused'],
  ['user', 'parent_tool_use_id', 'turn'],
  ['user', 'session_id', 'turn'],
  ['user', 'uuid', 'turn'],
  ['user with an image', 'message.content.0.source', 'refused'],
  ['user with an image', 'message.content.0.source.type', 'refused'],
  ['user with an image', 'message.content.0.source.media_type', 'refused'],
  ['user with an image', 'message.content.0.source.data', 'refused refused refused refused turn refused'],
  ['control_request', 'type', 'ignored'],
  ['control_request', 'request_id', 'unanswerable unanswerable unanswerable unanswerable answered unanswerable'],
  ['control_request', 'request', 'error'],
  ['control_request', 'request.subtype', 'error'],
  ['control_response', 'type', 'ignored'],
  ['control_response', 'response', 'ignored'],
  ['control_response', 'response.subtype', 'ignored'],
  ['control_response', 'response.request_id', 'ignored'],
  ['control_response', 'response.response', 'ignored'],
  ['control_cancel_request', 'type', 'ignored'],
  ['control_cancel_request', 'request_id', 'ignored'],
  ['keep_alive', 'type', 'ignored'],
]

test(`N generated: there are enough lines (${FIELDS.length * MUTATIONS.length})`, () => {
  assert.ok(FIELDS.length * MUTATIONS.length >= 80)
})

for (const [template, path, fates] of FIELDS) {
  test(`N generated: ${template}: ${path} × ${MUTATIONS.join(', ')}`, async () => {
    await using agent = await startAgent(() => 'Fine.')
    const met: Fate[] = []
    for (const [n, mutation] of MUTATIONS.entries()) {
      const list = fates.split(' ')
      const fate = (list[n] ?? list[0]) as Fate // one of the words in the table above
      const line = mutate(TEMPLATES[template], path.split('.'), mutation)
      if (fate === 'ends') await endsTheSession(line)
      else await meets(agent, line, fate)
      met.push(fate)
    }
    assert.equal((await agent.turn('Are you fine?')).result, 'Fine.')
    await agent.finish()
    const results = met.filter((fate) => fate === 'turn' || fate === 'refused').length
    assert.equal(agent.lines.filter(isResult).length, results + 1)
    const complaints = agent.stderr().match(/^Ignored: control_request without a request_id$/gm) ?? []
    assert.equal(complaints.length, met.filter((fate) => fate === 'unanswerable').length)
    assert.ok(agent.stderr().length < 2000, 'stderr repeats the input')
  })
}

async function meets(agent: Agent, line: string, fate: Fate): Promise<void> {
  const before = { lines: agent.lines.length, requests: agent.server.requests.length }
  await agent.write(`${line}\n`)
  switch (fate) {
    case 'turn': {
      const result = await agent.take(isResult)
      assert.deepEqual([result.subtype, result.result], ['success', 'Fine.'], JSON.stringify(result.errors))
      return
    }
    case 'refused': {
      const result = await agent.take(isResult)
      assert.deepEqual([result.is_error, result.terminal_reason], [true, 'invalid_input'])
      assert.match(String(result.errors?.[0]), /^user message: .{5,400}$/)
      assert.equal(agent.server.requests.length, before.requests)
      return
    }
    case 'error': {
      const { response: answer } = await agent.take(answerTo('c'))
      assert.equal(answer?.subtype, 'error')
      assert.match(String(answer?.error), /^.{5,400}$/)
      return
    }
    case 'answered':
      assert.equal((await agent.take(answerTo(MIB_STRING))).response?.subtype, 'success')
      return
    default: {
      await agent.ask({ subtype: 'mcp_status' })
      const others = agent.lines
        .slice(before.lines)
        .filter((seen: Line) => !seen.response?.request_id.startsWith('ask-'))
      assert.deepEqual(others, [])
    }
  }
}

async function endsTheSession(line: string): Promise<void> {
  await using agent = await startAgent([])
  await agent.write(`${line}\n`)
  await agent.finish({ code: 1 })
  assert.match(agent.stderr(), /^Error: Expected message role 'user', got '[^\n]{0,100}'\n$/)
}

/** The JSON text of a copy of `template` with the field at `path` changed. */
function mutate(template: unknown, [key = '', ...rest]: string[], mutation: Mutation): string {
  if (typeof template !== 'object' || template === null) return assert.fail(`no object at ${key}`)
  const entries = Object.entries(template)
  const inside = rest.length > 0
  const parts = entries.flatMap(([name, value]) => {
    if (name !== key) return [[name, JSON.stringify(value)]]
    if (inside) return [[name, mutate(value, rest, mutation)]]
    return []
  })
  const original: unknown = entries.find(([name]) => name === key)?.[1]
  const changed = inside ? undefined : mutated(original, mutation)
  if (changed !== undefined) parts.push([key, changed])
  if (!inside && mutation === '__proto__') parts.push(['__proto__', JSON.stringify({ [key]: original })])
  if (Array.isArray(template)) return `[${parts.map(([, json]) => json).join(',')}]`
  return `{${parts.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

function mutated(original: unknown, mutation: Mutation): string | undefined {
  switch (mutation) {
    case 'missing':
    case '__proto__':
      return undefined
    case 'null':
      return 'null'
    case 'wrong type':
      return '{"toString":7}'
    case 'empty':
      return Array.isArray(original) ? '[]' : typeof original === 'object' && original !== null ? '{}' : '""'
    case '1 MiB string':
      return JSON.stringify(MIB_STRING)
  }
}
