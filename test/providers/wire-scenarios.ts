/** What happens between the agent and a provider: retries, cuts, errors. Through the client, whose waits take no time. */
import assert from 'node:assert/strict'
import type { ModelOutcome } from '../../src/engine/ports.js'
import type { Answer } from '../support/model-api.js'
import type { spokenClient } from '../support/providers/spoken-client.js'
import type { Script, Spoken, SpokenServer, Step } from '../support/providers/spoken-server.js'

export type WireRun = { client: Awaited<ReturnType<typeof spokenClient>>; server: SpokenServer; spoken: Spoken }
export type WireScenario = {
  name: string
  script: Script
  env?: Record<string, string>
  check(run: WireRun): Promise<void>
}

const HELLO: Answer = { blocks: [{ text: ['Hel', 'lo.'] }] }
const hello: Step = { answer: HELLO }

export function textOf(outcome: ModelOutcome): string {
  if (!outcome.ok) return `${outcome.failure.code}: ${outcome.failure.text}`
  return outcome.message.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('')
}

/** A failure comes once, is not tried again, and has this code. */
const fails = (name: string, step: Step, code: RegExp, more: Partial<WireScenario> = {}): WireScenario => ({
  name,
  script: () => step,
  async check({ client, server, spoken }) {
    const { outcome } = await client.ask()
    assert.match(textOf(outcome), code)
    assert.equal(server.asked.length, 1)
    for (const secret of spoken.secrets) assert.ok(!textOf(outcome).includes(secret))
    const fix = outcome.ok ? '' : await client.provider.fixFor(outcome.failure, 'm')
    assert.ok(fix === undefined || !spoken.secrets.some((secret) => fix.includes(secret)))
  },
  ...more,
})

/** A failure is waited out: what comes after it is the answer. */
const passes = (name: string, step: Step, waits: number): WireScenario => ({
  name,
  script: [step, hello],
  async check({ client, server }) {
    const { outcome } = await client.ask()
    assert.equal(textOf(outcome), 'Hello.')
    assert.deepEqual([server.asked.length, client.waits.filter((ms) => ms > 0).length], [2, waits])
  },
})

export const WIRE_SCENARIOS: readonly WireScenario[] = [
  passes('a retry after a rate limit', { error: 'rate_limit' }, 1),
  passes('a retry after an overload', { error: 'overloaded' }, 1),
  passes('a retry after a server error', { error: 'server' }, 1),
  passes('a connection that breaks before the response', { cut: HELLO, after: 0 }, 1),
  passes('a stream that breaks before any content', { cut: HELLO, after: 1 }, 1),
  passes('a stream that breaks in the middle: the response is complete', { cut: HELLO, after: 5 }, 0),
  passes('an error inside a stream', { failing: HELLO, after: 1, error: 'overloaded' }, 1),
  passes('a server error inside a stream', { failing: HELLO, after: 1, error: 'server' }, 1),
  {
    name: 'an error in the middle of a stream: the response is complete',
    script: [{ failing: HELLO, after: 5, error: 'overloaded' }, hello],
    async check({ client, server }) {
      assert.equal(textOf((await client.ask()).outcome), 'Hello.')
      assert.deepEqual(
        server.asked.map(({ streamed }) => streamed),
        [true, false],
      )
    },
  },
  {
    name: 'retry-after is respected',
    script: [{ error: 'rate_limit', headers: { 'retry-after': '7' } }, hello],
    async check({ client }) {
      assert.equal(textOf((await client.ask()).outcome), 'Hello.')
      assert.deepEqual(client.waits, [7000])
    },
  },
  {
    name: 'retries end',
    script: () => ({ error: 'server' }),
    env: { CLAUDE_CODE_MAX_RETRIES: '2' },
    async check({ client, server }) {
      assert.match(textOf((await client.ask()).outcome), /^server_error: /)
      assert.equal(server.asked.length, 3)
    },
  },
  {
    name: 'the fallback model after three overloads',
    script: () => ({ error: 'overloaded' }),
    async check({ client, server }) {
      assert.match(textOf((await client.ask({ switchOn: ['overloaded'] })).outcome), /^overloaded: /)
      assert.equal(server.asked.length, 3)
    },
  },
  fails('an invalid request is not repeated', { error: 'invalid' }, /^invalid_request: .*scripted invalid/),
  fails('a prompt that is too long', { error: 'too_long' }, /^prompt_too_long: /),
  fails('a rejected credential', { error: 'authentication' }, /^(?:invalid_api_key|permission_denied): /),
  fails('a credential without the permission', { error: 'permission' }, /^permission_denied: /),
  fails('an unknown model', { error: 'not_found' }, /^model_not_found: /),
  fails('no credit left', { error: 'billing' }, /^billing: /),
  fails(
    'a page instead of a response',
    { page: '<html>Welcome</html>' },
    /^unexpected_response: .*content type text\/html/,
  ),
  {
    name: 'an error that repeats the credential',
    script: () => ({ error: 'invalid', message: 'you sent $SECRETS, which is wrong' }),
    async check({ client, spoken }) {
      const text = textOf((await client.ask()).outcome)
      assert.match(text, /you sent .*\[redacted\].*, which is wrong/)
      for (const secret of spoken.secrets) assert.ok(!text.includes(secret))
    },
  },
  {
    name: 'byte by byte',
    script: [{ answer: { blocks: [{ text: ['Grüße', ' 🌍'] }] }, pieceSize: 1 }],
    async check({ client }) {
      assert.equal(textOf((await client.ask()).outcome), 'Grüße 🌍')
    },
  },
  {
    name: 'one piece instead of a stream',
    script: [{ whole: { blocks: [{ text: ['Grüße 🌍'] }] } }],
    async check({ client }) {
      assert.equal(textOf((await client.ask()).outcome), 'Grüße 🌍')
    },
  },
  {
    name: 'a cut at any event: a complete response or none',
    script: (_, index) => (index % 2 === 0 ? { cut: HELLO, after: Math.floor(index / 2) } : hello),
    async check({ client }) {
      for (let round = 0; round < 6; round += 1) assert.equal(textOf((await client.ask()).outcome), 'Hello.')
    },
  },
  {
    name: 'an abort before and in the middle: no further events',
    script: () => ({ stall: HELLO, after: 5 }),
    async check({ client }) {
      const aborted = new AbortController()
      aborted.abort()
      const request = { model: 'sonnet', system: [], tools: [], messages: [], partial: true } as const
      for await (const event of client.provider.port.stream({ ...request, tools: [], messages: [] }, aborted.signal))
        assert.fail(`told ${event.type}`)
      const later = new AbortController()
      const kinds: string[] = []
      const messages = [{ role: 'user' as const, content: 'Hello.' }]
      for await (const event of client.provider.port.stream({ ...request, tools: [], messages }, later.signal)) {
        kinds.push(event.type)
        later.abort()
      }
      assert.ok(!kinds.includes('end'), kinds.join())
    },
  },
  {
    name: 'many requests at once',
    script: () => hello,
    async check({ client, server }) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => client.ask()))
      assert.deepEqual(
        answers.map(({ outcome }) => textOf(outcome)),
        Array.from({ length: 8 }, () => 'Hello.'),
      )
      assert.equal(server.asked.length, 8)
    },
  },
  {
    name: 'a long history',
    script: () => hello,
    async check({ client, server }) {
      const text = 'ä'.repeat(100_000)
      const messages = Array.from({ length: 9 }, (_, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `${at} ${text}`,
      }))
      assert.equal(textOf((await client.ask({ messages })).outcome), 'Hello.')
      assert.equal(server.asked[0]?.messages.length, 9)
    },
  },
  {
    name: 'a limit of output',
    script: () => hello,
    env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1234' },
    async check({ client, server }) {
      await client.ask()
      await client.ask({ maxTokens: 55 })
      assert.deepEqual(
        server.asked.map(({ maxTokens }) => maxTokens),
        [1234, 55],
      )
    },
  },
  {
    name: 'usage is counted once per request, even if it broke off',
    script: [{ cut: HELLO, after: 5 }, hello],
    async check({ client }) {
      await client.ask()
      assert.equal(client.ledger.entries().length, 2)
    },
  },
  {
    name: 'text with half a character',
    script: [hello],
    async check({ client, server }) {
      await client.ask({ messages: [{ role: 'user', content: 'half \ud83d here' }] })
      assert.match(JSON.stringify(server.asked[0]?.messages), /half � here/)
    },
  },
]
