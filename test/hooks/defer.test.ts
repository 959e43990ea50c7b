/** The decision `defer` of PreToolUse: the turn ends with the call left open, and whoever resumes it decides again. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type HookCallback, type HookJSONOutput, type Options, query } from 'kedge'
import { collect, type ModelHandler } from 'kedge/testing'
import { bash, call, toolResults, withModel } from '../support/stage.js'

const decide = (permissionDecision: 'allow' | 'deny' | 'ask' | 'defer', more: object = {}): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
})
const withHook = (...hooks: HookCallback[]): Pick<Options, 'hooks'> => ({ hooks: { PreToolUse: [{ hooks }] } })
const always = (answer: HookJSONOutput) => async () => answer

/** Touches a file, then says what it read. */
const worker: ModelHandler = ({ toolResults: results }) =>
  results.length > 0 ? `Read: ${results.map(({ text }) => text).join(' | ')}` : bash('touch made')

async function run(prompt: string, options: Options) {
  const { messages, result } = await collect(query({ prompt, options }))
  return { result, results: toolResults(messages), made: existsSync(join(options.cwd ?? '', 'made')) }
}

describe('defer', () => {
  test('ends the turn with the call, which runs once it is resumed and allowed', async () => {
    await withModel(worker, {}, async ({ options }) => {
      const first = await run('Go.', { ...options, ...withHook(always(decide('defer'))) })
      assert.equal(first.result?.subtype, 'success')
      assert.equal(first.result?.is_error, false)
      assert.equal(first.result?.terminal_reason, 'tool_deferred')
      assert.equal(first.result?.stop_reason, 'tool_deferred')
      const deferred = first.result?.subtype === 'success' ? first.result.deferred_tool_use : undefined
      assert.equal(deferred?.name, 'Bash')
      assert.equal(deferred?.input['command'], 'touch made')
      assert.equal(first.made, false)
      const seen: unknown[] = []
      const allow: HookCallback = async (input, id) => {
        seen.push('tool_input' in input && input.tool_input, id)
        return decide('allow', { updatedInput: { command: 'touch made && echo resumed' } })
      }
      const resume = { resume: first.result?.session_id ?? '', continueTurn: true }
      const second = await run('', { ...options, ...resume, ...withHook(allow) })
      assert.deepEqual(seen, [deferred?.input, deferred?.id])
      assert.equal(second.made, true)
      assert.equal(second.result?.terminal_reason, 'completed')
      assert.match(second.result?.subtype === 'success' ? second.result.result : '', /Read: resumed/)
    })
  })

  test('a prompt instead of the decision: the call never runs, and the model reads that', async () => {
    await withModel(worker, {}, async ({ options }) => {
      const first = await run('Go.', { ...options, ...withHook(always(decide('defer'))) })
      const second = await run('Something else.', { ...options, resume: first.result?.session_id ?? '' })
      assert.equal(second.made, false)
      assert.match(second.result?.subtype === 'success' ? second.result.result : '', /It was not run/)
    })
  })

  for (const [name, more, expected] of [
    ['a denial by another hook wins', withHook(always(decide('defer')), always(decide('deny'))), 'completed'],
    ['so does a deny rule', { ...withHook(always(decide('defer'))), disallowedTools: ['Bash(touch:*)'] }, 'completed'],
    ['it wins over an approval', withHook(always(decide('allow')), always(decide('defer'))), 'tool_deferred'],
    ['and over an allow rule', { ...withHook(always(decide('defer'))), allowedTools: ['Bash'] }, 'tool_deferred'],
    [
      'a hook that crashes beside it denies',
      withHook(always(decide('defer')), () => Promise.reject(new Error('boom'))),
      'completed',
    ],
  ] satisfies [string, Partial<Options>, string][])
    test(name, async () => {
      await withModel(worker, {}, async ({ options }) => {
        const { result, made } = await run('Go.', { ...options, stderr: () => {}, ...more })
        assert.equal(result?.terminal_reason, expected)
        assert.equal(made, false)
      })
    })

  test('of several calls, those before it have run, and those after it run later', async () => {
    const two: ModelHandler = ({ toolResults: results }) =>
      results.length > 0
        ? `Read ${results.length}.`
        : { tools: ['one', 'two', 'three'].map((id) => ({ id, name: 'Bash', input: { command: `touch ${id}` } })) }
    const onlyTwo: HookCallback = async (_, id) => (id === 'two' ? decide('defer') : decide('allow'))
    await withModel(two, {}, async ({ options }) => {
      const at = (name: string) => existsSync(join(options.cwd, name))
      const first = await run('Go.', { ...options, ...withHook(onlyTwo) })
      assert.equal(first.result?.terminal_reason, 'tool_deferred')
      assert.deepEqual([at('one'), at('two'), at('three')], [true, false, false])
      const resume = { resume: first.result?.session_id ?? '', continueTurn: true }
      const second = await run('', { ...options, ...resume, ...withHook(always(decide('allow'))) })
      assert.deepEqual([at('two'), at('three')], [true, true])
      assert.equal(second.result?.subtype === 'success' && second.result.result, 'Read 3.')
    })
  })

  test('in a sub-agent it asks, because the turn around it can not wait', async () => {
    const model: ModelHandler = (request) => {
      if (request.prompt === 'Touch it.') return worker(request)
      return request.toolResults.length > 0
        ? 'Over.'
        : call('Task', { description: 'd', prompt: 'Touch it.', subagent_type: 'general-purpose' })
    }
    const hook: HookCallback = async (input) => (input.agent_id ? decide('defer') : decide('allow'))
    await withModel(model, {}, async ({ options }) => {
      const asked: string[] = []
      const { result, made } = await run('Go.', {
        ...options,
        ...withHook(hook),
        canUseTool: async (tool) => {
          asked.push(tool)
          return { behavior: 'deny', message: 'no' }
        },
      })
      assert.deepEqual(asked, ['Bash'])
      assert.equal(made, false)
      assert.equal(result?.terminal_reason, 'completed')
    })
  })
})
