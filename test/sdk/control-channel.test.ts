/**
 * C06: the control channel closes while work is still going on ("Stream closed").
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/348 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/376
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/385 · https://github.com/anthropics/claude-agent-sdk-python/issues/1105
 * https://github.com/anthropics/claude-code/issues/76204 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/15
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/98 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/114
 * https://github.com/anthropics/claude-code/issues/24607 · https://github.com/anthropics/anthropic-sdk-typescript/issues/840
 *
 * T: with every way to give a prompt, canUseTool, in-process MCP tools and each hook are reached from the foreground, a background agent,
 * the turn after a background command, and after a long rest; never "stream closed". The whole matrix, with every hook and every kind
 * of prompt, is `test/sdk/callback-matrix.test.ts`; here are the cells of the reports, as a host writes them. (`shouldQuery` belongs to
 * releases after the one Kedge follows; a first message without a question is a message like any other.)
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSdkMcpServer, query, type SDKMessage, type SDKUserMessage, tool } from 'kedge'
import { collect, script } from 'kedge/testing'
import { bash, call, pause, prompts, say, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

async function* once(): AsyncGenerator<SDKUserMessage> {
  yield say('Go.')
}
const PROMPTS: Record<string, () => string | AsyncIterable<SDKUserMessage>> = {
  'a string': () => 'Go.',
  'one message': once,
}

const calls = {
  tools: [bash('touch a', 'toolu_b').tools[0], call('mcp__host__ask', {}, 'toolu_m').tools[0]].flatMap((c) => c ?? []),
}

function host() {
  const heard: string[] = []
  const server = createSdkMcpServer({
    name: 'host',
    tools: [
      tool('ask', 'Asks.', {}, async () => {
        heard.push('tool')
        return { content: [{ type: 'text' as const, text: 'asked' }] }
      }),
    ],
  })
  const hear = (what: string) => async () => {
    heard.push(what)
    return {}
  }
  return {
    heard,
    options: {
      mcpServers: { host: server },
      canUseTool: async () => {
        heard.push('canUseTool')
        return { behavior: 'allow' as const }
      },
      hooks: {
        PreToolUse: [{ hooks: [hear('PreToolUse')] }],
        PostToolUse: [{ hooks: [hear('PostToolUse')] }],
        Stop: [{ hooks: [hear('Stop')] }],
        SubagentStop: [{ hooks: [hear('SubagentStop')] }],
        SessionEnd: [{ hooks: [hear('SessionEnd')] }],
      },
    },
  }
}

for (const [name, prompt] of Object.entries(PROMPTS)) {
  for (const isolation of isolationsOf(`C06 ${name}`)) {
    test(`C06 callbacks are reached after the first result: ${name}, an agent in the background (${isolation})`, async () => {
      let resultSeen = () => {}
      const first = new Promise<void>((resolve) => {
        resultSeen = resolve
      })
      const task = { description: 'Work', prompt: 'WORK.', subagent_type: 'general-purpose', run_in_background: true }
      const model = script([call('Task', task), 'Started.', 'All done.'], {
        lanes: {
          agent: {
            when: { opening: 'WORK' },
            turns: [
              async () => {
                await first
                return calls
              },
              'Worked.',
            ],
          },
        },
      })
      const { heard, options: callbacks } = host()
      await withModel(model, { isolation, ...callbacks }, async ({ options }) => {
        const messages = []
        for await (const message of query({ prompt: prompt(), options })) {
          messages.push(message)
          if (message.type !== 'result') continue
          heard.push('result')
          resultSeen()
        }
        const later = heard.slice(heard.indexOf('result'))
        for (const what of ['canUseTool', 'tool', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'Stop', 'SessionEnd']) {
          assert.ok(later.includes(what), `${what}: ${later}`)
        }
        assert.doesNotMatch(JSON.stringify(messages), /stream closed/i)
      })
    })
  }
}

for (const isolation of isolationsOf('C06 background command')) {
  test(`C06 callbacks are reached in the turn that a background command starts (${isolation})`, async () => {
    const { heard, options: callbacks } = host()
    // It ends after the turn that started it. One that ends before is reported in that turn.
    const folder = mkdtempSync(join(tmpdir(), 'kedge-channel-'))
    const isOver = join(folder, 'over')
    const input = { command: `until [ -e ${isOver} ]; do sleep 0.05; done`, run_in_background: true }
    await withModel(
      [call('Bash', input), 'Started.', calls, 'Done.'],
      { isolation, ...callbacks },
      async ({ options }) => {
        const messages: SDKMessage[] = []
        for await (const message of query({ prompt: 'Go.', options })) {
          messages.push(message)
          if (message.type === 'result') writeFileSync(isOver, '')
        }
        rmSync(folder, { recursive: true })
        assert.equal(messages.filter(({ type }) => type === 'result').length, 2)
        const later = heard.slice(heard.indexOf('Stop') + 1)
        for (const what of ['canUseTool', 'tool', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'])
          assert.ok(later.includes(what), `${what}: ${heard}`)
        assert.doesNotMatch(JSON.stringify(messages), /stream closed/i)
      },
    )
  })
}

test('C06 callbacks are reached after a rest, with the input still open and after its end', async () => {
  const { heard, options: callbacks } = host()
  await withModel(['Hello.', calls, 'Done.'], { isolation: 'process', ...callbacks }, async ({ options }) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options })
    input.send(say('Hello.'))
    for (let over = false; !over; ) over = (await running.next()).value?.type === 'result'
    // Ten minutes in the reports; KEDGE_LONG takes the time. What closes the channel is no timer, so a short rest shows it too.
    await pause(process.env['KEDGE_LONG'] ? 600_000 : 300)
    heard.length = 0
    input.send(say('Go.'))
    input.end()
    const run = await collect(running)
    assert.equal(run.result?.subtype, 'success')
    assert.deepEqual([heard.includes('canUseTool'), heard.includes('tool')], [true, true])
  })
})
