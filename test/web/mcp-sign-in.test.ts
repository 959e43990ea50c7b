/** "Sign in to tracker" as a card of the web app, with oidc-provider: in the same browser, and from another machine. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { visit } from '../mcp/sign-in/browser.js'
import { type OidcWorld, startOidcWorld } from '../mcp/sign-in/oidc-world.js'
import { whyNoBrowser } from './browser.js'
import { startPageStage } from './page-stage.js'

const serversOf = (world: OidcWorld) => ({ tracker: { type: 'http' as const, url: world.server.url } })

/** The browser went to the page and back, where the session listens, or to where it can't go. */
async function comeBackElsewhere(address: string): Promise<string> {
  return (await visit(address, new URL(address).searchParams.get('redirect_uri') ?? '')).url
}

describe('in the web app', { skip: whyNoBrowser, timeout: 180_000 }, () => {
  test('a click, the page in another tab, and back; the log has no code', async () => {
    await using world = await startOidcWorld()
    await using stage = await startPageStage(
      { hello: ['Hello there.'], 'use it': [{ tools: [{ name: 'mcp__tracker__read', input: {} }] }, 'It is read.'] },
      { options: { mcpServers: serversOf(world), mcpSignIns: true, allowedTools: ['mcp__tracker'] } },
    )
    const session = await stage.begin('hello')
    const page = await stage.open(`#/s/${session}`)
    await page.getByRole('heading', { name: 'Sign in to tracker' }).waitFor()
    await page.locator('button:not([aria-disabled=true])', { hasText: /^Sign in$/ }).click()
    const link = page.getByRole('link', { name: 'Open sign-in page' })
    await link.waitFor()
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await other.getByPlaceholder('Enter any login').fill('ada')
    await other.getByPlaceholder('and password').fill('secret')
    await other.locator('button[type=submit]').click()
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('heading', { name: 'Signed in to tracker' }).waitFor()
    await page.getByText('Signed in to tracker.').first().waitFor()
    await stage.serving.send(session, 'second', 'use it')
    await page.getByText('It is read.').first().waitFor()
    const log = await stage.serving.ended(session, 'second')
    assert.ok(JSON.stringify(log).includes('did read'))
    await page.context().close()
  })

  test('from another machine: the address that the browser ended at is pasted; then it can be canceled, too', async () => {
    await using world = await startOidcWorld()
    await using stage = await startPageStage(
      { hello: ['Hello there.'] },
      { options: { mcpServers: serversOf(world), mcpSignIns: true } },
    )
    const first = await stage.begin('hello')
    const page = await stage.open(`#/s/${first}`)
    const press = (name: RegExp) => page.locator('button:not([aria-disabled=true])', { hasText: name }).click()
    await press(/^Sign in$/)
    await press(/^Cancel sign-in$/)
    await page.getByText('Not signed in.').first().waitFor()
    const info = await stage.serving.call('GET', `/v1/sessions/${first}`)
    assert.notEqual(info.json.status, 'needs-you')

    const second = await stage.serving.begin({ title: 'another' })
    await stage.serving.send(second, 'first', 'hello')
    await page.goto(`${stage.serving.url}/#/s/${second}`)
    await press(/^Sign in$/)
    const link = page.getByRole('link', { name: 'Open sign-in page' })
    const callback = await comeBackElsewhere((await link.getAttribute('href')) ?? '')
    await page.getByLabel(/paste its address here/).fill(callback)
    await press(/^Finish sign-in$/)
    await page.getByText('Signed in to tracker.').first().waitFor()
    const isOver = (entry: LogEntry) => JSON.stringify(entry).includes('mcp_signed_in')
    const log = JSON.stringify(await stage.serving.log(second, isOver))
    const code = new URL(callback).searchParams.get('code') ?? ''
    assert.ok(code !== '' && !log.includes(code))
    assert.match(log, /"action":"finish"/)
    await page.context().close()
  })
})
