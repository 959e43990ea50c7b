/** Rows of the control protocol that concern the host's side: `query()` with callbacks and prompts that misbehave. */
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CanUseTool, type HookCallback, type Query, query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { collect, type Run, type Turn } from 'kedge/testing'
import { bothWays } from '../e2e/both-ways.js'
import { lastToolResults, made, preToolUse, touch, WATCHDOG_MS } from './agent-process.js'

const say = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})
/** Things that are no JSON: over a pipe they can't be sent at all. */
const circle: Record<string, unknown> = {}
circle['self'] = circle

/** `collect`, with a watchdog: a query that does not end is closed. */
async function finished(running: Query): Promise<Run<SDKMessage>> {
  const timer = setTimeout(() => running.close(), WATCHDOG_MS)
  const run = await collect(running)
  clearTimeout(timer)
  assert.ok(run.result || run.error, 'hang: the query did not end by itself')
  return run
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Runs `work` and fails when it leaves a rejection nobody handles. */
async function withoutUnhandled(work: () => Promise<void>): Promise<void> {
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', listen)
  try {
    await work()
    // Node tells of a rejection when all that follows from it has been done.
    for (let turns = 0; turns < 3; turns += 1) await nextTurn()
  } finally {
    process.off('unhandledRejection', listen)
  }
  assert.deepEqual(unhandled, [])
}

for (const result of [{}, { allowed: true }, null, 'allow', { behavior: 'ask' }]) {
  bothWays(
    `C06 C08 canUseTool that answers ${JSON.stringify(result)}: a denial for the model, a typed error for the caller`,
    () => [touch(), 'Done.'],
    {},
    async ({ options, server }) => {
      // What TypeScript would not let through.
      const canUseTool = (async () => result) as unknown as CanUseTool
      const run = await finished(query({ prompt: 'Make it.', options: { ...options, canUseTool } }))
      assert.match(lastToolResults({ server })[0] ?? '', /^Tool permission request failed: /)
      assert.equal(run.result?.permission_denials.length, 1)
      assert.equal(run.error instanceof Error && 'code' in run.error && run.error.code, 'invalid_permission_result')
      assert.equal(made({ options }), false)
    },
  )
}

bothWays(
  'C09 deny without a message is a plain denial',
  () => [touch(), 'Done.'],
  {},
  async ({ options, server }) => {
    // What TypeScript would not let through.
    const canUseTool = (async () => ({ behavior: 'deny', message: null })) as unknown as CanUseTool
    const run = await finished(query({ prompt: 'Make it.', options: { ...options, canUseTool } }))
    assert.equal(run.error, undefined)
    assert.deepEqual(lastToolResults({ server }), ['Permission denied.'])
    assert.equal(run.result?.permission_denials.length, 1)
    assert.equal(made({ options }), false)
  },
)

bothWays(
  'C09 allow without updatedInput runs the original input',
  () => [touch(), 'Done.'],
  {},
  async ({ options }) => {
    const canUseTool: CanUseTool = async () => ({ behavior: 'allow' })
    const run = await finished(query({ prompt: 'Make it.', options: { ...options, canUseTool } }))
    assert.equal(run.error, undefined)
    assert.deepEqual(run.result?.permission_denials, [])
    assert.equal(made({ options }), true)
  },
)

bothWays(
  'C20 callbacks that reject after abort leave no unhandled rejection',
  () => [touch()],
  {},
  async ({ options }) => {
    await withoutUnhandled(async () => {
      const abortController = new AbortController()
      const over = gate()
      const canUseTool: CanUseTool = async (_name, _input, { signal }) => {
        setTimeout(() => abortController.abort(), 10)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        await over.opened
        throw new Error('too late')
      }
      const asked = query({ prompt: 'Make it.', options: { ...options, abortController, canUseTool } })
      const run = await finished(asked)
      over.open()
      assert.equal(run.error instanceof Error && run.error.name, 'AbortError')
      await asked.closed
      await assert.rejects(asked.interrupt())
    })
    assert.equal(made({ options }), false)
  },
)

bothWays(
  'C20 a hook and a prompt that reject after abort leave no unhandled rejection',
  () => [],
  {},
  async ({ options }) => {
    await withoutUnhandled(async () => {
      const abortController = new AbortController()
      const over = gate()
      const late = async () => {
        await over.opened
        throw new Error('too late')
      }
      const hook: HookCallback = async () => {
        abortController.abort()
        return late()
      }
      async function* prompts() {
        yield say('Hi.')
        await late()
      }
      const hooks = { UserPromptSubmit: [{ hooks: [hook] }] }
      const asked = query({ prompt: prompts(), options: { ...options, abortController, hooks } })
      const run = await finished(asked)
      over.open()
      assert.equal(run.error instanceof Error && run.error.name, 'AbortError')
      await asked.closed
    })
  },
)

const GARBAGE: unknown[] = [
  'allow',
  null,
  7,
  ['allow'],
  preToolUse({ permissionDecision: 'yes' }),
  preToolUse({ permissionDecision: true }),
  preToolUse({ permissionDecision: 'deny', permissionDecisionReason: { toString: 1 } }),
  preToolUse({ updatedInput: 'touch made' }),
  preToolUse({ additionalContext: 7 }),
  { hookSpecificOutput: 'allow' },
  { decision: 'allow' },
  { decision: 'block', reason: [] },
  { continue: 'no' },
  { async: 'yes' },
]

bothWays(
  'C23 garbage from a PreToolUse hook: the tool does not run (DECISIONS A8)',
  () => GARBAGE.flatMap((): Turn[] => [touch(), 'Done.']),
  {},
  async ({ options, server }) => {
    const canUseTool: CanUseTool = async () => ({ behavior: 'allow' })
    for (const garbage of GARBAGE) {
      // What TypeScript would not let through.
      const hook = (async () => garbage) as unknown as HookCallback
      const hooks = { PreToolUse: [{ hooks: [hook] }] }
      const run = await finished(query({ prompt: 'Go.', options: { ...options, canUseTool, hooks } }))
      assert.equal(run.error, undefined)
      assert.match(String(lastToolResults({ server })), /^PreToolUse hook hook_0 failed: /, JSON.stringify(garbage))
    }
    assert.equal(made({ options }), false)
  },
)

const huge = 'x'.repeat(10 * 1024 * 1024)
const LIMIT = 101_000
bothWays(
  'C26 a hook output of 10 MB is cut with a note, wherever it goes',
  () => [touch(), touch(), touch(), 'Done.'],
  {},
  async ({ options, server }) => {
    const outputs = [
      preToolUse({ permissionDecision: 'deny', permissionDecisionReason: huge }),
      { decision: 'block' as const, reason: huge },
      preToolUse({ permissionDecision: 'allow', additionalContext: huge }),
    ]
    const hooks = {
      PreToolUse: [{ hooks: [async () => outputs.shift() ?? {}] }],
      UserPromptSubmit: [
        {
          hooks: [
            async () => ({
              hookSpecificOutput: { hookEventName: 'UserPromptSubmit' as const, additionalContext: huge },
            }),
          ],
        },
      ],
      PostToolUse: [{ hooks: [async () => ({ decision: 'block' as const, reason: huge })] }],
    }
    // The fields above are literals of the right kind, widened by the arrays.
    const run = await finished(query({ prompt: 'Go.', options: { ...options, hooks: hooks as typeof options.hooks } }))
    assert.equal(run.error, undefined)
    const sizes = server.requests.map(({ body }) => JSON.stringify(body.messages).length)
    assert.ok(
      sizes.every((size, n) => size < (n + 2) * LIMIT),
      String(sizes),
    )
    const notes = JSON.stringify(server.requests.at(-1)?.body.messages).match(
      /\[cut: the hook sent 10485760 characters\]/g,
    )
    assert.equal(notes?.length, 5)
  },
)

bothWays(
  'C33 C36 wrong values rejected by the methods of a query, the old ones kept',
  () => ['Done.'],
  { maxThinkingTokens: 2048 },
  async ({ options, server }) => {
    let go = () => {}
    const ready = new Promise<void>((resolve) => {
      go = resolve
    })
    async function* prompts() {
      await ready
      yield say('Hi.')
    }
    const asked = query({ prompt: prompts(), options })
    // What TypeScript would not let through.
    await assert.rejects(asked.setPermissionMode('zzz' as 'plan'), /Cannot set permission mode/)
    for (const tokens of [-1, Number.NaN, 1e12, Number.POSITIVE_INFINITY, 0.5]) {
      await assert.rejects(asked.setMaxThinkingTokens(tokens), /max_thinking_tokens must be /, String(tokens))
    }
    go()
    const run = await finished(asked)
    assert.equal(run.error, undefined)
    assert.deepEqual(server.requests[0]?.body.thinking, { type: 'enabled', budget_tokens: 2048 })
  },
)

for (const [what, answer] of [
  ['a circle', { behavior: 'allow', updatedInput: { command: 'touch made', circle } }],
  ['a bigint', { behavior: 'deny', message: 'No.', count: 5n }],
] as const) {
  bothWays(
    `C06 canUseTool that answers with ${what}, which is no JSON: no crash, the tool does not run`,
    () => [touch(), 'Done.'],
    {},
    async ({ options }) => {
      await withoutUnhandled(async () => {
        // What TypeScript would not let through.
        const canUseTool = (async () => answer) as unknown as CanUseTool
        const run = await finished(query({ prompt: 'Make it.', options: { ...options, canUseTool } }))
        assert.equal(run.result?.subtype, 'success')
      })
      assert.equal(made({ options }), false)
    },
  )
}

bothWays(
  'C23 a hook that answers with what is no JSON: no crash, the tool does not run (DECISIONS A8)',
  () => [touch(), 'Done.', touch(), 'Done.'],
  {},
  async ({ options, server }) => {
    await withoutUnhandled(async () => {
      for (const output of [{ systemMessage: 5n }, { hookSpecificOutput: circle }]) {
        // What TypeScript would not let through.
        const hook = (async () => output) as unknown as HookCallback
        const run = await finished(
          query({ prompt: 'Go.', options: { ...options, hooks: { PreToolUse: [{ hooks: [hook] }] } } }),
        )
        assert.equal(run.error, undefined)
        assert.match(String(lastToolResults({ server })), /^PreToolUse hook hook_0 failed: /)
      }
    })
    assert.equal(made({ options }), false)
  },
)

bothWays(
  'C23 hooks with a matcher that is no string: refused, nothing runs without them',
  () => [],
  {},
  async ({ options }) => {
    // What TypeScript would not let through.
    const matcher = /Bash/ as unknown as string
    const hooks = { PreToolUse: [{ matcher, hooks: [async () => ({ decision: 'block' as const })] }] }
    const start = () => query({ prompt: 'Go.', options: { ...options, hooks } })
    assert.throws(start, { code: 'invalid_option', message: /^hooks\.PreToolUse\[0\]\.matcher must be a string/ })
  },
)

for (const junk of [null, 'hello', 7, [], undefined, () => 1]) {
  bothWays(
    `N03 a prompt that yields ${typeof junk} ${JSON.stringify(junk)}: an error result, no crash, no hang`,
    () => [],
    {},
    async ({ options }) => {
      async function* prompts() {
        // What TypeScript would not let through.
        yield junk as unknown as SDKUserMessage
      }
      await withoutUnhandled(async () => {
        const run = await finished(query({ prompt: prompts(), options }))
        assert.equal(run.result?.terminal_reason, 'invalid_input')
        assert.match(
          String(run.result?.subtype === 'success' || run.result?.errors),
          /^Error parsing streaming input line: /,
        )
        assert.ok(run.error instanceof Error)
      })
    },
  )
}

bothWays(
  'N08 a prompt that yields objects of other types: they are ignored, and the query ends',
  () => ['Hello.'],
  {},
  async ({ options }) => {
    async function* prompts() {
      // What TypeScript would not let through.
      for (const junk of [{}, { type: 'weird' }, { type: 7 }, { type: 'keep_alive' }])
        yield junk as unknown as SDKUserMessage
      yield say('Hi.')
    }
    const run = await finished(query({ prompt: prompts(), options }))
    assert.equal(run.error, undefined)
    assert.deepEqual(
      run.results.map((result) => result.subtype === 'success' && result.result),
      ['Hello.'],
    )
  },
)

for (const [what, content] of [
  ['a bigint', 5n],
  ['a circle', [{ type: 'text', text: 'Hi.', cache_control: circle }]],
] as const) {
  bothWays(
    `N13 N35 a prompt that yields a message with ${what} in it: refused, no crash, no hang`,
    () => [],
    {},
    async ({ options }) => {
      async function* prompts() {
        // What TypeScript would not let through.
        yield { ...say(''), message: { role: 'user', content } } as unknown as SDKUserMessage
      }
      await withoutUnhandled(async () => {
        const run = await finished(query({ prompt: prompts(), options }))
        assert.ok(run.error instanceof Error)
      })
    },
  )
}
