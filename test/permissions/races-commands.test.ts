/** Bash while the folder that a command was allowed to run in is swapped for a link that leads outside. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe } from 'node:test'
import { createBashTool } from '../../src/tools/bash/bash.js'
import { sampledTest as it } from '../support/tier.js'
import { call, createGround, filesBelow, type Ground, race } from './races-ground.js'
import { Swapper } from './races-swapper.js'

describe('a command whose folder is swapped for a link to the outside', { skip: process.platform === 'win32' }, () => {
  let ground: Ground
  beforeEach(async () => {
    ground = await createGround()
  })
  afterEach(() => ground.dispose())
  const bash = createBashTool({ isReadOnlyCommand: () => false })
  const marks = () => filesBelow(ground.project).filter((path) => path.includes('mark-'))

  it('runs where it was allowed, or not at all', async () => {
    const { session } = ground.context
    const swapper = await Swapper.start(ground.swap)
    const tally = await race(ground, async (index) => {
      session.shellCwd = ground.swap.spot
      return call(bash, { command: `touch mark-${index}` }, ground)
    }).finally(() => swapper.stop())
    assert.equal(tally.outside, 0)
    assert.ok(tally.done > 0 && tally.refused > 0, `${tally.done} done, ${tally.refused} refused`)
    assert.equal(marks().length, tally.done)
  })
})
