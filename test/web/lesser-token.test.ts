/** The page of somebody with a lesser token: it offers what the server takes from them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'

describe('a card for a lesser token', { skip: whyNoBrowser !== undefined, timeout: 120_000 }, () => {
  let stage: PageStage
  before(async () => {
    stage = await startPageStage({ make: [{ tools: [{ name: 'Bash', input: { command: 'mkfifo made' } }] }, 'Done.'] })
  })
  after(() => stage[Symbol.asyncDispose]())

  test('has the rule for the session only, and no editing without the scope prompt', async () => {
    const { serving } = stage
    const session = await stage.begin('make')
    await serving.ask(session)
    const whole = await stage.open(`#/s/${session}`)
    await whole.getByText('for you in this project').waitFor()
    await whole.getByRole('button', { name: /Edit/ }).waitFor()
    const body = { name: 'Ada', scopes: ['answer'], sessions: [session] }
    const { token } = (await serving.call('POST', '/v1/tokens', { body })).json
    const page = await stage.open(`#/s/${session}`, { token })
    await page.getByText('for this session').waitFor()
    assert.equal(await page.getByText('for you in this project').count(), 0)
    assert.equal(await page.locator('button[aria-keyshortcuts=e]').count(), 0)
    await page.locator('button[aria-keyshortcuts=a]:not([aria-disabled=true])').click()
    await serving.ended(session, 'first')
    assert.ok(existsSync(join(serving.options.cwd, 'made')))
    assert.equal(existsSync(join(serving.options.cwd, '.claude', 'settings.local.json')), false)
    for (const one of [whole, page]) await one.context().close()
  })
})
