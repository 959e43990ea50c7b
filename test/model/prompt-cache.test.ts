/**
 * C22: resuming a session breaks the prompt cache, which multiplies its cost.
 * https://github.com/anthropics/claude-code/issues/34629 · https://github.com/anthropics/claude-code/issues/43657
 * https://github.com/anthropics/claude-code/issues/51764 · https://github.com/anthropics/claude-code/issues/92938
 * https://github.com/anthropics/claude-code/issues/87966 · https://github.com/anthropics/claude-code/issues/89651
 * https://github.com/anthropics/claude-code/issues/86749
 *
 * T: request n+1 begins with the bytes of request n up to the last cache marker: in the same process, in a resumed one, on another host,
 * after an interrupt, after a fork; a break that can't be avoided is told with its reason; nothing that changes by itself (time, random
 * ids) stands before the marker.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InMemorySessionStore, type Options, query, type SDKMessage } from 'kedge'
import { collect, type ModelRequest, type ModelServer } from 'kedge/testing'
import { bash, notices, prompts, say, until, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

/** What the cache sees, piece by piece; the markers themselves move and do not count. */
function pieces({ body }: ModelRequest): string[] {
  const plain = (value: unknown) => JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner))
  const blocks = body.messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [content] : content).map((block) => plain([role, block])),
  )
  return [plain(body.model), plain(body.tools), plain(body.system), ...blocks]
}

function assertPrefixes(server: ModelServer): void {
  const all = server.requests.map(pieces)
  for (const [index, earlier] of all.slice(0, -1).entries()) {
    const later = all[index + 1] ?? []
    assert.ok(later.length > earlier.length, `request ${index + 1} adds something`)
    assert.deepEqual(later.slice(0, earlier.length), earlier, `request ${index + 1} begins with request ${index}`)
  }
}

const preset: Options = { systemPrompt: { type: 'preset', preset: 'claude_code' }, allowedTools: ['Bash'] }
const idOf = (messages: readonly SDKMessage[]) => messages[0]?.session_id ?? ''

for (const isolation of isolationsOf('C22 same process, resumed process, fork')) {
  test(`C22 same process, resumed process, fork: each request begins with the one before it (${isolation})`, async () => {
    const turns = [bash('echo one'), 'One.', bash('echo two', 'toolu_2'), 'Two.', 'Three.']
    await withModel(turns, { ...preset, isolation }, async ({ options, server }) => {
      const first = await collect(query({ prompt: 'First.', options }))
      const second = await collect(query({ prompt: 'Second.', options: { ...options, resume: idOf(first.messages) } }))
      const resume = idOf(second.messages)
      await collect(query({ prompt: 'Third.', options: { ...options, resume, forkSession: true } }))
      assert.equal(server.requests.length, 5)
      assertPrefixes(server)
    })
  })
}

test('C22 on another host, with nothing but the store', async () => {
  const sessionStore = new InMemorySessionStore()
  await withModel([bash('echo one'), 'One.', 'Two.'], { ...preset, sessionStore }, async ({ options, server }) => {
    const first = await collect(query({ prompt: 'First.', options }))
    const env = { ...options.env, CLAUDE_CONFIG_DIR: `${options.env['CLAUDE_CONFIG_DIR']}-of-another-host` }
    await collect(query({ prompt: 'Second.', options: { ...options, env, resume: idOf(first.messages) } }))
    assertPrefixes(server)
  })
})

test('C22 after an interrupt', async () => {
  const turns = ['One.', { text: 'A long story.', stallAfterEvents: 3 }, 'Three.']
  await withModel(turns, { ...preset, includePartialMessages: true }, async ({ options, server }) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options })
    const turn = (interrupts = false) =>
      until(async () => {
        const { value } = await running.next()
        if (interrupts && value?.type === 'stream_event') await running.interrupt()
        return value?.type === 'result'
      })
    input.send(say('First.'))
    await turn()
    input.send(say('Second.'))
    await turn(true)
    input.send(say('Third.'))
    input.end()
    await turn()
    await collect(running)
    assertPrefixes(server)
  })
})

test('C22 context of hooks and CLAUDE.md stays where it was, also after a resume', async () => {
  let times = 0
  const hooks: Options['hooks'] = {
    UserPromptSubmit: [
      {
        hooks: [
          async () => {
            times += 1
            return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: `Context ${times}.` } }
          },
        ],
      },
    ],
  }
  await withModel(['One.', 'Two.', 'Three.'], { ...preset, hooks }, async ({ options, server }) => {
    const first = await collect(query({ prompt: 'First.', options }))
    const resume = idOf(first.messages)
    await collect(query({ prompt: 'Second.', options: { ...options, resume } }))
    await collect(query({ prompt: 'Third.', options: { ...options, resume } }))
    assertPrefixes(server)
  })
})

test('C22 nothing random and no time stands before the marker: two sessions of one folder send the same bytes', async () => {
  await withModel(['One.', 'One.'], preset, async ({ options, server }) => {
    await collect(query({ prompt: 'First.', options }))
    await collect(query({ prompt: 'First.', options }))
    const [one, two] = server.requests.map(pieces)
    assert.deepEqual(one, two)
    assert.doesNotMatch(JSON.stringify(server.requests[0]?.body.system), /\d\d:\d\d/)
    assert.match(JSON.stringify(server.requests[0]?.body), /cache_control/)
  })
})

test('C22 a break that can not be avoided is told, with its reason', async () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 5000, output_tokens: 5 }
  const turns = ['One.', 'Two.', 'Three.'].map((text) => ({ text, usage }))
  await withModel(turns, preset, async ({ options }) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options })
    const messages: SDKMessage[] = []
    const turn = () =>
      until(async () => {
        const { value } = await running.next()
        if (value) messages.push(value)
        return value?.type === 'result'
      })
    input.send(say('First.'))
    await turn()
    assert.deepEqual(notices(messages, 'cache_break'), [])
    await running.setModel('claude-opus-4-1-20250805')
    input.send(say('Second.'))
    await turn()
    assert.deepEqual(
      notices(messages, 'cache_break').map(({ reason }) => reason),
      ['model'],
    )
    input.send(say('Third.'))
    input.end()
    await turn()
    await collect(running)
    assert.equal(notices(messages, 'cache_break').length, 1)
  })
})
