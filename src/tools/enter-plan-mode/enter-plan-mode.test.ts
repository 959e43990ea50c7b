import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { createEnterPlanModeTool } from './enter-plan-mode.js'

describe('EnterPlanMode', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  it('is not asked about, turns plan mode on once, and says how to go on', async () => {
    let refusal: string | undefined
    let mode: PermissionMode = 'acceptEdits'
    let entered = 0
    const tool = createEnterPlanModeTool({
      mode: () => mode,
      refuseEntry: () => refusal,
      async enterPlan() {
        mode = 'plan'
        entered += 1
      },
      planFile: () => '/plans/calm-cedar-keel.md',
      instructions: () => undefined,
    })
    assert.deepEqual(tool.facts({}, test.context), { kind: 'none' })
    const first = await tool.execute({}, test.context)
    assert.equal(mode, 'plan')
    assert.ok(first.ok && typeof first.content === 'string')
    const [message = ''] = first.content.split('\n')
    assert.match(message, /^Plan mode is on\./)
    assert.deepEqual(first.output, { message })
    assert.ok(first.content.includes('/plans/calm-cedar-keel.md') && first.content.includes('ExitPlanMode'))
    assert.deepEqual(await tool.execute({}, test.context), first)
    assert.equal(entered, 1)
    refusal = 'Not now.'
    assert.equal(await tool.check?.({}, test.context), 'Not now.')
  })
})
