/**
 * C16: hooks do not fire when the SDK is used. C17: what a failing hook means is unclear, and sometimes it lets things pass.
 * C16: https://github.com/anthropics/claude-agent-sdk-typescript/issues/83 · https://github.com/anthropics/claude-code/issues/6223
 * https://github.com/anthropics/anthropic-sdk-typescript/issues/840 · https://github.com/anthropics/claude-code/issues/29881
 * https://github.com/anthropics/claude-code/issues/40010 · https://github.com/anthropics/claude-code/issues/10814
 * C17: https://github.com/anthropics/claude-code/issues/10814 · https://github.com/anthropics/claude-code/issues/44534
 * https://github.com/anthropics/claude-code/issues/77634
 *
 * T (C16): each event, from a callback, a settings file and a plugin, fires once with a valid input, also at max_turns, abort and budget;
 * SessionEnd is waited for. (DECISIONS A5: after `close()` and `abort()` nothing of the host is called any more, hooks included.) Every event × source × outcome is `test/hooks/matrix.test.ts`.
 * T (C17): a PreToolUse hook that throws, is late or answers nonsense means that the tool does not run, and the host hears which hook and
 * why; hooks see the input that counts; of several any deny wins. (DECISIONS A8 and issue 4 beat the wish for hooks that fail open:
 * a failing guard is never an approval. Hooks that report their own failure by a small exit code do go on: docs/hooks.md.)
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type HookCallback, type HookEvent, type Options, query } from 'kedge'
import { collect, type Step } from 'kedge/testing'
import { bash, never, system, toolResults, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const TOLD: HookEvent[] = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd']
const expensive = { input_tokens: 1_000_000, output_tokens: 1_000_000 }

type Ending = { turns: Step[]; options?: Options; never?: HookEvent[]; abort?: boolean }
const ENDINGS: Record<string, Ending> = {
  'a normal end': { turns: [bash('true'), 'Done.'] },
  'max turns': { turns: [bash('true')], options: { maxTurns: 1 }, never: ['Stop'] },
  'the budget': {
    turns: [bash('true'), { ...bash('true', 'toolu_2'), usage: expensive }],
    options: { maxBudgetUsd: 1 },
    never: ['Stop'],
  },
  'a failing API': { turns: [bash('true'), { status: 400 }], never: ['Stop'] },
}

for (const [name, { turns, options, never: without = [] }] of Object.entries(ENDINGS)) {
  for (const isolation of isolationsOf(`C16 ${name}`)) {
    test(`C16 every event of the session once, and SessionEnd before the end: ${name} (${isolation})`, async () => {
      const told: string[] = []
      let ended = false
      const hear: HookCallback = async (input) => {
        assert.equal(typeof input.session_id, 'string')
        assert.equal(typeof input.cwd, 'string')
        if (input.hook_event_name === 'SessionEnd') {
          await new Promise((resolve) => setTimeout(resolve, 50))
          ended = true
        }
        told.push(input.hook_event_name)
        return {}
      }
      const hooks = Object.fromEntries(TOLD.map((event) => [event, [{ hooks: [hear] }]]))
      await withModel(turns, { isolation, allowedTools: ['Bash'], hooks, ...options }, async (world) => {
        const running = query({ prompt: 'Go.', options: world.options })
        await collect(running)
        await running.closed
        assert.equal(ended, true)
        for (const event of TOLD) {
          assert.equal(told.filter((one) => one === event).length, without.includes(event) ? 0 : 1, `${event}: ${told}`)
        }
      })
    })
  }
}

test('C16 the same from a settings file and from a plugin', async () => {
  await withModel(
    [bash('true'), 'Done.'],
    { allowedTools: ['Bash'], settingSources: ['project'] },
    async ({ options }) => {
      const hooksOf = (who: string) =>
        Object.fromEntries(
          TOLD.map((event) => [
            event,
            [{ hooks: [{ type: 'command', command: `echo ${who} ${event} >> "$CLAUDE_PROJECT_DIR/told"` }] }],
          ]),
        )
      mkdirSync(join(options.cwd, '.claude'))
      writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify({ hooks: hooksOf('settings') }))
      const plugin = join(options.cwd, 'plugin')
      mkdirSync(join(plugin, '.claude-plugin'), { recursive: true })
      mkdirSync(join(plugin, 'hooks'))
      writeFileSync(join(plugin, '.claude-plugin', 'plugin.json'), JSON.stringify({ name: 'teller' }))
      writeFileSync(join(plugin, 'hooks', 'hooks.json'), JSON.stringify({ hooks: hooksOf('plugin') }))
      const running = query({ prompt: 'Go.', options: { ...options, plugins: [{ type: 'local', path: plugin }] } })
      await collect(running)
      await running.closed
      const told = readFileSync(join(options.cwd, 'told'), 'utf8').trim().split('\n').sort()
      assert.deepEqual(told, ['plugin', 'settings'].flatMap((who) => TOLD.map((event) => `${who} ${event}`)).sort())
    },
  )
})

const FAILURES: Record<string, { hook: () => Promise<unknown>; says: RegExp }> = {
  throws: { hook: () => Promise.reject(new Error('the guard broke')), says: /the guard broke/ },
  'is late': { hook: () => never, says: /longer than 0.2 s/ },
  'answers nonsense': { hook: async () => ({ hookSpecificOutput: { permissionDecision: 'sure' } }), says: /./ },
}
for (const [name, { hook, says }] of Object.entries(FAILURES)) {
  for (const isolation of isolationsOf(`C17 ${name}`)) {
    test(`C17 a PreToolUse hook that ${name}: the tool does not run, the host hears which and why (${isolation})`, async () => {
      const options: Options = {
        isolation,
        includeHookEvents: true,
        allowedTools: ['Bash'],
        // What a program in plain JavaScript may do.
        hooks: { PreToolUse: [{ hooks: [hook as HookCallback], timeout: 0.2 }] },
      }
      await withModel([bash(': > ran'), 'Then not.'], options, async (world) => {
        const run = await collect(query({ prompt: 'Go.', options: world.options }))
        assert.equal(existsSync(join(world.options.cwd, 'ran')), false)
        const [result] = toolResults(run.messages)
        assert.match(result?.text ?? '', says)
        const failed = system(run.messages, 'hook_response').filter(({ outcome }) => outcome !== 'success')
        assert.deepEqual(
          failed.map(({ hook_event }) => hook_event),
          ['PreToolUse'],
        )
        assert.match(`${failed[0]?.stderr}${failed[0]?.output}`, says)
      })
    })
  }
}

test('C17 of several hooks any deny wins, whatever the order', async () => {
  const answer =
    (permissionDecision: 'allow' | 'deny' | 'ask'): HookCallback =>
    async () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision },
    })
  const orders = [
    ['allow', 'deny'],
    ['deny', 'allow'],
    ['ask', 'deny'],
    ['allow', 'ask', 'deny', 'allow'],
  ] as const
  for (const order of orders) {
    const hooks = { PreToolUse: order.map((decision) => ({ hooks: [answer(decision)] })) }
    await withModel([bash(': > ran'), 'Then not.'], { hooks, allowedTools: ['Bash'] }, async ({ options }) => {
      await collect(query({ prompt: 'Go.', options }))
      assert.equal(existsSync(join(options.cwd, 'ran')), false, order.join())
    })
  }
})

test('C17 hooks after the call see the input that ran; abort during a hook runs nothing', async () => {
  const seen: unknown[] = []
  const change: HookCallback = async () => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { command: 'echo changed' },
    },
  })
  const look: HookCallback = async (input) => {
    if (input.hook_event_name === 'PostToolUse') seen.push(input.tool_input)
    return {}
  }
  const hooks = { PreToolUse: [{ hooks: [change] }], PostToolUse: [{ hooks: [look] }] }
  await withModel([bash('echo original'), 'Done.'], { hooks }, async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(seen, [{ command: 'echo changed' }])
    assert.match(toolResults(run.messages)[0]?.text ?? '', /changed/)
  })
  await withModel([bash(': > ran')], { allowedTools: ['Bash'] }, async ({ options }) => {
    const abortController = new AbortController()
    const abort: HookCallback = async () => {
      abortController.abort()
      return {}
    }
    const running = query({
      prompt: 'Go.',
      options: { ...options, abortController, hooks: { PreToolUse: [{ hooks: [abort] }] } },
    })
    await collect(running)
    await running.closed
    assert.equal(existsSync(join(options.cwd, 'ran')), false)
  })
})
