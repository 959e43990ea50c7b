/**
 * C08: `interrupt()` is flaky, or takes too much along.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/352 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/279
 * https://github.com/anthropics/claude-code/issues/91655 · https://github.com/siteboon/claudecodeui/issues/906
 * https://github.com/bastani-inc/atomic/issues/308 · https://github.com/CherryHQ/cherry-studio/issues/20719
 * https://github.com/happier-dev/happier/issues/270
 *
 * T: `interrupt({ scope: 'turn' })` is answered in the middle of an answer and of a tool, background work survives, the next prompt uses the
 * same process and the same beginning of the request; `scope: 'all'` stops everything; after an abort no tool runs; text that was cut
 * off is marked. Every point where a turn can hang, with the time limit, is `test/sdk/interrupt-anywhere.test.ts`.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, type SDKMessage } from 'kedge'
import { collect } from 'kedge/testing'
import { eventually } from '../support/eventually.js'
import { bash, call, prompts, say, system, untilFile, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const background = call(
  'Bash',
  { command: 'echo $$ > there; sleep 0.5; : > survived', run_in_background: true },
  'toolu_bg',
)

for (const isolation of isolationsOf('C08 the turn ends, background work')) {
  test(`C08 the turn ends, background work survives, the next prompt goes on in the same process with the same prefix (${isolation})`, async () => {
    const turns = [background, { text: 'A long story.', stallAfterEvents: 3 }, 'Here I am.', 'It has ended.']
    await withModel(
      turns,
      { isolation, allowedTools: ['Bash'], includePartialMessages: true },
      async ({ options, server }) => {
        const input = prompts()
        await using running = query({ prompt: input.stream, options })
        const messages: SDKMessage[] = []
        input.send(say('Go.'))
        let interrupted = false
        let pid: number | undefined
        for await (const message of running) {
          messages.push(message)
          if (message.type === 'stream_event' && !interrupted && server.requests.length === 2) {
            interrupted = true
            pid = running.pid
            await running.interrupt({ scope: 'turn' })
          }
          if (message.type === 'result' && server.requests.length === 2) input.send(say('Are you there?'))
          if (message.type === 'result' && server.requests.length >= 3) input.end()
        }
        assert.equal(existsSync(join(options.cwd, 'survived')), true)
        assert.equal(system(messages, 'task_notification')[0]?.status, 'completed')
        assert.equal(running.pid, pid)
        const reasons = messages.flatMap((m) => (m.type === 'result' ? [m.terminal_reason] : []))
        assert.equal(reasons[0], 'aborted_streaming')
        const [, before, after] = server.requests.map(({ body }) => body)
        assert.ok(before && after)
        assert.equal(after.messages.slice(0, before.messages.length - 1).length > 0, true)
        assert.deepEqual(
          after.messages.slice(0, before.messages.length).map(({ role }) => role),
          before.messages.map(({ role }) => role),
        )
        assert.deepEqual([after.tools, after.system], [before.tools, before.system])
        // The text that was cut off is not passed off as an answer: a marker stands behind it.
        assert.match(JSON.stringify(after.messages), /\[Request interrupted by user/)
        assert.ok(
          messages.some((m) => m.type === 'user' && JSON.stringify(m.message).includes('[Request interrupted by user')),
        )
      },
    )
  })
}

test("C08 scope 'all' stops background work, too, and drops what waits", async () => {
  const turns = [background, { text: 'A long story.', stallAfterEvents: 3 }]
  await withModel(turns, { allowedTools: ['Bash'], includePartialMessages: true }, async ({ options, server }) => {
    const running = query({ prompt: 'Go.', options })
    const messages: SDKMessage[] = []
    for await (const message of running) {
      messages.push(message)
      if (message.type !== 'stream_event' || server.requests.length < 2) continue
      await untilFile(join(options.cwd, 'there'))
      await running.interrupt({ scope: 'all' })
    }
    assert.equal(system(messages, 'task_notification')[0]?.status, 'stopped')
    const pid = Number(readFileSync(join(options.cwd, 'there'), 'utf8'))
    await eventually('its processes are gone', () => !isRunning(pid))
    assert.equal(existsSync(join(options.cwd, 'survived')), false)
  })
})

test('C08 in the middle of a tool: answered at once, and no tool runs after it', async () => {
  const two = { tools: [...bash(': > first; sleep 300', 'toolu_1').tools, ...bash(': > second', 'toolu_2').tools] }
  await withModel([two], { allowedTools: ['Bash'] }, async ({ options }) => {
    const running = query({ prompt: 'Go.', options })
    const all = collect(running)
    await untilFile(join(options.cwd, 'first'))
    await running.interrupt()
    const run = await all
    assert.deepEqual([run.results.length, run.result?.terminal_reason], [1, 'aborted_tools'])
    assert.equal(existsSync(join(options.cwd, 'second')), false)
  })
})

test('C08 after abort() no tool runs: not even one whose permission is granted afterwards', async () => {
  await withModel([bash(': > ran')], {}, async ({ options }) => {
    const abortController = new AbortController()
    const canUseTool = async () => {
      abortController.abort()
      return { behavior: 'allow' as const }
    }
    const running = query({ prompt: 'Go.', options: { ...options, abortController, canUseTool } })
    const run = await collect(running)
    await running.closed
    assert.ok(run.error instanceof Error && run.error.name === 'AbortError')
    assert.equal(existsSync(join(options.cwd, 'ran')), false)
  })
})
