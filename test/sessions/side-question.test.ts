/** A question on the side: it begins as the conversation's requests do, and nothing of it is left in the session. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { getSessionMessages, query, type SDKMessage } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'
import { bothWays } from '../e2e/both-ways.js'

type Body = { system: unknown; tools: unknown; messages: { role: string; content: unknown }[] }

/** Without the marks of where the cache ends, which move along with the conversation. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, item) => (key === 'cache_control' ? undefined : item))
}

const asText = (content: unknown) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)
const messagesOf = ({ messages }: Body) => messages.map(({ role, content }) => plain([role, asText(content)]))

bothWays(
  'ask(): the request begins byte for byte as the one before it, and the next turn knows nothing of it',
  () => ['One.', 'Because of the cat.', 'Two.'],
  {},
  async ({ options, server }) => {
    const running = query({ prompt: null, options })
    const messages: SDKMessage[] = []
    const turn = async (prompt: string) => {
      await running.send(prompt)
      for (;;) {
        const { value, done } = await running.next()
        if (done) return assert.fail('the query ended')
        messages.push(value)
        if (value.type === 'result') return value
      }
    }
    await turn('Hi.')
    const aside = await running.ask('Why is that?')
    assert.equal(aside.answer, 'Because of the cat.')
    assert.ok(aside.costUsd > 0 && aside.outputTokens > 0)
    const before = messages.length
    const last = await turn('Go on.')
    assert.ok(messages.slice(before).every((message) => !JSON.stringify(message).includes('cat')))
    // What it cost counts.
    assert.ok(last.total_cost_usd > aside.costUsd)
    const [first, question, next] = server.requests.map(({ body }) => body as Body) // our own requests
    assert.ok(first && question && next)
    assert.equal(plain([question.system, question.tools]), plain([first.system, first.tools]))
    assert.equal(JSON.stringify([question.system, question.tools]), JSON.stringify([next.system, next.tools]))
    const [said, asked, later] = [messagesOf(first), messagesOf(question), messagesOf(next)]
    assert.deepEqual(asked.slice(0, said.length), said)
    // The answer of the turn stands in both, and only the last message differs.
    assert.deepEqual(later.slice(0, -1), asked.slice(0, -1))
    assert.match(asked.at(-1) ?? '', /Why is that\?/)
    assert.doesNotMatch(plain(next), /Why is that|Because of the cat/)
    const { session_id: id } = last
    running.close()
    await running.closed
    const stored = await getSessionMessages(id, { dir: options.cwd })
    assert.doesNotMatch(JSON.stringify(stored), /Why is that|cat/)
  },
)

test('ask() (side_question) while a turn runs: the answer comes before the turn is over, without the call that still runs', async () => {
  const call = { tools: [{ id: 'toolu_w', name: 'Bash', input: { command: 'cat wait.fifo' } }] }
  await using server = await startModelServer([call, 'Still waiting.', 'Done.'])
  await using options = testOptions(server)
  execFileSync('mkfifo', [`${options.cwd}/wait.fifo`])
  const running = query({ prompt: 'Wait.', options: { ...options, allowedTools: ['Bash'] } })
  let result: SDKMessage | undefined
  for await (const message of running) {
    if (message.type === 'assistant' && JSON.stringify(message.message.content).includes('toolu_w')) {
      assert.equal((await running.ask('What now?')).answer, 'Still waiting.')
      // Not on the spot: the command that reads it is started by this very process.
      void writeFile(`${options.cwd}/wait.fifo`, 'over\n')
    }
    if (message.type === 'result') result = message
  }
  assert.equal(result?.type === 'result' && result.subtype, 'success')
  const [, aside, after] = server.requests.map(({ body }) => plain(body))
  assert.doesNotMatch(aside ?? '', /toolu_w/)
  assert.match(after ?? '', /toolu_w/)
  assert.doesNotMatch(after ?? '', /What now/)
})

test('ask() that the model refuses, and one without words, are errors by name', async () => {
  await using server = await startModelServer(['One.', { status: 400 }])
  await using options = testOptions(server)
  const running = query({ prompt: null, options })
  await running.send('Hi.')
  for (;;) if ((await running.next()).value?.type === 'result') break
  await assert.rejects(running.ask('  '), /question must not be empty/)
  await assert.rejects(running.ask('Why?'), /API Error: 400/)
  running.close()
})
