import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import { createPlatformIdentity } from '../../platform/identity.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { createPlanMode, newPlanFilePath, planFilePathOf } from './session-plan-mode.js'

function start(first: PermissionMode = 'default', { approver = true, planFile = '/plans/none.md' } = {}) {
  let mode = first
  let before: PermissionMode = first
  const told: PermissionMode[] = []
  const plan = createPlanMode({
    permissions: {
      mode: () => mode,
      setMode(next: PermissionMode) {
        if (next === 'plan') before = mode
        mode = next
        return undefined as never
      },
      modeBeforePlan: () => before,
    },
    platform: { files: nodeFiles },
    planFile,
    canBeApproved: () => approver,
    onModeChanged: (next) => void told.push(next),
  })
  return { plan, told, mode: () => mode }
}

describe('plan mode', () => {
  test('in and out again, to the mode before; the host is told', async () => {
    const { plan, told, mode } = start('acceptEdits')
    assert.deepEqual(plan.reminders(), [])
    await plan.enterPlan()
    assert.equal(mode(), 'plan')
    assert.equal(plan.reminders().length, 1)
    assert.match(plan.reminders()[0] ?? '', /\/plans\/none\.md/)
    await plan.leavePlan()
    assert.deepEqual(told, ['plan', 'acceptEdits'])
    assert.deepEqual(plan.reminders(), [])
  })

  const entries: [mode: PermissionMode, approver: boolean, refused: RegExp | undefined][] = [
    ['default', true, undefined],
    ['default', false, undefined],
    ['plan', false, undefined],
    ['acceptEdits', true, undefined],
    ['acceptEdits', false, /nobody who could approve/],
    ['bypassPermissions', false, /nobody who could approve/],
    ['bypassPermissions', true, undefined],
    ['dontAsk', true, /never asks/],
    ['dontAsk', false, /never asks/],
  ]
  for (const [mode, approver, refused] of entries) {
    test(`the model goes there from ${mode}${approver ? '' : ', and nobody could approve'}`, () => {
      const reason = start(mode, { approver }).plan.refuseEntry()
      if (refused) assert.match(reason ?? '', refused)
      else assert.equal(reason, undefined)
    })
  }

  test('the plan is what stands in its file, if there is one of sensible size', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kedge-plan-'))
    try {
      const planFile = join(folder, 'plan.md')
      const { plan } = start('plan', { planFile })
      assert.equal(plan.planFile(), planFile)
      assert.equal(await plan.readPlan(), undefined)
      writeFileSync(planFile, '# Größer\n')
      assert.equal(await plan.readPlan(), '# Größer\n')
      writeFileSync(planFile, 'x'.repeat(262_145))
      assert.equal(await plan.readPlan(), undefined)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the name of a plan', () => {
  test('words and letters below the folder of plans', () => {
    const { hex } = createPlatformIdentity()
    for (let n = 0; n < 200; n += 1) {
      assert.match(
        newPlanFilePath('/home/ada/.claude', hex),
        /^\/home\/ada\/\.claude\/plans\/[a-z]+-[a-z]+-[a-p]{8}\.md$/,
      )
    }
  })

  test('no two sessions have the same', () => {
    const { hex } = createPlatformIdentity()
    const all = new Set(Array.from({ length: 1000 }, () => newPlanFilePath('/c', hex)))
    assert.equal(all.size, 1000)
  })

  test('a session that is resumed has the same; others have others', () => {
    const { uuid } = createPlatformIdentity()
    const ids = Array.from({ length: 1000 }, () => uuid())
    const names = ids.map((id) => planFilePathOf('/c', id))
    assert.equal(new Set(names).size, 1000)
    assert.deepEqual(
      ids.map((id) => planFilePathOf('/c', id)),
      names,
    )
    assert.match(names[0] ?? '', /^\/c\/plans\/[a-z]+-[a-z]+-[a-p]{8}\.md$/)
  })

  test('different letters for different random ones, digits included', () => {
    const name = (letters: string) => newPlanFilePath('/c', (length) => (length === 8 ? letters : '0000'))
    assert.notEqual(name('0123abcd'), name('0124abcd'))
    assert.equal(name('0123abcd').slice(-11), 'ghijabcd.md'.slice(-11))
  })
})
