import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { createRegistry } from '../registry.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { createExitPlanModeTool, type ExitPlanModeInput } from './exit-plan-mode.js'

describe('ExitPlanMode', () => {
  const filePath = '/home/u/.claude/plans/calm-cedar-keel.md'
  let test: TestContext
  let mode: PermissionMode
  let saved: string | undefined
  beforeEach(async () => {
    test = await createTestContext()
    mode = 'plan'
    saved = undefined
  })
  afterEach(() => test.dispose())

  const tool = createExitPlanModeTool({
    mode: () => mode,
    async leavePlan() {
      assert.equal(mode, 'plan')
      mode = 'acceptEdits'
    },
    planFile: () => filePath,
    readPlan: async () => saved,
  })
  const run = async (input: ExitPlanModeInput) => {
    const outcome = await tool.execute(input, test.context)
    assert.ok(outcome.ok && typeof outcome.content === 'string')
    return { content: outcome.content, output: outcome.output }
  }

  it('needs a person, who sees the plan that is in the file', async () => {
    assert.deepEqual(tool.facts({}, test.context), { kind: 'ask' })
    const allowedPrompts: ExitPlanModeInput['allowedPrompts'] = [{ tool: 'Bash', prompt: 'run the tests' }]
    const prepare = async (input: ExitPlanModeInput) => tool.prepare?.(input, test.context)
    assert.deepEqual(await prepare({ allowedPrompts, plan: 'In short.' }), { allowedPrompts, plan: 'In short.' })
    saved = '# Plan'
    assert.deepEqual(await prepare({ allowedPrompts }), { allowedPrompts, plan: '# Plan' })
    assert.deepEqual(await prepare({ plan: 'In short.' }), { plan: '# Plan' })
    saved = ' \n'
    assert.deepEqual(await prepare({}), {})
  })

  it('leaves plan mode and repeats the plan that was approved', async () => {
    saved = '# Plan\n1. Do it.'
    const { content, output } = await run({ plan: saved })
    assert.equal(mode, 'acceptEdits')
    assert.deepEqual(output, { plan: saved, isAgent: false, filePath })
    assert.match(content, /^The user has approved your plan\./)
    assert.ok(content.includes(`saved in ${filePath}`) && content.endsWith(saved))
  })

  it('calls nothing approved that was not in the request', async () => {
    saved = '# Plan'
    assert.deepEqual((await run({})).output, { plan: null, isAgent: false, filePath })
  })

  it('says so when the file holds something else than what was approved', async () => {
    saved = '# Plan'
    const edited = await run({ plan: '# Better plan' })
    assert.deepEqual(edited.output, { plan: '# Better plan', isAgent: false, filePath })
    assert.match(edited.content, /holds another version/)
  })

  it('does without a plan', async () => {
    for (const plan of [undefined, '', ' \n', 5, null, { text: 'x' }, '# Never in the file']) {
      const { content, output } = await run(plan === undefined ? {} : { plan })
      assert.deepEqual(output, { plan: null, isAgent: false, filePath })
      assert.equal(content, 'The user has approved leaving plan mode. You can go on with the work.')
    }
  })

  it('leaves other modes alone', async () => {
    mode = 'default'
    assert.equal((await run({})).content.startsWith('The user has approved'), true)
    assert.equal(mode, 'default')
  })

  it('takes any other key, and keeps it for the host', () => {
    const parse = createRegistry([tool], test.context).port.find('ExitPlanMode')?.parse
    const input = JSON.parse('{"plan": "x", "launchSwarm": true, "__proto__": 1}')
    const parsed = parse?.(input)
    assert.ok(parsed?.ok)
    assert.deepEqual(Object.entries(parsed.input), Object.entries(input))
    assert.equal(parse?.({ allowedPrompts: [{ tool: 'Read', prompt: 'x' }] }).ok, false)
  })
})
