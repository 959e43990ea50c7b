/** What was shown is what runs: an approval is for one input, and an input that a hook or the host changed is judged again. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { type CanUseTool, type HookCallback, type Options, query } from '../../src/index.js'
import { collect, startModelServer, testOptions } from '../../src/testing/index.js'

const RULES: Options = { allowedTools: ['Bash(touch shown)'], disallowedTools: ['Bash(touch denied:*)'] }

type Callbacks = { hook?: HookCallback; host?: CanUseTool; request?: HookCallback }

/** Lets the model call `touch <name>` for each name; gives the files there are afterwards, and what the host was asked about. */
async function run(names: string[], { hook, request, host }: Callbacks) {
  const calls = names.map((name, i) => ({
    tools: [{ id: `toolu_${i}`, name: 'Bash', input: { command: `touch ${name}` } }],
  }))
  await using server = await startModelServer([...calls, 'Done.'])
  await using options = testOptions(server, { ...RULES, model: 'claude-sonnet-4-5-20250929', isolation: 'in-process' })
  const asked: unknown[] = []
  const canUseTool: CanUseTool = async (tool, input, more) => {
    asked.push(input.command)
    return (await host?.(tool, input, more)) ?? { behavior: 'deny', message: 'No.' }
  }
  const hooks = {
    ...(hook ? { PreToolUse: [{ hooks: [hook] }] } : {}),
    ...(request ? { PermissionRequest: [{ hooks: [request] }] } : {}),
  }
  const ended = await collect(query({ prompt: 'Go.', options: { ...options, hooks, ...(host ? { canUseTool } : {}) } }))
  assert.equal(ended.error, undefined)
  return { files: readdirSync(options.cwd).filter((file) => !file.startsWith('.')), asked }
}

const command = (text: string) => ({ command: text })
const change =
  (to: string, permissionDecision?: 'allow' | 'ask'): HookCallback =>
  async () => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput: command(to),
      ...(permissionDecision ? { permissionDecision } : {}),
    },
  })

test('a change by a hook is judged by the rules, whatever was allowed before', async () => {
  assert.deepEqual((await run(['shown'], { hook: change('touch denied') })).files, [])
  assert.deepEqual((await run(['shown'], { hook: change('touch denied', 'allow') })).files, [])
  const host: CanUseTool = async () => ({ behavior: 'deny', message: 'No.' })
  const other = await run(['shown'], { hook: change('touch other'), host })
  assert.deepEqual([other.files, other.asked], [[], ['touch other']])
  assert.deepEqual((await run(['other'], { hook: change('touch other2', 'allow') })).files, ['other2'])
})

test('a change by the host runs as changed, but not past a deny rule', async () => {
  const host =
    (to: string): CanUseTool =>
    async () => ({ behavior: 'allow', updatedInput: command(to) })
  assert.deepEqual((await run(['other'], { host: host('touch mine') })).files, ['mine'])
  assert.deepEqual((await run(['other'], { host: host('touch denied') })).files, [])
  assert.deepEqual((await run(['other'], { host: host('true; touch denied') })).files, [])
})

test('so does a change by a PermissionRequest hook', async () => {
  const request =
    (to: string): HookCallback =>
    async () => ({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: command(to) },
      },
    })
  assert.deepEqual((await run(['other'], { request: request('touch mine') })).files, ['mine'])
  assert.deepEqual((await run(['other'], { request: request('touch denied') })).files, [])
})

test('what a callback does to the object it was shown changes nothing', async () => {
  const spoil = (input: unknown) => {
    Object.assign(Object(input), command('touch denied'))
    setImmediate(() => Object.assign(Object(input), command('touch denied')))
  }
  const hook: HookCallback = async (input) => {
    spoil('tool_input' in input ? input.tool_input : {})
    return {}
  }
  assert.deepEqual((await run(['shown'], { hook })).files, ['shown'])
  const host: CanUseTool = async (_, input) => {
    spoil(input)
    return { behavior: 'allow' }
  }
  assert.deepEqual((await run(['other'], { host })).files, ['other'])
})

test('one approval is for one call: the same one again is asked about again', async () => {
  const host: CanUseTool = async () => ({ behavior: 'allow' })
  assert.deepEqual(await run(['a', 'b', 'a'], { host }), {
    files: ['a', 'b'],
    asked: ['touch a', 'touch b', 'touch a'],
  })
})
