import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HookOutcome } from './hook-outcome.js'
import { createHooksOutsideLoop } from './hooks-outside-loop.js'
import { createLoopHooks, type SubagentHookFields } from './loop-hooks.js'
import type { RaiseEvent } from './raise.js'

const never = new AbortController().signal
const call = { id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }
const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' }

/** What was raised, and hooks that all answer the same. */
function recorder(output: object | undefined) {
  const raised: [event: string, fields: unknown, options: unknown][] = []
  const outcomes: HookOutcome[] = output ? [{ name: 'h', output } as HookOutcome] : []
  const raise = (async (event: string, fields: () => unknown, _: AbortSignal, options?: unknown) => {
    raised.push([event, fields(), options])
    return outcomes
  }) as unknown as RaiseEvent
  return { raised, raise, outcomes }
}

function loop({ output, agent }: { output?: object; agent?: SubagentHookFields } = {}) {
  const { raised, raise, outcomes } = recorder(output)
  const informed: string[] = []
  const hooks = createLoopHooks({
    raise,
    inform: (text) => void informed.push(text),
    stop: async (active, lastText) => {
      raised.push(['Stop', { active, lastText }, undefined])
      return outcomes
    },
    ...(agent ? { agent } : {}),
  })
  return { hooks, raised, informed }
}

describe('hooks around one loop', () => {
  test('before a tool', async () => {
    const { hooks, raised } = loop()
    await hooks.preTool(call, never)
    assert.deepEqual(raised, [['PreToolUse', CALL, { toolUseId: 'toolu_1' }]])
  })

  test('after a tool: one event for what worked, another for what did not', async () => {
    const { hooks, raised } = loop()
    await hooks.postTool(call, { ok: true, content: 'x', output: { stdout: 'x' } }, false, never)
    await hooks.postTool(call, { ok: false, error: 'Exit code 1' }, true, never)
    assert.deepEqual(raised, [
      ['PostToolUse', { ...CALL, tool_response: { stdout: 'x' } }, { toolUseId: 'toolu_1' }],
      ['PostToolUseFailure', { ...CALL, error: 'Exit code 1', is_interrupt: true }, { toolUseId: 'toolu_1' }],
    ])
  })

  test('after several of them', async () => {
    const { hooks, raised } = loop()
    await hooks.postBatch(
      [
        { call, output: 1 },
        { call: { ...call, id: 'toolu_2' }, output: 2 },
      ],
      never,
    )
    const tool_calls = [
      { ...CALL, tool_response: 1 },
      { ...CALL, tool_use_id: 'toolu_2', tool_response: 2 },
    ]
    assert.deepEqual(raised, [['PostToolBatch', { tool_calls }, undefined]])
  })

  test('a sub-agent is named in all of them', async () => {
    const agent = { agent_id: 'a1', agent_type: 'reviewer' }
    const { hooks, raised } = loop({ agent })
    await hooks.preTool(call, never)
    await hooks.postTool(call, { ok: true, content: 'x', output: 1 }, false, never)
    await hooks.postBatch([], never)
    for (const [event, fields] of raised) {
      const { agent_id, agent_type } = fields as SubagentHookFields
      assert.deepEqual({ agent_id, agent_type }, agent, event)
    }
  })

  test('what replaces the result of an MCP tool counts for those alone', async () => {
    const output = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'other' } }
    const { hooks } = loop({ output })
    const done = { ok: true, content: 'x', output: 'x' } as const
    const own = await hooks.postTool(call, done, false, never)
    const ofServer = await hooks.postTool({ ...call, name: 'mcp__a__b' }, done, false, never)
    assert.ok(!JSON.stringify(own).includes('other'))
    assert.ok(JSON.stringify(ofServer).includes('other'))
  })

  test('a stop that is blocked for ever ends, and tool calls in between are work', async () => {
    const { hooks, informed } = loop({ output: { decision: 'block', reason: 'not yet' } })
    let blocked = 0
    for (let n = 0; n < 25; n += 1) if ((await hooks.stop(n > 0, '', never)).block) blocked += 1
    assert.deepEqual([blocked, informed.length], [20, 5])
    await hooks.preTool(call, never)
    assert.equal((await hooks.stop(true, '', never)).block, 'not yet')
  })

  test('the stop is told what was said, and whether it was blocked before', async () => {
    const { hooks, raised } = loop()
    await hooks.stop(true, 'Done.', never)
    assert.deepEqual(raised, [['Stop', { active: true, lastText: 'Done.' }, undefined]])
  })
})

describe('hooks on occasions beside the loop', () => {
  const block = { decision: 'block', reason: 'not so' }

  test('a block objects where there is something to object to', async () => {
    const { raise } = recorder(block)
    const hooks = createHooksOutsideLoop(raise)
    const task = { task_id: '1', task_subject: 's' }
    assert.match(
      JSON.stringify(await hooks.preCompact({ trigger: 'auto', custom_instructions: null }, never)),
      /not so/,
    )
    assert.match(JSON.stringify(await hooks.configChange({ source: 'user_settings' }, never)), /not so/)
    assert.equal((await hooks.taskCreated(task, never)).block, 'not so')
    assert.equal((await hooks.taskCompleted(task, never)).block, 'not so')
    assert.equal((await hooks.teammateIdle({ teammate_name: 'n', team_name: 't' }, never)).block, 'not so')
  })

  test('on others nothing comes back', async () => {
    const { raise, raised } = recorder(block)
    const hooks = createHooksOutsideLoop(raise)
    assert.equal(await hooks.postCompact({ trigger: 'manual', compact_summary: 's' }, never), undefined)
    assert.equal(await hooks.cwdChanged({ old_cwd: '/a', new_cwd: '/b' }, never), undefined)
    assert.equal(await hooks.fileChanged({ file_path: '/a', event: 'change' }, never), undefined)
    assert.equal(await hooks.worktreeRemove('/w', never), undefined)
    assert.deepEqual(raised.at(-1), ['WorktreeRemove', { worktree_path: '/w' }, undefined])
  })

  test('a question of a server may be answered in the user’s place', async () => {
    const hookSpecificOutput = { hookEventName: 'Elicitation', action: 'accept', content: { name: 'Ada' } }
    const { raise } = recorder({ hookSpecificOutput })
    const answer = await createHooksOutsideLoop(raise).elicitation({ mcp_server_name: 's', message: 'm' }, never)
    assert.deepEqual(answer, { action: 'accept', content: { name: 'Ada' } })
    const silent = createHooksOutsideLoop(recorder(undefined).raise)
    assert.equal(await silent.elicitation({ mcp_server_name: 's', message: 'm' }, never), undefined)
  })
})
