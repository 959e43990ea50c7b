/**
 * C11: allow lists that do not restrict, and scopes that do not compose.
 * https://github.com/anthropics/claude-code/issues/12232 · https://github.com/anthropics/claude-code/issues/4740
 * https://github.com/anthropics/claude-code/issues/44534 · https://github.com/anthropics/claude-code/issues/30161
 * https://github.com/automagik-dev/genie/issues/1449 · https://github.com/github/copilot-cli/issues/1607
 *
 * T: `tools` is a ceiling, `[]` means none, for sub-agents too; a name that is no tool is told (on stderr: hosts of newer releases name
 * tools that this one lacks, and must still start); rules can be for one agent (issue 4 sets the grammar of rules: agents have
 * `disallowedTools`, hooks have `agent_id`, the mode `delegate` is for the main thread); the mode of a sub-agent can be narrowed; `explainPermission()` says which layer and rule decide, without running anything; no
 * set of rules lets a denied call run.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainPermission, type HookInput, type Options, query } from 'kedge'
import { collect, script } from 'kedge/testing'
import { bash, call, play, toolResults, withModel } from '../support/stage.js'

const bypass: Options = {
  permissionMode: 'bypassPermissions',
  allowDangerouslySkipPermissions: true,
  env: { IS_SANDBOX: '1' },
}
const agent = (subagent_type: string) =>
  call('Task', { description: 'Work', prompt: 'WORK.', subagent_type }, 'toolu_t')

/** What a sub-agent is offered, and what came of its call. */
async function subAgent(overrides: Options, type = 'worker', step: object = bash(': > ran', 'toolu_w')) {
  const model = script([agent(type), 'Done.'], {
    lanes: { agent: { when: { opening: 'WORK' }, turns: [step, 'Worked.'] } },
  })
  return withModel(model, overrides, async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const asked = server.requests.filter(({ opening }) => opening.includes('WORK'))
    return {
      run,
      tools: asked[0]?.tools ?? [],
      ran: existsSync(join(options.cwd, 'ran')),
      results: asked[1]?.toolResults ?? [],
    }
  })
}

test('C11 tools is a ceiling in every mode: what is not in it is neither offered nor run', async () => {
  await withModel([bash(': > ran'), 'Done.'], { ...bypass, tools: ['Read'] }, async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(server.requests[0]?.tools, ['Read'])
    assert.equal(toolResults(run.messages)[0]?.isError, true)
    assert.equal(existsSync(join(options.cwd, 'ran')), false)
  })
  const none = await play(['Hello.'], { ...bypass, tools: [] })
  assert.deepEqual(none.server.requests[0]?.tools, [])
})

test('C11 tools: [] of a sub-agent means none, and no agent has more than its parent', async () => {
  const worker = { description: 'Works', prompt: 'You work.' }
  const none = await subAgent({ ...bypass, agents: { worker: { ...worker, tools: [] } } })
  assert.deepEqual(none.tools, [])
  assert.equal(none.ran, false)
  const parent = await subAgent({
    ...bypass,
    tools: ['Task', 'Read'],
    agents: { worker: { ...worker, tools: ['Read', 'Bash'] } },
  })
  assert.deepEqual(parent.tools, ['Read'])
  assert.equal(parent.ran, false)
})

test('C11 a name that is no tool gives nothing, and is named', async () => {
  let heard = ''
  const stderr = (text: string) => {
    heard += text
  }
  const run = await play(['Hello.'], { tools: ['Read', 'Reed'], stderr })
  assert.deepEqual(run.server.requests[0]?.tools, ['Read'])
  assert.match(heard, /Reed/)
})

test('C11 denied to the main thread and allowed to a sub-agent, and the other way round', async () => {
  const worker = { description: 'Works', prompt: 'You work.' }
  const notMain = async (input: HookInput) =>
    input.hook_event_name === 'PreToolUse' && input.agent_id === undefined
      ? { hookSpecificOutput: { hookEventName: 'PreToolUse' as const, permissionDecision: 'deny' as const } }
      : {}
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [notMain] }] }
  const inAgent = await subAgent({ ...bypass, agents: { worker }, hooks })
  assert.equal(inAgent.ran, true)
  await withModel([bash(': > ran'), 'Done.'], { ...bypass, hooks }, async ({ options }) => {
    await collect(query({ prompt: 'Go.', options }))
    assert.equal(existsSync(join(options.cwd, 'ran')), false)
  })
  // The mode for just that: the main thread hands work on, agents do it.
  await withModel(
    [bash(': > ran'), 'Done.'],
    { permissionMode: 'delegate', allowedTools: ['Bash'] },
    async ({ options }) => {
      await collect(query({ prompt: 'Go.', options }))
      assert.equal(existsSync(join(options.cwd, 'ran')), false)
    },
  )
  const notWorker = await subAgent({ ...bypass, agents: { worker: { ...worker, disallowedTools: ['Bash(: *)'] } } })
  assert.equal(notWorker.ran, false)
})

test('C11 the mode of a sub-agent narrows that of its parent, also bypass', async () => {
  const worker = { description: 'Works', prompt: 'You work.', permissionMode: 'dontAsk' as const }
  const { ran, results } = await subAgent({ ...bypass, agents: { worker } })
  assert.equal(ran, false)
  assert.equal(results[0]?.isError, true)
})

test('C11 deny rules and hooks hold for the Agent tool and inside agents, in every mode', async () => {
  const worker = { description: 'Works', prompt: 'You work.' }
  const denied = await subAgent({ ...bypass, agents: { worker }, disallowedTools: ['Bash(: *)'] })
  assert.equal(denied.ran, false)
  const deny = async () => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse' as const,
      permissionDecision: 'deny' as const,
      permissionDecisionReason: 'No agents.',
    },
  })
  const run = await play([agent('general-purpose'), 'Done.'], {
    ...bypass,
    hooks: { PreToolUse: [{ matcher: 'Agent', hooks: [deny] }] },
  })
  assert.equal(run.server.requests.length, 2)
  assert.match(toolResults(run.messages)[0]?.text ?? '', /No agents/)
})

test('C11 explainPermission() names layer and rule, and runs nothing', async () => {
  const rules = { allow: ['Bash(npm test:*)'], ask: [], deny: ['Bash(git push *)'] }
  const input = { command: 'npm test && git push' }
  const explained = await explainPermission({ tool: 'Bash', input, mode: 'acceptEdits', rules })
  assert.deepEqual([explained.behavior, explained.layer, explained.rule], ['deny', 'deny', 'Bash(git push *)'])
})

test('C11 no set of rules lets a denied call run', async () => {
  const line = 'touch made'
  const spellings = [line, `bash -c '${line}'`, `true && ${line}`, `$(${line})`, `env ${line}`, `(${line})`]
  const others = ['Bash', 'Bash(*)', 'Bash(touch:*)', 'Bash(touch made)', 'Edit', 'Bash(bash:*)', 'Bash(env:*)']
  for (const command of spellings) {
    for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const) {
      for (const allow of [[], ...others.map((rule) => [rule]), others]) {
        const rules = { allow, ask: [], deny: ['Bash(touch *)'] }
        const { behavior } = await explainPermission({ tool: 'Bash', input: { command }, mode, rules, hook: 'allow' })
        assert.notEqual(behavior, 'allow', `${command} with ${allow} in ${mode}`)
      }
    }
  }
})
