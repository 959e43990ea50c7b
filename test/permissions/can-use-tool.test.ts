/**
 * C10: `canUseTool` is not called, or its answer is mangled.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/109 · https://github.com/jikig-ai/soleur/issues/876
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/127 · https://github.com/anthropics/claude-agent-sdk-python/issues/159
 *
 * T: with `gate: 'always'` the callback is asked once for every call, whatever mode and rules say; an answer that means nothing is a typed
 * error for the host and a denial with a kind a program can read; the same tool with another input is asked again; without
 * `updatedInput` the original input runs.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type CanUseTool, type Options, query } from 'kedge'
import { collect } from 'kedge/testing'
import { bash, play, system, toolResults, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const CALLS = [bash('echo one', 'toolu_1'), bash('touch two', 'toolu_2'), bash('echo one', 'toolu_3')]
const allowAll: Options = {
  permissionMode: 'bypassPermissions',
  allowDangerouslySkipPermissions: true,
  env: { IS_SANDBOX: '1' },
}
const hookAllows = async () => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse' as const, permissionDecision: 'allow' as const },
})

const WORLDS: Record<string, Options> = {
  'mode default': {},
  'mode acceptEdits': { permissionMode: 'acceptEdits' },
  'mode bypassPermissions': allowAll,
  'a rule for the tool': { allowedTools: ['Bash'] },
  'a rule for the command': { allowedTools: ['Bash(echo:*)', 'Bash(touch:*)'] },
  'a rule of a settings file': { settingSources: ['user'], settings: { permissions: { allow: ['Bash'] } } },
  'a hook that allows': { hooks: { PreToolUse: [{ hooks: [hookAllows] }] } },
  'rule, mode and hook': { ...allowAll, allowedTools: ['Bash'], hooks: { PreToolUse: [{ hooks: [hookAllows] }] } },
}

for (const [name, world] of Object.entries(WORLDS)) {
  test(`C10 gate: 'always': as many questions as calls, with ${name}`, async () => {
    const asked: unknown[] = []
    const canUseTool: CanUseTool = async (_name, input) => {
      asked.push(input['command'])
      return { behavior: 'allow' }
    }
    const run = await play([...CALLS, 'Done.'], { ...world, gate: 'always', canUseTool })
    assert.equal(run.result?.subtype, 'success')
    assert.deepEqual(asked, ['echo one', 'touch two', 'echo one'])
  })
}

test('C10 without the gate: the same tool with another input is asked about again, and a yes is for one call', async () => {
  const asked: unknown[] = []
  const canUseTool: CanUseTool = async (_name, input) => {
    asked.push(input['command'])
    return { behavior: 'allow' }
  }
  const calls = ['touch a', 'touch b', 'touch a'].map((line, n) => bash(line, `toolu_${n}`))
  await play([...calls, 'Done.'], { canUseTool })
  assert.deepEqual(asked, ['touch a', 'touch b', 'touch a'])
})

test('C10 a hook that asks reaches the callback, also past a rule that allows', async () => {
  let asked = 0
  const ask = async () => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse' as const, permissionDecision: 'ask' as const },
  })
  const canUseTool: CanUseTool = async () => {
    asked += 1
    return { behavior: 'deny', message: 'No.' }
  }
  const run = await play([bash('echo one'), 'Done.'], {
    allowedTools: ['Bash'],
    canUseTool,
    hooks: { PreToolUse: [{ hooks: [ask] }] },
  })
  assert.equal(asked, 1)
  assert.equal(run.result?.permission_denials.length, 1)
})

test('C10 a rule of a settings file is seen in the session it counts for', async () => {
  await withModel([bash('touch a'), 'Done.'], { settingSources: ['project'] }, async ({ options }) => {
    mkdirSync(join(options.cwd, '.claude'))
    const rules = { permissions: { allow: ['Bash(touch:*)'] } }
    writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify(rules))
    let asked = 0
    const canUseTool: CanUseTool = async () => {
      asked += 1
      return { behavior: 'allow' }
    }
    await collect(query({ prompt: 'Go.', options: { ...options, canUseTool, gate: 'always' } }))
    assert.equal(asked, 1)
  })
})

for (const isolation of isolationsOf('C10 an answer that means nothing')) {
  test(`C10 an answer that means nothing: a typed error for the host, a denial with a kind (${isolation})`, async () => {
    for (const answer of [
      undefined,
      {},
      { allowed: true },
      { behavior: 'yes' },
      { behavior: 'allow', updatedInput: 7 },
    ]) {
      await withModel([bash(': > ran'), 'Then not.'], { isolation }, async ({ options }) => {
        // What a program in plain JavaScript may do.
        const canUseTool = (async () => answer) as unknown as CanUseTool
        const run = await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
        assert.ok(run.error instanceof Error && 'code' in run.error)
        assert.equal(run.error.code, 'invalid_permission_result')
        assert.equal(existsSync(join(options.cwd, 'ran')), false)
        const [denied] = system(run.messages, 'permission_denied')
        assert.equal(denied?.decision_reason_type, 'invalid_permission_result', JSON.stringify(answer))
        assert.equal(toolResults(run.messages)[0]?.isError, true)
      })
    }
  })
}

test('C10 updatedInput left out: the original input runs; updates of rules that mean nothing block nothing', async () => {
  const answers = [
    { behavior: 'allow' },
    // Malformed, which used to block the call.
    { behavior: 'allow', updatedPermissions: [{ type: 'addRules', rules: 'all of them' }] },
  ]
  for (const answer of answers) {
    await withModel([bash(': > ran'), 'Done.'], {}, async ({ options }) => {
      // What a program in plain JavaScript may do.
      const canUseTool = (async () => answer) as unknown as CanUseTool
      await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
      assert.equal(existsSync(join(options.cwd, 'ran')), true, JSON.stringify(answer))
    })
  }
})
