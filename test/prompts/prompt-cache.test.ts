/** What a cache that follows the API's rules reads of each request: all that was sent before, wherever the session stands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSdkMcpServer, query, type SDKUserMessage, tool } from 'kedge'
import { collect, type ModelRequest, script, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { approximateTokens, createPromptCacheSimulator } from '../../src/eval/minds/prompt-cache-simulator.js'

/** Of each request: tokens read from the cache, and all it could have read: what the largest request so far marked. */
function counted(requests: readonly ModelRequest[]): { read: number; all: number }[] {
  const cache = createPromptCacheSimulator()
  return requests.map(({ body }) => {
    const usage = cache.take(body, '')
    const read = usage.cache_read_input_tokens ?? 0
    return { read, all: read + (usage.cache_creation_input_tokens ?? 0) + usage.input_tokens }
  })
}

/** Each request reads what the one before had written, all of it but rounding. */
function assertReads(requests: readonly ModelRequest[]): void {
  const counts = counted(requests)
  assert.ok(counts.length > 1)
  for (const [at, { read }] of counts.entries()) {
    const before = counts[at - 1]
    if (before) assert.ok(read >= before.all - 3, `request ${at} read ${read} of ${before.all} tokens`)
  }
}

const frontOf = ({ body }: ModelRequest) => JSON.stringify([body.tools, body.system])
const say = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})

test('within a session: after 30 calls in one answer, the words of the user, and a summary', async () => {
  const many: Turn = {
    tools: Array.from({ length: 30 }, (_, n) => ({ name: 'Bash', input: { command: `echo ${n}` } })),
  }
  await using server = await startModelServer(['One.', many, many, 'Two.', 'SUMMARY'])
  const options = testOptions(server)
  async function* prompts() {
    yield say('First.')
    yield say('Second.')
    yield say('/compact')
  }
  await collect(query({ prompt: prompts(), options }))
  assert.equal(server.requests.length, 5)
  assertReads(server.requests)
  assert.equal(new Set(server.requests.map(frontOf)).size, 1)
})

test('over a resume: the front is the same, and results stand in the order of their calls', async () => {
  const slowFirst: Turn = {
    tools: [
      { name: 'Grep', input: { pattern: 'x', path: '/usr/share/dict', output_mode: 'count' } },
      { name: 'Glob', input: { pattern: '*' } },
      { name: 'Bash', input: { command: 'echo last' } },
    ],
  }
  await using server = await startModelServer([slowFirst, 'One.', 'Two.'])
  const options = testOptions(server)
  const { result } = await collect(query({ prompt: 'First.', options }))
  await collect(query({ prompt: 'Second.', options: { ...options, resume: result?.session_id ?? '' } }))
  assertReads(server.requests)
  assert.equal(new Set(server.requests.map(frontOf)).size, 1)
  const results = server.requests[1]?.toolResults.map(({ id }) => id)
  const [, answer] = server.requests[1]?.body.messages ?? []
  const blocks = Array.isArray(answer?.content) ? answer.content : []
  assert.deepEqual(
    results,
    blocks.flatMap((block) => (block.type === 'tool_use' ? block.id : [])),
  )
})

test('sub-agents of one type share a front', async () => {
  const start = (prompt: string): Turn => ({
    tools: [{ name: 'Task', input: { subagent_type: 'Explore', description: 'Look', prompt } }],
  })
  const lanes = { agent: { when: { opening: /Look (?:here|there)\./ }, turns: ['Nothing here.', 'Nothing there.'] } }
  await using server = await startModelServer(script([start('Look here.'), start('Look there.'), 'Done.'], { lanes }))
  await collect(query({ prompt: 'Begin.', options: testOptions(server) }))
  const agents = server.requests.filter(({ opening }) => lanes.agent.when.opening.test(opening))
  assert.equal(agents.length, 2)
  assert.equal(new Set(agents.map(frontOf)).size, 1)
  const [, second] = counted(agents)
  assert.ok((second?.read ?? 0) >= approximateTokens(frontOf(agents[0] as ModelRequest).length) - 20)
})

const mail = () =>
  createSdkMcpServer({
    name: 'mail',
    tools: ['send', 'list'].map((name) =>
      tool(name, `DEFINITION-OF-${name}`, {}, async () => ({ content: [{ type: 'text', text: `${name}: done` }] })),
    ),
  })
const found: Turn = { tools: [{ name: 'ToolSearch', input: { query: 'select:mcp__mail__send' } }] }
const called: Turn = { tools: [{ name: 'mcp__mail__send', input: {} }] }
const searching = (references: string) => ({
  mcpServers: { mail: mail() },
  allowedTools: ['mcp__mail__send'],
  env: { ENABLE_TOOL_SEARCH: 'true', KEDGE_TOOL_REFERENCES: references },
})

test('a tool that is found by reference leaves the front as it was', async () => {
  await using server = await startModelServer([found, called, 'Sent.'])
  await collect(query({ prompt: 'Send it.', options: testOptions(server, searching('1')) }))
  assertReads(server.requests)
  assert.equal(new Set(server.requests.map(frontOf)).size, 1)
  assert.match(
    JSON.stringify(server.requests[1]?.body),
    /"content":\[\{"type":"tool_reference","tool_name":"mcp__mail__send"\}\]/,
  )
  assert.match(server.requests[2]?.toolResults[0]?.text ?? '', /send: done/)
})

test('without references, or where the endpoint refuses them, a found tool is sent whole, and once', async () => {
  const refusal = {
    status: 400,
    error: { type: 'invalid_request_error', message: 'tools.20.custom.defer_loading: Extra inputs are not permitted' },
  }
  for (const [references, turns] of [
    ['0', [found, called, 'Sent.']],
    ['1', [refusal, found, called, 'Sent.']],
  ] as const) {
    await using server = await startModelServer([...turns])
    await collect(query({ prompt: 'Send it.', options: testOptions(server, searching(references)) }))
    const last = JSON.stringify(server.requests.at(-1)?.body)
    assert.doesNotMatch(last, /defer_loading|tool_reference/)
    assert.equal(last.split('DEFINITION-OF-send').length - 1, 1, last)
    assert.match(server.requests.at(-1)?.toolResults[0]?.text ?? '', /send: done/)
  }
})
